package billing_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/billing"
)

// byHand is a payment of 22.00, of which the platform has 0.44, with refunds that the studio made of it on the
// processor's own site.
func (s till) byHand(t *testing.T, amounts ...int64) billing.Payment {
	t.Helper()
	p := s.paid(t)
	s.check(t)
	for _, amount := range amounts {
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, amount))(t)
		s.settle(t)
	}
	return p
}

// feesReturned are the requests that give a part of a fee back.
func (s till) feesReturned() *int {
	n := new(int)
	s.Call = func(r *http.Request) error {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/application_fees/") {
			*n++
		}
		return nil
	}
	return n
}

func (s till) refundIDs(t *testing.T) []uuid.UUID {
	t.Helper()
	return apptest.Values[uuid.UUID](t, s.w, "select id from refunds where reason = 'external' order by created_at, id")
}

// wantsFee checks the fee in the books and in the refunds.
func (s till) wantsFee(t *testing.T, platform int64, refunds string) {
	t.Helper()
	s.listed(t)
	if n := s.feeBooked(t); n != platform {
		t.Errorf("the books say that the platform has %d, want %d", n, platform)
	}
	got := strings.Join(apptest.Values[string](t, s.w, `select concat_ws(' ', amount, fee_amount, fee_later_amount, left(fee_return, 2))
		from refunds where reason = 'external' order by created_at, id`), ", ")
	if got != refunds {
		t.Errorf("amount, fee with it and fee later are %q, want %q", got, refunds)
	}
	s.check(t)
}

// TestFeeOfARefundByHand: the platform refunds its share of a refund that the studio makes on the processor's
// website, once, even if it is reported twice; a series that refunds the whole payment refunds the whole fee.
func TestFeeOfARefundByHand(t *testing.T) {
	s := openTill(t)
	asked := s.feesReturned()
	s.byHand(t, 700)
	s.wantsFee(t, 30, "700 0 14 fr")
	for range 2 { // told again
		for _, id := range s.refundIDs(t) {
			none(t, s.Billing.ReturnFee(t.Context(), billing.ReturnFeeJob{Business: s.Business.ID, Refund: id}))
		}
		s.wantsFee(t, 30, "700 0 14 fr")
	}
	p := s.latest(t)
	for _, amount := range []int64{333, 1167} {
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, amount))(t)
		s.settle(t)
	}
	s.wantsFee(t, 0, "700 0 14 fr, 333 0 7 fr, 1167 0 23 fr")
	if *asked != 3 {
		t.Errorf("%d requests for three refunds", *asked)
	}
}

// TestFeeOfRefundsOfBothKinds: refunds of the product and by hand together return the fee once.
func TestFeeOfRefundsOfBothKinds(t *testing.T) {
	s := openTill(t)
	p := s.byHand(t, 700)
	if _, err := s.refund(t, p.ID, 500); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	must(s.Sim.DashboardRefund(s.Account, p.IntentID, 1000))(t)
	s.settle(t)
	s.wantsFee(t, 0, "700 0 14 fr, 1000 0 20 fr")
}

// TestFeeReturnedWithTheRefund: a fee that was refunded with the refund, or by the platform by hand, is not refunded
// again.
func TestFeeReturnedWithTheRefund(t *testing.T) {
	t.Run("with it", func(t *testing.T) {
		s := openTill(t)
		asked := s.feesReturned()
		p := s.byHand(t)
		must(s.Sim.DashboardRefundWithFee(s.Account, p.IntentID, 1100))(t)
		s.settle(t)
		s.wantsFee(t, 22, "1100 22 0 no")
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, 1100))(t)
		s.settle(t)
		s.wantsFee(t, 0, "1100 22 0 no, 1100 0 22 fr")
		if *asked != 1 {
			t.Errorf("%d requests, want one for the second", *asked)
		}
	})
	t.Run("by the platform's hand", func(t *testing.T) {
		s := openTill(t)
		p := s.byHand(t)
		must(s.Sim.DashboardFeeRefund(s.Account, p.IntentID, 30))(t)
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, 2200))(t)
		s.settle(t)
		s.listed(t)
		if got := apptest.Value[int64](t, s.w, "select fee_later_amount from refunds"); got != 14 {
			t.Errorf("%d more goes back", got)
		}
		if n := s.feeBooked(t); n != 0 {
			t.Errorf("the books say that the platform has %d", n)
		}
	})
}

// TestFeeReturnOfAKilledProgram: the fee refund is requested with the commit that stores the refund, so a program
// that is killed before the job ran, or before its answer arrived, makes it once after a restart.
func TestFeeReturnOfAKilledProgram(t *testing.T) {
	for name, answered := range map[string]bool{"before it asked": false, "before it heard": true} {
		t.Run(name, func(t *testing.T) {
			s := openTill(t)
			p := s.byHand(t)
			asked := 0
			ofFees := func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/v1/application_fees/") }
			s.Call = func(r *http.Request) error {
				if !answered && ofFees(r) {
					return errCut
				}
				return nil
			}
			s.Answered = func(r *http.Request) error {
				if ofFees(r) && r.Method == http.MethodPost {
					asked++
				}
				if asked > 0 && ofFees(r) {
					return errCut
				}
				return nil
			}
			must(s.Sim.DashboardRefund(s.Account, p.IntentID, 1100))(t)
			for range 4 { // the events, their jobs, and the job that is killed
				s.Sim.Flush(t.Context())
				_, _ = s.RunJobs(t)
			}
			if got := apptest.Value[string](t, s.w, "select fee_return from refunds"); got != "asked" {
				t.Fatalf("it was killed, and the fee is %q", got)
			}
			s.w.SQL(t, "delete from river.river_job")
			s.Call, s.Answered = nil, func(r *http.Request) error {
				if ofFees(r) && r.Method == http.MethodPost {
					asked++
				}
				return nil
			}
			s.w.Clock.Advance(25 * time.Hour) // the processor has forgotten the key
			s.List(t)                         // the next night
			s.wantsFee(t, 22, "1100 0 22 fr")
			if asked != 1 {
				t.Errorf("it was asked for %d times", asked)
			}
		})
	}
}

// TestFeeOfARefundThatFails: a refund by hand that is on its way returns nothing before it has arrived.
func TestFeeOfARefundThatFails(t *testing.T) {
	s := openTill(t)
	who, token, _, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	if _, err := s.Checkout.Confirm(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	s.settle(t)
	s.Instead = func(r *http.Request) (int, string) { // every refund is on its way
		if strings.HasPrefix(r.URL.Path, "/v1/refunds/") {
			p := s.latest(t)
			return http.StatusOK, `{"id":"` + strings.TrimPrefix(r.URL.Path, "/v1/refunds/") + `","object":"refund","status":"pending","amount":700,"currency":"usd",
				"payment_intent":"` + p.IntentID + `","charge":"` + p.ChargeID + `"}`
		}
		return 0, ""
	}
	must(s.Sim.DashboardRefund(s.Account, s.latest(t).IntentID, 700))(t)
	s.Sim.Flush(t.Context())
	for range 3 {
		_, _ = s.RunJobs(t)
	}
	if got := apptest.Value[string](t, s.w, "select state || ' ' || coalesce(fee_return, 'not asked') from refunds"); got != "submitted not asked" {
		t.Errorf("while it is on its way it is %s", got)
	}
	s.Instead = nil
	s.w.Clock.Advance(7 * time.Hour)
	none(t, s.Billing.RefundsDue(t.Context()))
	s.wantsFee(t, 30, "700 0 14 fr")
}

// TestFeeOfARefundByHandIsKept: if the operator configures it.
func TestFeeOfARefundByHandIsKept(t *testing.T) {
	s := openTill(t).keeping(t)
	asked := s.feesReturned()
	s.byHand(t, 2200)
	s.wantsFee(t, 44, "2200 0 0")
	if *asked != 0 {
		t.Errorf("%d requests", *asked)
	}
}
