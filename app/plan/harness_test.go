package plan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// studio is a studio that sells plans.
type studio struct {
	*apptest.Sales
	Plans *plan.Service
	w     *apptest.World
}

func open(t testing.TB, changes ...func(*apptest.StudioPlan)) studio {
	t.Helper()
	w := apptest.Open(t)
	s := w.Sales(t, changes...)
	out := studio{s, s.Services.Plans, w}
	out.jobs(t) // the processor's events about the new account
	return out
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func refused(t testing.TB, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

// pack is a pack of credits for everything.
func pack(credits int, price int64) plan.CreateInput {
	return plan.CreateInput{
		Name: fmt.Sprintf("%d-class pack", credits), Kind: plan.Pack, PriceAmount: price, SoldOnline: true,
		Validity: plan.Validity{Count: 3, Unit: rules.Month},
		Benefits: []plan.Benefit{{Credits: &credits}},
	}
}

// pass is a pass for any number of bookings in thirty days.
func pass(price int64) plan.CreateInput {
	return plan.CreateInput{
		Name: "30-day pass", Kind: plan.Pass, PriceAmount: price, SoldOnline: true,
		Validity: plan.Validity{Count: 30, Unit: rules.Day}, Benefits: []plan.Benefit{{}},
	}
}

// published makes a plan and puts it on sale.
func (s studio) published(t testing.TB, in plan.CreateInput) plan.Plan {
	t.Helper()
	p, err := s.Plans.Create(t.Context(), s.Owner, in)
	must(t, p, err)
	p, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	return must(t, p, err)
}

// class is a date two days ahead at a price.
func (s studio) class(t testing.TB, price int64) apptest.OccurrenceRow {
	t.Helper()
	return s.classIn(t, price, 48*time.Hour)
}

func (s studio) classIn(t testing.TB, price int64, in time.Duration) apptest.OccurrenceRow {
	t.Helper()
	return s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) {
		o.Price, o.Capacity, o.Online = &price, 20, 20
	}), s.w.Clock.Now().Add(in))
}

// put adds a plan to a cart.
func (s studio) put(t testing.TB, token string, p plan.Plan) error {
	t.Helper()
	_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token,
		order.CartItem{Kind: order.Plan, Subject: p.ID, Quantity: 1})
	return err
}

func (s studio) hold(t testing.TB, who tenancy.Scope, token string) {
	t.Helper()
	_, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, 0, err)
}

// paid pays a held cart with a card, and confirms it.
func (s studio) paid(t testing.TB, who tenancy.Scope, token string, amount int64) checkout.Confirmed {
	t.Helper()
	p, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: amount})
	must(t, 0, err)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, c, err)
}

// bought has a customer buy a plan online.
func (s studio) bought(t testing.TB, who tenancy.Scope, p plan.Plan) plan.Membership {
	t.Helper()
	token := s.Fill(t)
	must(t, 0, s.put(t, token, p))
	s.hold(t, who, token)
	if p.PriceAmount > 0 {
		s.paid(t, who, token, p.PriceAmount)
	} else {
		_, err := s.Checkout.Confirm(t.Context(), who, token)
		must(t, 0, err)
	}
	return s.mine(t, who)[0]
}

// mine are the plans of a person.
func (s studio) mine(t testing.TB, who tenancy.Scope) []plan.Membership {
	t.Helper()
	list, err := s.Plans.Mine(t.Context(), who.Principal)
	return must(t, list, err)
}

// booked has a customer book a class with what they have.
func (s studio) booked(t testing.TB, who tenancy.Scope, o apptest.OccurrenceRow) checkout.Confirmed {
	t.Helper()
	token := s.Fill(t, o)
	s.hold(t, who, token)
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, c, err)
}

// sold sells a plan at the desk for cash.
func (s studio) sold(t testing.TB, customer uuid.UUID, p plan.Plan) plan.Membership {
	t.Helper()
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: customer, Tenders: owed.Pays(tender.Cash),
	})
	must(t, 0, err)
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, customer)
	return must(t, list, err)[0]
}

// changes are the changes of the credits of all grants, as one text.
func (s studio) changes(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w,
		`select kind || ' ' || credits || ' for ' || amount || ' leaves ' || balance
		from redemptions order by created_at, id`), ", ")
}

// books are the balances of the accounts of plans: what is deferred, and what was earned.
func (s studio) books(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w, `select a.code || ' ' || -sum(p.amount)
		from ledger_accounts a join ledger_postings p on p.account_id = a.id
		where a.code like 'deferred.%' or a.code in ('income.pack', 'income.membership')
		group by a.code order by a.code`), ", ")
}

// pass lets time go by, and the sweeps of plans run.
func (s studio) pass(t testing.TB, d time.Duration) {
	t.Helper()
	s.w.Clock.Advance(d)
	must(t, 0, s.Booking.CompleteDue(t.Context()))
	must(t, 0, s.Plans.EarnDue(t.Context()))
	must(t, 0, s.Plans.ExpireDue(t.Context()))
	s.jobs(t)
}

func (s studio) jobs(t testing.TB) {
	t.Helper()
	for ran := []string{""}; len(ran) > 0; {
		var err error
		s.Sim.Flush(t.Context())
		ran, err = s.RunJobs(t)
		must(t, 0, err)
	}
}

// check ends a story: the books are right and the processor agrees.
func (s studio) check(t testing.TB) {
	t.Helper()
	s.jobs(t)
	s.CheckProcessor(t)
	s.List(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

func expect[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
