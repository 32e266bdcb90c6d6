package checkout_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing"
)

// shop is a studio that sells, with one class two days ahead.
type shop struct {
	*apptest.Sales
	w *apptest.World
}

func open(t testing.TB, changes ...func(*apptest.StudioPlan)) shop {
	t.Helper()
	w := apptest.Open(t)
	s := shop{w.Sales(t, changes...), w}
	s.jobs(t) // the processor's events about the new account
	return s
}

// class is a date two days ahead at a price, with so many seats.
func (s shop) class(t testing.TB, price int64, capacity int, changes ...func(*apptest.OfferingRow)) apptest.OccurrenceRow {
	t.Helper()
	changes = append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) {
		o.Price, o.Capacity, o.Online = &price, capacity, capacity
	}}, changes...)
	return s.AddOccurrence(t, s.AddOffering(t, changes...), s.w.Clock.Now().Add(48*time.Hour))
}

// must fails the test on an error.
func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (s shop) hold(t testing.TB, who tenancy.Scope, token string) booking.Hold {
	t.Helper()
	h, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	return must(t, h, err)
}

func (s shop) pay(t testing.TB, who tenancy.Scope, token string, quoted int64) checkout.Payment {
	t.Helper()
	p, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: quoted})
	return must(t, p, err)
}

func (s shop) confirm(t testing.TB, who tenancy.Scope, token string) checkout.Confirmed {
	t.Helper()
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, c, err)
}

// ready is a cart of one class that is held and whose payment waits for a card.
func (s shop) ready(t testing.TB, who tenancy.Scope, o ...apptest.OccurrenceRow) (token string, p checkout.Payment) {
	t.Helper()
	token = s.Fill(t, o...)
	s.hold(t, who, token)
	return token, s.pay(t, who, token, 2200*int64(len(o)))
}

// jobs runs the jobs in the outbox, and delivers events until there are none.
func (s shop) jobs(t testing.TB) []string {
	t.Helper()
	var all []string
	for {
		s.Sim.Flush(t.Context())
		ran, err := s.RunJobs(t)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, ran...); len(ran) == 0 {
			return all
		}
	}
}

// check ends a story: the books are right and the processor agrees.
func (s shop) check(t testing.TB) {
	t.Helper()
	s.jobs(t)
	s.CheckProcessor(t)
	s.jobs(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

func (s shop) order(t testing.TB) (state, outcome string) {
	t.Helper()
	return apptest.Value[string](t, s.w, "select coalesce(string_agg(state, ',' order by created_at, id), '') from orders"),
		apptest.Value[string](t, s.w, "select coalesce(string_agg(outcome, ',' order by created_at, id), '') from payments")
}

func (s shop) taken(t testing.TB, o apptest.OccurrenceRow) int {
	t.Helper()
	return apptest.Value[int](t, s.w, "select taken from occurrences where id = $1", o.ID)
}

func (s shop) mails(who tenancy.Scope) []string {
	var out []string
	for _, m := range s.Mail.List(who.Email) {
		out = append(out, m.Subject)
	}
	slices.Reverse(out)
	return out
}

// refused fails the test unless err is that refusal.
func refused(t testing.TB, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

func detail(err error, key string) any {
	if f := fault.From(err); f != nil {
		return f.Details[key]
	}
	return nil
}

// feeMode sets who bears the platform fee.
func (s shop) feeMode(t testing.TB, m billing.Mode) {
	t.Helper()
	s.w.SQL(t, "update businesses set fee_mode = $1", m)
}

// failing is a line that is cut.
func failing() func(*http.Request) error {
	return func(*http.Request) error { return errCut }
}

func because(words string) schedule.Because { return schedule.Because{Reason: words} }
