package billing_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/ledger"
)

// feeBooked returns the platform fee of the studio in the books.
func (s till) feeBooked(t *testing.T) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), ledger.BookingFees, "USD")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// lost is a payment that a bank has taken back for good.
func (s till) lost(t *testing.T) (billing.Payment, dispute.Dispute) {
	t.Helper()
	p := s.paid(t)
	s.check(t)
	id := must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	s.settle(t)
	none(t, s.Sim.LoseDispute(s.Account, id))
	s.settle(t)
	all, err := s.Disputes.List(t.Context(), s.Owner, dispute.ListInput{})
	if err != nil || len(all.Items) != 1 {
		t.Fatalf("%v %v", all.Items, err)
	}
	return p, all.Items[0]
}

// listed lists the account, as some seconds after an event or the next night.
func (s till) listed(t *testing.T) {
	t.Helper()
	s.settle(t)
	s.w.Clock.Advance(time.Minute)
	none(t, s.Balance.ListingsDue(t.Context()))
	s.settle(t)
}

// TestFeeOfALostDispute: the platform does not keep its fee of a payment that the studio has lost: it is returned
// once, whatever is told twice, and booked; the books agree with the processor.
func TestFeeOfALostDispute(t *testing.T) {
	s := openTill(t)
	p, d := s.lost(t)
	if d.FeeRefunded != 44 || p.FeeAmount != 44 {
		t.Errorf("%d of %d come back", d.FeeRefunded, p.FeeAmount)
	}
	s.listed(t)
	if n := s.feeBooked(t); n != 0 {
		t.Errorf("the books say that the platform has %d", n)
	}
	for range 2 { // told again
		none(t, s.Disputes.ReturnFee(t.Context(), dispute.ReturnFeeJob{Business: s.Business.ID, Dispute: d.ID}))
		s.listed(t)
	}
	s.check(t)
}

// TestFeeReturnOfAnswersThatWereLost: the processor has refunded the fee and its answer is lost; a repeated request
// does not do so again, even after it has forgotten the key.
func TestFeeReturnOfAnswersThatWereLost(t *testing.T) {
	s := openTill(t)
	lostAnswer := errors.New("the answer is lost")
	tries := 0
	s.Answered = func(r *http.Request) error {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/application_fees/") {
			if tries++; tries == 1 {
				return lostAnswer
			}
		}
		return nil
	}
	p := s.paid(t)
	s.check(t)
	id := must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	s.settle(t)
	none(t, s.Sim.LoseDispute(s.Account, id))
	for range 3 { // the event, its job, and the job that fails and is left to its next try
		s.Sim.Flush(t.Context())
		_, _ = s.RunJobs(t)
	}
	s.w.Clock.Advance(25 * time.Hour)
	d, err := s.Disputes.List(t.Context(), s.Owner, dispute.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	none(t, s.Disputes.ReturnFee(t.Context(), dispute.ReturnFeeJob{Business: s.Business.ID, Dispute: d.Items[0].ID}))
	s.listed(t)
	if n := s.feeBooked(t); n != 0 || tries != 1 {
		t.Errorf("the platform has %d after %d requests", n, tries)
	}
}

// TestFeeOfADisputeThatWasWon: it stays with the platform.
func TestFeeOfADisputeThatWasWon(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	s.check(t)
	id := must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	s.settle(t)
	none(t, s.Sim.WinDispute(s.Account, id))
	s.settle(t)
	s.listed(t)
	if n := s.feeBooked(t); n != 44 {
		t.Errorf("after it was won: %d", n)
	}
}

// TestFeeAfter: refunds, disputes and refunds by hand together return the fee of a payment once, and never more of it.
func TestFeeAfter(t *testing.T) {
	p := billing.Payment{Amount: 2200, FeeAmount: 44}
	for what, c := range map[string]struct{ amount, refunded, with, returned, want int64 }{
		"all of it": {2200, 0, 0, 0, 44}, "the rest after a refund": {1100, 1100, 0, 22, 22}, "after one that returned none": {1100, 1100, 0, 0, 22},
		"nothing left": {2200, 2200, 0, 44, 0}, "more than there is": {5000, 0, 0, 0, 44}, "all of the fee is back": {2200, 0, 0, 44, 0}, "a cent": {1, 0, 0, 0, 0},
		"it came with it": {1100, 0, 22, 22, 0}, "half of it came with it": {1100, 0, 11, 11, 11}, "more came with it": {1100, 0, 30, 30, 0},
	} {
		if got := billing.FeeAfter(p, c.amount, c.refunded, c.with, c.returned); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
}

// keeping returns the service of an operator who keeps the platform fee of refunds without the product.
func (s till) keeping(t *testing.T) till {
	t.Helper()
	s.KeepFees = true
	s.Sales = s.On(t, s.w.DB)
	return s
}

// TestFeeOfALostDisputeIsKept: if the operator configures it, it stays with the platform, also if the operator
// changes the setting later.
func TestFeeOfALostDisputeIsKept(t *testing.T) {
	s := openTill(t).keeping(t)
	_, d := s.lost(t)
	s.listed(t)
	if n := s.feeBooked(t); n != 44 || d.FeeRefunded != 0 {
		t.Errorf("the books say that the platform has %d, %d come back", n, d.FeeRefunded)
	}
	s.check(t)
}
