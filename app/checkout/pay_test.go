package checkout_test

import (
	"errors"
	"net/http"
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/billing"
	"foyer/billing/processor"
)

func TestPayRefuses(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	pay := func(token string, quoted int64) error {
		_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: quoted})
		return err
	}
	token := s.Fill(t, s.class(t, 2200, 1))
	refused(t, "before the hold", pay(token, 2200), booking.ErrHoldExpired)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm before the hold", err, booking.ErrHoldExpired)
	s.hold(t, ada, token)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm unpaid", err, checkout.ErrPaymentRequired)
	refused(t, "another quote", pay(token, 2199), checkout.ErrPriceChanged)
	small := s.Fill(t, s.class(t, 49, 1))
	s.hold(t, ada, small)
	refused(t, "less than a card pays", pay(small, 49), billing.ErrBelowCardMinimum)
	if err := s.Sim.Restrict(s.Account, "external_account"); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	refused(t, "a restricted account", pay(token, 2200), processor.ErrCardUnavailable)
	if c, err := s.Checkout.Cart(t.Context(), ada, token); err != nil || c.Card {
		t.Errorf("cards are offered: %+v (%v)", c, err)
	}
	if err := s.Sim.Activate(s.Account); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	s.w.SQL(t, "update processor_accounts set default_currency = 'EUR'")
	refused(t, "an account in another currency", pay(token, 2200), processor.ErrCardUnavailable)
	s.w.SQL(t, "update processor_accounts set default_currency = ''")
	if err := pay(token, 2200); err != nil {
		t.Errorf("a currency that is not known yet: %v", err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from orders where state <> 'open'"); n != 0 {
		t.Errorf("%d orders of refused payments", n)
	}
	s.check(t)
}

// The processor refuses, or does not answer: the seats stay held, the payment is requested once.
func TestProcessorFails(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	s.Call = failing()
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
	refused(t, "no answer", err, processor.ErrDown)
	keys := map[string]bool{}
	s.Call = func(r *http.Request) error {
		if r.Method == http.MethodPost {
			keys[r.Header.Get("Idempotency-Key")] = true
		}
		return nil
	}
	s.Answered = failing() // it was made, and the answer is lost
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
	refused(t, "a lost answer", err, processor.ErrDown)
	s.Answered = nil
	p := s.pay(t, ada, token, 2200)
	if len(keys) != 1 {
		t.Errorf("the same payment was asked for under %d keys", len(keys))
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.Call = failing()
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm without an answer", err, processor.ErrDown)
	s.Call = nil
	s.confirm(t, ada, token)
	if n := apptest.Value[int](t, s.w, "select count(*) from payments"); n != 1 {
		t.Errorf("%d payments", n)
	}
	s.check(t)
}

// Refused at the processor: that payment has failed, the account is looked at, and the next try is another payment.
func TestProcessorRefuses(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	if err := s.Sim.Restrict(s.Account, "external_account"); err != nil { // and we have not heard of it
		t.Fatal(err)
	}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
	refused(t, "pay", err, processor.ErrCardUnavailable)
	if _, err := s.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[string](t, s.w, "select state from processor_accounts"); got != "restricted" {
		t.Errorf("the account is %s", got)
	}
	if err := s.Sim.Activate(s.Account); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	p := s.pay(t, ada, token, 2200)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if got := apptest.Value[string](t, s.w, "select string_agg(attempt || ' ' || status, ', ' order by attempt) from payments"); got != "1 failed, 2 succeeded" {
		t.Errorf("payments: %s", got)
	}
	s.check(t)
}

var errCut = errors.New("the line is cut")
