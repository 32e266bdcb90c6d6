package billing_test

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/pg"
	"foyer/billing"
)

// Whatever is sold and given back in whatever order, the books say what the processor holds, and nothing differs from what the rows say;
// also when three of ten events are lost: the sweeps find the rest. That a refund has failed days after it succeeded is told by an event
// only, so cards to which none arrives are no part of that.
func TestHistories(t *testing.T) {
	for name, lost := range map[string]int{"every event": 0, "three of ten events lost": 30} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTill(t)
			r := rand.New(rand.NewPCG(walks.Seed(t), 0))
			if lost > 0 {
				s.EventLost = func(*http.Request) bool { return r.IntN(100) < lost }
			}
			h := history{s, r, lost > 0, nil}
			if !h.safe {
				h.late(t, cardRefundFails)
			}
			for range walks.Steps(60, 2000) {
				h.step(t)
			}
			s.EventLost = nil
			h.wait(t, 25*time.Hour) // an unpaid payment is given up, a refund is looked at again
			s.check(t)
			if n := apptest.Value[int](t, s.w, "select count(*) from refunds where state = 'failed'"); (n == 0) != h.safe {
				t.Errorf("%d refunds failed", n)
			}
		})
	}
}

const cardRefundFails = "4000000000005126"

// history is one of a studio's money.
type history struct {
	till
	r    *rand.Rand
	safe bool // every refund arrives
	paid []uuid.UUID
}

func (h *history) step(t *testing.T) {
	t.Helper()
	switch h.r.IntN(8) {
	case 0, 1, 2:
		card := apptest.CardGood
		if !h.safe && h.r.IntN(3) == 0 {
			card = cardRefundFails
		}
		h.sell(t, card)
	case 3:
		h.late(t, apptest.CardGood)
	case 4, 5:
		h.back(t)
	case 6:
		h.Sim.Flush(t.Context())
		h.run(t)
	default:
		h.wait(t, time.Duration(h.r.IntN(300))*time.Second)
	}
}

func (h *history) sell(t *testing.T, card string) {
	t.Helper()
	_, _, p, secret := h.waiting(t)
	h.PayCard(t, secret, card)
	if h.r.IntN(2) == 0 { // the others do not come back: an event or the sweep settles them
		if _, err := h.Billing.Reread(t.Context(), h.Business.ID, p.ID); err != nil {
			t.Fatal(err)
		}
	}
	h.paid = append(h.paid, p.ID)
}

// back gives a part of some payment back, or all that is left.
func (h *history) back(t *testing.T) {
	t.Helper()
	if len(h.paid) == 0 {
		return
	}
	id := h.paid[h.r.IntN(len(h.paid))]
	_, err := inTx(t, h.till, func(tx *pg.Tx) (billing.RefundRequest, error) {
		return h.Billing.RequestRefundTx(t.Context(), tx, billing.RefundInput{PaymentID: id, Amount: h.r.Int64N(2200) + 1, Reason: "test"})
	})
	if err != nil && !errors.Is(err, billing.ErrRefundTooLarge) {
		t.Fatal(err)
	}
	h.run(t)
}

func (h *history) run(t *testing.T) {
	t.Helper()
	if _, err := h.RunJobs(t); err != nil {
		t.Fatal(err)
	}
}

// wait lets time pass, with the sweeps that a worker runs in it.
func (h *history) wait(t *testing.T, d time.Duration) {
	t.Helper()
	h.recheck(t, d)
	if err := h.Billing.RefundsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.run(t)
}
