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
	"foyer/billing/processor"
)

// Any sales and refunds in any order, by the product or on the processor's website, disputes, payouts and charges
// without the product: the books equal the processor's balance, the reconciliation finds no difference, and nothing
// differs from the rows; also if three of ten events are lost, come twice or come late: the sweeps and the nightly
// listing find the others.
func TestHistories(t *testing.T) {
	for name, astray := range map[string]int{"every event": 0, "three of ten events go astray": 30} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openTill(t)
			r := rand.New(rand.NewPCG(walks.Seed(t), 0))
			s.EventFate = func(*http.Request) apptest.Fate {
				if r.IntN(100) >= astray {
					return apptest.Arrives
				}
				return []apptest.Fate{apptest.Lost, apptest.Twice, apptest.Late}[r.IntN(3)]
			}
			h := history{s, r, nil, nil}
			h.late(t, cardRefundFails)
			h.everything(t)
			for range walks.Steps(80, 2000) {
				h.step(t)
			}
			s.EventFate = nil
			// an unpaid payment is given up, a refund is looked at again, every account is listed
			h.wait(t, 25*time.Hour)
			s.check(t)
			for what, sql := range map[string]string{
				"refunds that failed":                  "select count(*) from refunds where state = 'failed' and balance_transaction is not null",
				"refunds made by hand":                 "select count(*) from refunds where reason = 'external'",
				"disputes":                             "select count(*) from disputes",
				"payouts":                              "select count(*) from payouts",
				"charges made without us":              "select count(*) from balance_transactions where category = 'charge' and payment_id is null",
				"reconciliations without a difference": "select count(*) from reconciliations where difference = 0",
				"disputes that are decided":            "select count(*) from disputes where status in ('won', 'lost')",
				"payouts that came back":               "select count(*) from payouts where status = 'failed'",
			} {
				if apptest.Value[int](t, s.w, sql) == 0 {
					t.Errorf("there are no %s", what)
				}
			}
		})
	}
}

const cardRefundFails = "4000000000005126"

// history is one of a studio's money.
type history struct {
	till
	r       *rand.Rand
	paid    []uuid.UUID
	payouts []string
}

func (h *history) step(t *testing.T) {
	t.Helper()
	switch h.r.IntN(14) {
	case 0, 1, 2:
		card := apptest.CardGood
		switch h.r.IntN(6) {
		case 0, 1:
			card = cardRefundFails
		case 2:
			card = cardDisputed
		}
		h.sell(t, card)
	case 3:
		h.late(t, apptest.CardGood)
	case 4, 5:
		h.refund(t)
	case 6:
		h.Sim.Flush(t.Context())
		h.run(t)
	case 7, 8:
		h.byHand(t)
	case 9:
		h.dispute(t)
	case 10:
		h.decide(t)
	case 11:
		h.payOut(t)
	case 12:
		h.outside(t)
	default:
		h.wait(t, time.Duration(h.r.IntN(300))*time.Second)
	}
}

const cardDisputed = "4000000000000259"

// everything does once all the acts that chance might leave out.
func (h *history) everything(t *testing.T) {
	t.Helper()
	for range 3 {
		h.sell(t, apptest.CardGood)
		h.wait(t, time.Minute)
	}
	h.must(t)(h.Sim.DashboardRefund(h.Account, h.payment(t, h.paid[0]).IntentID, 700))
	for i, decide := range []func(string, string) error{h.Sim.WinDispute, h.Sim.LoseDispute} {
		id := h.must(t)(h.Sim.Dispute(h.Account, h.payment(t, h.paid[i+1]).IntentID, "fraudulent"))
		if err := decide(h.Account, id); err != nil {
			t.Fatal(err)
		}
	}
	h.outside(t)
	h.payOut(t)
	_ = h.Sim.FailPayout(h.Account, h.payouts[0]) // it may have failed before
}

func (h *history) must(t *testing.T) func(string, error) string {
	return func(id string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
}

// some returns a payment that may have succeeded, as the processor has it; empty if there is none.
func (h *history) some(t *testing.T) string {
	t.Helper()
	if len(h.paid) == 0 {
		return ""
	}
	return h.payment(t, h.paid[h.r.IntN(len(h.paid))]).IntentID
}

// byHand gives something back as the studio does on the processor's own site.
func (h *history) byHand(t *testing.T) {
	t.Helper()
	if p := h.some(t); p != "" {
		if left, err := h.Sim.Refundable(h.Account, p); err == nil && left > 0 {
			h.must(t)(h.Sim.DashboardRefund(h.Account, p, min(left, h.r.Int64N(2200)+1)))
		}
	}
}

// dispute has a bank want some payment back, if there is something left of it.
func (h *history) dispute(t *testing.T) {
	t.Helper()
	if p := h.some(t); p != "" {
		_, _ = h.Sim.Dispute(h.Account, p, "product_not_received")
	}
}

func (h *history) decide(t *testing.T) {
	t.Helper()
	open, err := h.Sim.OpenDisputes(h.Account)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range open {
		end := []func(string, string) error{h.Sim.WinDispute, h.Sim.LoseDispute}[h.r.IntN(2)]
		if err := end(h.Account, id); err != nil {
			t.Fatal(err)
		}
	}
}

// payOut pays out the available balance, and now and then the bank returns a payout.
func (h *history) payOut(t *testing.T) {
	t.Helper()
	h.wait(t, 49*time.Hour)
	ids, err := h.Sim.PayOut(h.Account)
	if err != nil {
		t.Fatal(err)
	}
	h.payouts = append(h.payouts, ids...)
	if n := len(h.payouts); n > 0 && h.r.IntN(4) == 0 {
		_ = h.Sim.FailPayout(h.Account, h.payouts[h.r.IntN(n)]) // it may have failed before
	}
}

// outside is an act of the studio or the processor without us.
func (h *history) outside(t *testing.T) {
	t.Helper()
	p := h.must(t)(h.Sim.ChargeOutside(h.Account, h.r.Int64N(5000)+100, "usd"))
	if h.r.IntN(2) == 0 {
		h.must(t)(h.Sim.DashboardRefund(h.Account, p, h.r.Int64N(100)+1))
	}
	if h.r.IntN(3) == 0 {
		h.must(t)(h.Sim.Adjust(h.Account, "stripe_fee", "fee", -h.r.Int64N(300)-1, "usd"))
	}
}

func (h *history) sell(t *testing.T, card string) {
	t.Helper()
	_, _, p, secret := h.waiting(t)
	h.PayCard(t, secret, card)
	if h.r.IntN(2) == 0 { // the others do not return: an event or the sweep fulfils them
		if _, err := h.Billing.Reread(t.Context(), h.Business.ID, p.ID); err != nil {
			t.Fatal(err)
		}
	}
	h.paid = append(h.paid, p.ID)
}

// refund gives a part of some payment back, or all that is left.
func (h *history) refund(t *testing.T) {
	t.Helper()
	if len(h.paid) == 0 {
		return
	}
	id := h.paid[h.r.IntN(len(h.paid))]
	_, err := inTx(t, h.till, func(tx *pg.Tx) (billing.RefundRequest, error) {
		return h.Billing.RefundTx(
			t.Context(), tx, billing.RefundInput{PaymentID: id, Amount: h.r.Int64N(2200) + 1, Reason: "test"},
		)
	})
	if err != nil && !errors.Is(err, processor.ErrRefundTooLarge) && !errors.Is(err, processor.ErrRefundDisputed) {
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
	if err := h.Balance.ListingsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.run(t)
}
