package plan_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// family is a pack that other customers can book with.
func family(credits, people int) plan.CreateInput {
	in := pack(credits, 1000*int64(credits))
	in.PeopleMax = people
	return in
}

// record returns the customer record of a person, who has one from their first cart.
func (s studio) record(t testing.TB, who tenancy.Scope) uuid.UUID {
	t.Helper()
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, who, token)
	must(t, 0, s.Checkout.Release(t.Context(), who, token))
	return apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", who.Person())
}

// named writes the names of people into their records.
func (s studio) named(t testing.TB, names map[string]tenancy.Scope) {
	t.Helper()
	for name, who := range names {
		c, err := s.Services.CRM.Get(t.Context(), s.Owner, s.record(t, who))
		must(t, 0, err)
		_, err = s.Services.CRM.Update(t.Context(), s.Owner, crm.UpdateInput{ID: c.ID, Version: c.Version, Name: &name})
		must(t, 0, err)
	}
}

// latest has a customer buy a plan, and returns it also if they have others since the same time.
func (s studio) latest(t testing.TB, who tenancy.Scope, p plan.Plan) plan.Membership {
	t.Helper()
	s.bought(t, who, p)
	return slices.MaxFunc(s.mine(t, who), func(a, b plan.Membership) int { return bytes.Compare(a.ID[:], b.ID[:]) })
}

// unknown expects a not found error.
func unknown(t testing.TB, what string, err error) {
	t.Helper()
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("%s: %v, want not found", what, err)
	}
}

// shares adds a person to the plan of another one.
func (s studio) shares(t testing.TB, m plan.Membership, who tenancy.Scope) plan.PersonInput {
	t.Helper()
	in := plan.PersonInput{CustomerID: m.CustomerID, MembershipID: m.ID, PersonID: s.record(t, who)}
	_, err := s.Plans.AddPerson(t.Context(), s.Owner, in)
	must(t, 0, err)
	return in
}

// A plan of a family pays for the bookings of all of its people, from one balance. A booking is that of the person who
// made it; its cancellation returns the credit.
func TestFamily(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben, eve := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Eve")
	s.named(t, map[string]tenancy.Scope{"Ada": ada, "Ben": ben})
	m := s.bought(t, ada, s.published(t, family(4, 1)))
	in := s.shares(t, m, ben)

	got := s.booked(t, ben, s.class(t, 2200))
	expect(t, "price", got.Totals.TotalAmount, 0)
	expect(t, "whose booking", apptest.Value[uuid.UUID](t, s.w, "select customer_id from bookings where id = $1",
		got.Lines[0].BookingID), in.PersonID)
	s.booked(t, ada, s.class(t, 2200))
	expect(t, "left", s.mine(t, ada)[0].Grants[0].Balance, 2)
	must(t, 0, s.cancel(t, got.Lines[0].BookingID))
	expect(t, "returned", s.mine(t, ada)[0].Grants[0].Balance, 3)

	theirs := s.mine(t, ben)
	expect(t, "plans of the other person", len(theirs), 1)
	x := theirs[0]
	expect(t, "shared", x.Shared, true)
	expect(t, "by", x.Holder, "Ada")
	expect(t, "left of it", x.Grants[0].Balance, 3)
	expect(t, "order", x.OrderID == nil && x.PriceAmount == 0 && x.Grants[0].UnusedAmount == 0 && len(x.People) == 0, true)
	expect(t, "people of the buyer's plan", s.mine(t, ada)[0].People[0].Name, "Ben")
	_, err := s.Plans.MyTransactions(t.Context(), ben.Principal, m.ID, paging.In[paging.Moment]{Limit: 50})
	unknown(t, "history of a shared plan", err)
	page, err := s.Plans.MyTransactions(t.Context(), ada.Principal, m.ID, paging.In[paging.Moment]{Limit: 50})
	must(t, 0, err)
	var who []string
	for _, c := range page.Items {
		if c.BookingID != nil {
			who = append(who, c.Kind+" "+c.BookedFor)
		}
	}
	expect(t, "history", fmt.Sprint(who), "[returned Ben used  used Ben]")

	b, customer := s.bookedAtDesk(t, s.class(t, 2200)) // of somebody else
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, CustomerID: customer, Tenders: owed.Pays(owed.PlanCredit)})
	expect(t, "at the desk, of somebody else", why(err), string(owed.WhyNoPlan))
	at, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		OccurrenceID: s.class(t, 2200).ID, Customer: booking.CustomerRef{CustomerID: in.PersonID}})
	must(t, 0, err)
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{at.Booking.ID}, CustomerID: in.PersonID, Tenders: owed.Pays(owed.PlanCredit)})
	must(t, 0, err)
	expect(t, "paid at the desk", s.mine(t, ben)[0].Grants[0].Balance, 2)
	expect(t, "nothing of it", len(s.mine(t, eve)), 0)
	s.check(t)
}

// Who can be on a plan: as many as it was sold for, each once, and not its buyer. A customer of another business is not
// found.
func TestPeopleOfPlan(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben, eve := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Eve")
	m := s.bought(t, ada, s.published(t, family(4, 1)))
	in := s.shares(t, m, ben)
	again, err := s.Plans.AddPerson(t.Context(), s.Owner, in)
	must(t, 0, err)
	expect(t, "people", len(again.People), 1)

	other := in
	other.PersonID = s.record(t, eve)
	_, err = s.Plans.AddPerson(t.Context(), s.Owner, other)
	refused(t, "one more", err, plan.ErrPeople)
	_, err = s.Plans.RemovePerson(t.Context(), s.Owner, other)
	unknown(t, "who was never on it", err)
	other.PersonID = m.CustomerID
	_, err = s.Plans.AddPerson(t.Context(), s.Owner, other)
	expect(t, "the buyer", fault.IsKind(err, fault.Validation), true)

	far := s.Beside(t)
	foreign, err := far.Services.CRM.Create(t.Context(), far.Owner, crm.CreateInput{Name: "Far", Email: "far@example.com"})
	must(t, 0, err)
	other.PersonID = foreign.ID
	_, err = s.Plans.AddPerson(t.Context(), s.Owner, other)
	unknown(t, "a customer of another business", err)
	_, err = far.Services.Plans.AddPerson(t.Context(), far.Owner, plan.PersonInput{
		CustomerID: foreign.ID, MembershipID: m.ID, PersonID: foreign.ID})
	unknown(t, "a plan of another business", err)
	_, err = s.Plans.Transfer(t.Context(), s.Owner, plan.TransferInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, Version: again.Version, ToID: foreign.ID})
	unknown(t, "a transfer to another business", err)

	for range 2 { // the second one changes nothing
		m, err = s.Plans.RemoveMyPerson(t.Context(), ada.Principal, in)
		must(t, 0, err)
		expect(t, "people", len(m.People), 0)
	}
	_, err = s.Plans.RemoveMyPerson(t.Context(), ben.Principal, in)
	unknown(t, "the plan of another person", err)
	none := s.bought(t, eve, s.published(t, pack(1, 1000)))
	_, err = s.Plans.AddPerson(t.Context(), s.Owner, plan.PersonInput{
		CustomerID: none.CustomerID, MembershipID: none.ID, PersonID: in.PersonID})
	refused(t, "a plan for one", err, plan.ErrPeople)
	s.check(t)
}

// A person who is removed keeps their bookings, and pays for the next one: also in a cart that the plan was to pay.
func TestRemovedPerson(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	m := s.bought(t, ada, s.published(t, family(4, 1)))
	in := s.shares(t, m, ben)
	kept := s.booked(t, ben, s.class(t, 2200))
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ben, token)
	expect(t, "to pay", s.total(t, ben, token), 0)
	_, err := s.Plans.RemovePerson(t.Context(), s.Owner, in)
	must(t, 0, err)
	expect(t, "to pay then", s.total(t, ben, token), 2200)
	_, err = s.Checkout.Confirm(t.Context(), ben, token)
	refused(t, "to book", err, checkout.ErrPaymentRequired)
	c, err := s.Checkout.Cart(t.Context(), ben, token)
	must(t, 0, err)
	choice := checkout.PlanChoice{GrantID: m.Grants[0].ID}
	_, err = s.Checkout.ChoosePlan(t.Context(), ben, token, c.Lines[0].ItemID, choice)
	refused(t, "to choose it", err, plan.ErrNotPaid)
	expect(t, "the booking", apptest.Value[string](t, s.w, "select state from bookings where id = $1",
		kept.Lines[0].BookingID), "confirmed")
	expect(t, "left", s.mine(t, ada)[0].Grants[0].Balance, 3)
	must(t, 0, s.cancel(t, kept.Lines[0].BookingID))
	expect(t, "returned", s.mine(t, ada)[0].Grants[0].Balance, 4)
	expect(t, "plans of the other person", len(s.mine(t, ben)), 0)
	s.check(t)
}

// Limits are those of all people together: of bookings a day, and at once.
func TestFamilyLimits(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	day := family(9, 1)
	day.Benefits[0].DayMax = 1
	m := s.bought(t, ada, s.published(t, day))
	s.shares(t, m, ben)
	s.booked(t, ada, s.class(t, 2200))
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ben, token)
	expect(t, "the second on a day", s.total(t, ben, token), 2200)
	options, err := s.Checkout.CompatiblePlans(t.Context(), ben, token)
	must(t, 0, err)
	expect(t, "why", options[0].Owned[0].Why, rules.DayFull)
	s.booked(t, ben, s.classIn(t, 2200, 96*time.Hour))
	s.check(t)
}

// A freeze stops the plan for all of its people, and its end begins it again. A discount for members is for them all.
func TestFamilyStops(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	p := s.published(t, appointments(family(4, 1)))
	s.offer(t, "", p)
	m := s.bought(t, ada, p)
	s.shares(t, m, ben)
	expect(t, "a price for members", s.price(t, ben), 1760)
	today := m.StartsOn
	m, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: today})
	must(t, 0, err)
	expect(t, "a price for others", s.price(t, ben), 2200)
	expect(t, "freezes that are shown", len(s.mine(t, ben)[0].Freezes), 1)
	_, err = s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: s.record(t, ben), MembershipID: m.ID, StartsOn: today})
	unknown(t, "a freeze by another person", err)
	_, err = s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "a price for members again", s.price(t, ben), 1760)
	s.check(t)
}

// A change to a plan for fewer people removes the latest.
func TestFewerPeople(t *testing.T) {
	t.Parallel()
	s := open(t)
	small := monthly(0, 9000)
	small.PeopleMax = 1
	less := s.published(t, small)
	big := monthly(0, 6000)
	big.PeopleMax, big.Name = 2, "Big"
	ada, ben, eve := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Eve")
	m := s.joined(t, ada, s.published(t, big), apptest.CardGood)
	first := s.shares(t, m, ben)
	s.w.Clock.Advance(time.Minute)
	s.shares(t, m, eve)
	_, err := s.Owed.ChangePlan(t.Context(), s.Owner, plan.ChangeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: less.ID})
	must(t, 0, err)
	s.jobs(t)
	m = s.mine(t, ada)[0]
	expect(t, "changed", m.PlanID, less.ID)
	expect(t, "people", len(m.People), 1)
	expect(t, "who", m.People[0].CustomerID, first.PersonID)
	expect(t, "plans of the other one", len(s.mine(t, eve)), 0)
	s.check(t)
}

// A74. People of a family want the last credits of their plan at once: as many are booked as it can pay for, and the
// others have to pay the price.
func TestA74_LastCreditOfFamily(t *testing.T) {
	s := open(t)
	people := []tenancy.Scope{s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Cem")}
	plans := []plan.Plan{s.published(t, family(1, 2)), s.published(t, family(2, 2))}
	rounds := walks.Steps(4, 50)
	if !apptest.Guarded {
		rounds = 1 // of a plan of one credit
	}
	for round := range rounds {
		can := 1 + round%2
		m := s.latest(t, people[0], plans[round%2])
		var acts []func() error
		for i, who := range people {
			if i > 0 {
				s.shares(t, m, who)
			}
			token := s.Fill(t, s.class(t, 2200))
			s.hold(t, who, token)
			acts = append(acts, func() error {
				_, err := s.Checkout.Confirm(t.Context(), who, token)
				if err != nil {
					return errors.Join(err, s.Checkout.Release(t.Context(), who, token))
				}
				return nil
			})
		}
		got := 0
		s.w.Jam(t, 2, func() { got = apptest.AtOnce(t, []*fault.Error{checkout.ErrPaymentRequired}, acts...) },
			"memberships", "id = $1", m.ID)
		if apptest.Guarded && got != can {
			t.Errorf("%d carts were booked with %d credits", got, can)
		}
		if !apptest.Guarded && got <= can {
			t.Errorf("without the guard %d credits paid for %d carts: this race proves nothing", can, got)
		}
	}
	if apptest.Guarded {
		s.check(t)
	}
}

// People are added at once, and one of them is removed while they book: as many are on the plan as it is for, and a
// person who is not on it pays nothing with it.
func TestPeopleAtOnce(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.bought(t, ada, s.published(t, family(9, 2)))
	var acts []func() error
	for _, name := range []string{"Ben", "Cem", "Dan"} {
		in := plan.PersonInput{CustomerID: m.CustomerID, MembershipID: m.ID, PersonID: s.record(t, s.Customer(t, name))}
		add := func() error { _, err := s.Plans.AddPerson(t.Context(), s.Owner, in); return err }
		acts = append(acts, add, add)
	}
	s.w.Warm(t)
	apptest.AtOnce(t, []*fault.Error{plan.ErrPeople}, acts...)
	expect(t, "people", len(s.mine(t, ada)[0].People), 2)

	eve := s.Customer(t, "Eve")
	for round := range walks.Steps(4, 20) {
		p := s.latest(t, ada, s.published(t, family(1, 1)))
		in := s.shares(t, p, eve)
		token := s.Fill(t, s.class(t, 2200))
		s.hold(t, eve, token)
		apptest.AtOnce(t, []*fault.Error{checkout.ErrPaymentRequired},
			func() error { _, err := s.Checkout.Confirm(t.Context(), eve, token); return err },
			func() error { _, err := s.Plans.RemovePerson(t.Context(), s.Owner, in); return err },
		)
		_, err := s.Checkout.Confirm(t.Context(), eve, token) // again: it is booked, or is to be paid
		if err != nil {
			refused(t, fmt.Sprint("round ", round), err, checkout.ErrPaymentRequired)
			must(t, 0, s.Checkout.Release(t.Context(), eve, token))
		}
		left := apptest.Value[int](t, s.w, "select sum(balance)::int from grants where membership_id = $1", p.ID)
		expect(t, "left", left == 1, err != nil)
	}
	s.check(t)
}

// The check of people finds each tampering.
func TestCheckPeople(t *testing.T) {
	t.Parallel()
	s := open(t)
	m := s.bought(t, s.Customer(t, "Ada"), s.published(t, family(4, 1)))
	s.shares(t, m, s.Customer(t, "Ben"))
	s.check(t)
	s.w.Finds(t, s.Business.ID, "memberships membership_people", []apptest.Tampering{
		{
			Check: "plan_people", Record: "memberships",
			SQL:      `update memberships set sold = sold || '{"peopleMax": 0}'`,
			Expected: "at most 0 other people", Found: "1",
		},
		{
			Check: "plan_people", Record: "membership_people",
			SQL: `update membership_people s set customer_id = m.customer_id from memberships m
				where m.id = s.membership_id`,
			Expected: "another customer", Found: "the one who has the plan",
		},
	})
}
