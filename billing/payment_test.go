package billing_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// A24, A224. One application fee per card payment, on the studio's own account.
func TestA24_A224_OneFeePerPayment(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	if p.FeeAmount != 44 || p.FeePPM != billing.DefaultFeePPM || p.AccountID != s.Account || p.Env != processor.EnvSimulated || !p.Test() ||
		p.Attempt != 1 || p.Outcome != billing.OutcomeFulfilled || p.CardBrand != "visa" || p.CardLast4 != "4242" || p.ChargeID == "" ||
		!p.SucceededAt.Equal(s.w.Clock.Now()) || p.BalanceTransaction != "" || p.DueAt.IsZero() {
		t.Errorf("%+v", p)
	}
	s.check(t)
	if p = s.payment(t, p.ID); p.BalanceTransaction == "" || p.ProcessorFee != 94 || !p.DueAt.IsZero() {
		t.Errorf("once the processor has booked it: %+v", p)
	}
}

// A25. A business with another rate pays that one.
func TestA25_OwnRate(t *testing.T) {
	s := openTill(t)
	s.w.SQL(t, "update businesses set fee_ppm = 0")
	if p := s.paid(t); p.FeeAmount != 0 || p.FeePPM != 0 {
		t.Errorf("%+v", p)
	}
	s.w.SQL(t, "update businesses set fee_ppm = 15000")
	if p := s.paid(t); p.FeeAmount != 33 || p.FeePPM != 15_000 {
		t.Errorf("%+v", p)
	}
	s.check(t)
}

// The processor's reports, in every possible order: a final payment stays final.
func TestApply(t *testing.T) {
	s := openTill(t)
	type say struct {
		status  processor.Status
		failure string
	}
	for name, c := range map[string]struct {
		says []say
		want processor.Status
		code string
	}{
		"a bank's check":       {[]say{{processor.StatusAwaitingCustomer, ""}, {processor.StatusProcessing, ""}}, processor.StatusProcessing, ""},
		"declined":             {[]say{{processor.StatusAwaitingMethod, "card_declined"}}, processor.StatusAwaitingMethod, "card_declined"},
		"declined, then taken": {[]say{{processor.StatusAwaitingMethod, "card_declined"}, {processor.StatusSucceeded, ""}}, processor.StatusSucceeded, ""},
		"late words after success": {[]say{{processor.StatusSucceeded, ""}, {processor.StatusProcessing, ""}, {processor.StatusAwaitingMethod, "late"},
			{processor.StatusCanceled, ""}}, processor.StatusSucceeded, ""},
		"late words after the end": {[]say{{processor.StatusCanceled, ""}, {processor.StatusSucceeded, ""}}, processor.StatusCanceled, ""},
		"twice":                    {[]say{{processor.StatusSucceeded, ""}, {processor.StatusSucceeded, ""}}, processor.StatusSucceeded, ""},
	} {
		_, _, p, _ := s.waiting(t)
		for _, x := range c.says {
			in := s.intent(t, p)
			in.Status = x.status
			if x.failure != "" {
				in.Failure = &processor.Failure{Code: x.failure, Message: "Your card was declined."}
			}
			if _, err := s.Billing.Apply(t.Context(), s.Business.ID, p, in); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		got := s.payment(t, p.ID)
		if got.Status != c.want || got.FailureCode != c.code || (got.Outcome == billing.OutcomeFulfilled) != (c.want == processor.StatusSucceeded) {
			t.Errorf("%s: %+v", name, got)
		}
		// after success, its fees are read
		if asked := got.Status != processor.StatusCanceled; asked == got.DueAt.IsZero() {
			t.Errorf("%s: due at %s", name, got.DueAt)
		}
	}
	s.w.CheckBooks(t)
}

// Another payment than the requested one changes nothing and is reported loudly.
func TestApplyMismatch(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	for name, change := range map[string]func(*processor.Intent){
		"id":       func(in *processor.Intent) { in.ID = "pi_sim_other" },
		"account":  func(in *processor.Intent) { in.Account = "acct_sim_other" },
		"amount":   func(in *processor.Intent) { in.Amount-- },
		"currency": func(in *processor.Intent) { in.Currency = "EUR" },
		"fee":      func(in *processor.Intent) { in.Fee = 0 },
	} {
		in := s.intent(t, p)
		in.Status = processor.StatusSucceeded
		change(&in)
		_, err := s.Billing.Apply(t.Context(), s.Business.ID, p, in)
		wants(t, name, err, billing.ErrMismatch)
	}
	if got := s.payment(t, p.ID); got != p {
		t.Errorf("%+v became %+v", p, got)
	}
	if _, err := s.Billing.Apply(t.Context(), s.Business.ID, billing.Payment{ID: pg.NewID()}, s.intent(t, p)); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown payment: %v", err)
	}
	if _, err := s.Billing.Apply(t.Context(), s.w.Studio(t).Business.ID, p, s.intent(t, p)); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another business's payment: %v", err)
	}
}

// Settling fails: nothing was kept, and the next to come does all of it.
func TestApplyIsAllOrNothing(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	broken := billing.New(billing.Options{DB: s.w.DB})
	broken.Connect(billing.Ports{Orders: never(), Plans: s.Services.Plans, Dispute: s.Disputes.Read,
		Payout: s.Balance.ReadPayout})
	in := s.intent(t, p)
	in.Status = processor.StatusSucceeded
	if _, err := broken.Apply(t.Context(), s.Business.ID, p, in); err == nil {
		t.Fatal("no error")
	}
	if got := s.payment(t, p.ID); got != p {
		t.Errorf("%+v became %+v", p, got)
	}
	s.check(t)
	if got := s.payment(t, p.ID); got.Outcome != billing.OutcomeFulfilled {
		t.Errorf("%+v", got)
	}
}

// Many learn of one success at the same time: it is settled once.
func TestApplyOnce(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	var done sync.WaitGroup
	for range 12 {
		done.Go(func() {
			if _, err := s.Billing.Reread(t.Context(), s.Business.ID, p.ID); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if n := apptest.Value[int](t, s.w, "select count(*) from river.river_job where kind = 'order.confirmation'"); n != 1 {
		t.Errorf("%d confirmations", n)
	}
	s.check(t)
}

func (s till) recheck(t *testing.T, after time.Duration) {
	t.Helper()
	s.w.Clock.Advance(after)
	if err := s.Billing.Recheck(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The sweep reads often while the customer is likely to be paying, then at growing distances, several at once share
// the work, and after a day an unpaid payment is given up. A page that was left open costs a bounded number of
// readings.
func TestRecheck(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	asked := 0
	s.Call = func(r *http.Request) error {
		if r.Method == http.MethodGet {
			asked++
		}
		return nil
	}
	s.recheck(t, 30*time.Second)
	if asked != 0 {
		t.Errorf("asked %d times before it was due", asked)
	}
	var last time.Duration
	for round := 0; ; round++ {
		p = s.payment(t, p.ID)
		wait := p.DueAt.Sub(s.w.Clock.Now())
		if wait <= 0 || wait < last && round > 1 {
			t.Fatalf("round %d: asked again after %s, and %s the time before", round, wait, last)
		}
		if age := p.DueAt.Sub(p.CreatedAt); age > 24*time.Hour {
			break
		} else if age < 10*time.Minute && wait > 40*time.Second {
			t.Errorf("%s after the start nobody asks for %s", age, wait)
		}
		s.w.Clock.Set(p.DueAt)
		s.recheck(t, 0)
		s.recheck(t, 0)
		if asked != round+1 {
			t.Fatalf("round %d: asked %d times", round, asked)
		}
		last = wait
	}
	if asked < 20 || asked > 30 {
		t.Errorf("asked %d times in a day", asked)
	}
	s.w.Clock.Set(p.CreatedAt.Add(25 * time.Hour))
	s.w.Clock.Set(s.payment(t, p.ID).DueAt)
	s.recheck(t, 0)
	if got := s.payment(t, p.ID); got.Status != processor.StatusCanceled || !got.DueAt.IsZero() {
		t.Errorf("after a day: %+v", got)
	}
	s.PayCard(t, secret, apptest.CardGood) // too late, and the processor refuses
	s.check(t)
}

// A payment whose creation was never answered: no browser has its secret, so it is given up without a call.
func TestRecheckUnanswered(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	s.w.SQL(t, "update payments set intent = null, status = 'new'")
	s.Call = cut("/")
	s.recheck(t, time.Minute)
	if got := s.payment(t, p.ID); got.Status != billing.StatusNew || !got.DueAt.After(s.w.Clock.Now()) {
		t.Errorf("whoever makes it may come back: %+v", got)
	}
	s.recheck(t, 5*time.Minute)
	if got := s.payment(t, p.ID); got.Status != processor.StatusCanceled {
		t.Errorf("%+v", got)
	}
}

// A failure at one studio does not stop the sweep of other payments.
func TestRecheckGoesOn(t *testing.T) {
	s := openTill(t)
	_, _, first, _ := s.waiting(t)
	_, _, second, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	s.Call = cut(first.IntentID)
	s.w.Clock.Advance(6 * time.Minute)
	if err := s.Billing.Recheck(t.Context()); !errors.Is(err, processor.ErrDown) {
		t.Errorf("the trouble is not told: %v", err)
	}
	if got := s.payment(t, second.ID); got.Outcome != billing.OutcomeFulfilled {
		t.Errorf("%+v", got)
	}
	if got := s.payment(t, first.ID); !got.DueAt.After(s.w.Clock.Now()) {
		t.Errorf("asked again at %s", got.DueAt)
	}
	s.Call = nil
	s.check(t)
}

// A processor that has forgotten a payment will not take it.
func TestRecheckForgotten(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	s.w.SQL(t, "update payments set intent = 'pi_sim_forgotten'")
	s.recheck(t, 6*time.Minute)
	if got := s.payment(t, p.ID); got.Status != processor.StatusCanceled {
		t.Errorf("%+v", got)
	}
}

// The job that gives a payment up loses against a card that was faster, and is harmless when repeated.
func TestCancel(t *testing.T) {
	s := openTill(t)
	_, _, p, _ := s.waiting(t)
	job := billing.CancelJob{Business: s.Business.ID, Payment: p.ID}
	s.Call = cut("/cancel")
	wants(t, "no answer", s.Billing.CancelPayment(t.Context(), job), processor.ErrDown)
	s.Call = nil
	for range 2 {
		if err := s.Billing.CancelPayment(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.payment(t, p.ID); got.Status != processor.StatusCanceled {
		t.Errorf("%+v", got)
	}
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	if err := s.Billing.CancelPayment(t.Context(), billing.CancelJob{Business: s.Business.ID, Payment: p.ID}); err != nil {
		t.Fatal(err)
	}
	if got := s.payment(t, p.ID); got.Outcome != billing.OutcomeFulfilled {
		t.Errorf("%+v", got)
	}
	if err := s.Billing.CancelPayment(t.Context(), billing.CancelJob{Business: s.Business.ID, Payment: uuid.New()}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown payment: %v", err)
	}
	s.check(t)
}
