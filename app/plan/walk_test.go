package plan_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// walk is a studio with some customers who do this and that with plans.
type walk struct {
	studio
	r         *rand.Rand
	plans     []plan.Plan
	customers []tenancy.Scope
	did       map[string]int
}

// acts are what can happen, by name.
var acts = map[string]func(*walk, *testing.T) error{
	"buy": (*walk).buy, "sell": (*walk).sell, "book": (*walk).book, "pay a part by card": (*walk).bookTwo,
	"cancel": (*walk).cancelOne, "cancel the class": (*walk).cancelClass, "pay at the desk": (*walk).deskUse,
	"refund": (*walk).refund, "adjust": (*walk).adjust, "extend": (*walk).extend, "wait": (*walk).wait,
}

// Any sequence of purchases, bookings, cancellations, refunds, adjustments and days leaves the credits, the values and
// the books of plans as they have to be: credits are never below zero, what is recognised and deferred is what was
// paid.
func TestAnyOrder(t *testing.T) {
	seed := walks.Seed(t)
	w := &walk{studio: open(t), r: rand.New(rand.NewPCG(seed, 39)), did: map[string]int{}}
	limited := pack(6, 9100)
	limited.Name, limited.Benefits[0].DayMax, limited.FromFirstUse = "One a day", 1, true
	for _, in := range []plan.CreateInput{pack(3, 5000), pack(10, 13333), pass(9000), limited} {
		w.plans = append(w.plans, w.published(t, in))
	}
	for _, name := range []string{"Ada", "Ben", "Cleo"} {
		w.customers = append(w.customers, w.Customer(t, name))
	}
	names := slices.Sorted(maps.Keys(acts))
	for range walks.Steps(120, 10_000) {
		name := names[w.r.IntN(len(names))]
		err := acts[name](w, t)
		switch {
		case err == nil:
			w.did[name]++
		case fault.From(err) == nil:
			t.Fatalf("%s: %v", name, err)
		}
	}
	for name := range acts {
		if w.did[name] == 0 {
			t.Errorf("%s was refused each time", name)
		}
	}
	w.pass(t, 200*24*time.Hour)
	w.pass(t, time.Hour)
	w.check(t)
	if left := apptest.Value[int](t, w.w, `select count(*)::int from memberships m join grants g on g.membership_id = m.id
		where (m.state <> 'active' or m.ends_on is not null) and (g.balance > 0 or g.unused_amount > 0)`); left != 0 {
		t.Errorf("%d grants of plans that are over have something left", left)
	}
	t.Log(w.did)
}

func (w *walk) who() tenancy.Scope { return w.customers[w.r.IntN(len(w.customers))] }

func (w *walk) buy(t *testing.T) error {
	w.bought(t, w.who(), w.plans[w.r.IntN(len(w.plans))])
	return nil
}

// known returns a customer's record, if they have one.
func (w *walk) known(t *testing.T) (uuid.UUID, error) {
	ids := apptest.Values[uuid.UUID](t, w.w, "select id from customers order by id")
	if len(ids) == 0 {
		return uuid.Nil, fault.Missing()
	}
	return ids[w.r.IntN(len(ids))], nil
}

func (w *walk) sell(t *testing.T) error {
	id, err := w.known(t)
	if err == nil {
		w.sold(t, id, w.plans[w.r.IntN(len(w.plans))])
	}
	return err
}

func (w *walk) soon() time.Duration { return time.Duration(1+w.r.IntN(200)) * time.Hour }

func (w *walk) book(t *testing.T) error {
	who, token := w.who(), w.Fill(t, w.classIn(t, 2200, w.soon()))
	if _, err := w.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		return err
	}
	_, err := w.Checkout.Confirm(t.Context(), who, token)
	return err
}

func (w *walk) bookTwo(t *testing.T) error {
	who, token := w.who(), w.Fill(t, w.classIn(t, 2200, w.soon()), w.classIn(t, 2900, w.soon()))
	if _, err := w.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		return err
	}
	cart, err := w.Checkout.Cart(t.Context(), who, token)
	if err != nil {
		return err
	}
	if cart.Totals.DueNow() == 0 {
		_, err = w.Checkout.Confirm(t.Context(), who, token)
		return err
	}
	w.paid(t, who, token, cart.Totals.DueNow())
	return nil
}

// standing returns the id of a booking that stands.
func (w *walk) standing(t *testing.T, which string) (uuid.UUID, error) {
	ids := apptest.Values[uuid.UUID](t, w.w, `select b.id from bookings b join occurrences o on o.id = b.occurrence_id
		where b.state = 'confirmed' and o.starts_at > $1 `+which+` order by b.id`, w.w.Clock.Now())
	if len(ids) == 0 {
		return uuid.Nil, fault.Missing()
	}
	return ids[w.r.IntN(len(ids))], nil
}

func (w *walk) cancelOne(t *testing.T) error {
	id, err := w.standing(t, "")
	if err != nil {
		return err
	}
	by := []booking.By{booking.ByCustomer, booking.ByStudio}[w.r.IntN(2)]
	_, err = w.Booking.Cancel(t.Context(), w.Owner, booking.CancelInput{BookingID: id, By: by, ToCredit: w.r.IntN(3) == 0})
	return err
}

func (w *walk) cancelClass(t *testing.T) error {
	id, err := w.standing(t, "")
	if err != nil {
		return err
	}
	return w.cancel(t, id)
}

func (w *walk) deskUse(t *testing.T) error {
	id, err := w.known(t)
	if err != nil {
		return err
	}
	got, err := w.Booking.Book(t.Context(), w.Owner, booking.BookInput{
		Customer: booking.CustomerRef{CustomerID: id}, OccurrenceID: w.classIn(t, 2200, w.soon()).ID,
	})
	if err != nil {
		return err
	}
	_, err = w.Owed.RecordPayment(t.Context(), w.Owner, byPlan(got.Booking.ID))
	if errors.Is(err, plan.ErrNotPaid) {
		_, _ = w.Owed.RecordPayment(t.Context(), w.Owner, owed.PaymentInput{
			BookingIDs: []uuid.UUID{got.Booking.ID}, Tenders: owed.Pays("cash"),
		})
	}
	return err
}

func (w *walk) refund(t *testing.T) error {
	ids := apptest.Values[uuid.UUID](t, w.w, `select id from payments where outcome = 'fulfilled' order by id`)
	if len(ids) == 0 {
		return fault.Missing()
	}
	_, err := w.Services.Sales.Refund(t.Context(), w.Owner, refundOf(ids[w.r.IntN(len(ids))], int64(1+w.r.IntN(4000))))
	return err
}

// held returns a membership of a customer.
func (w *walk) held(t *testing.T) (plan.Membership, error) {
	list := w.mine(t, w.who())
	if len(list) == 0 {
		return plan.Membership{}, fault.Missing()
	}
	return list[w.r.IntN(len(list))], nil
}

func (w *walk) adjust(t *testing.T) error {
	m, err := w.held(t)
	if err == nil {
		_, err = w.Plans.Adjust(t.Context(), w.Owner, plan.AdjustInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, Credits: 3 - w.r.IntN(7), Note: "a correction",
		})
	}
	return err
}

func (w *walk) extend(t *testing.T) error {
	m, err := w.held(t)
	if err == nil {
		_, err = w.Plans.Extend(t.Context(), w.Owner, plan.ExtendInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, Version: m.Version,
			LastDay: apptest.Day(w.w.Clock.Now().AddDate(0, 0, 1+w.r.IntN(60)).Format(time.DateOnly)),
		})
	}
	return err
}

func (w *walk) wait(t *testing.T) error {
	w.pass(t, time.Duration(1+w.r.IntN(96))*time.Hour)
	return nil
}
