package plan_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// tiers are three memberships between which a customer can change.
func (s studio) tiers(t testing.TB, classes [3]int, prices [3]int64) (out [3]plan.Plan) {
	t.Helper()
	var ids []uuid.UUID
	for i := range out {
		out[i] = s.published(t, monthly(classes[i], prices[i], func(in *plan.CreateInput) {
			in.Name = []string{"Basic", "Plus", "Premium"}[i]
		}))
		ids = append(ids, out[i].ID)
	}
	for i := range out {
		others := []uuid.UUID{}
		for j, id := range ids {
			if j != i {
				others = append(others, id)
			}
		}
		var err error
		out[i], err = s.Plans.Update(t.Context(), s.Owner,
			plan.UpdateInput{ID: out[i].ID, Version: out[i].Version, ChangeIDs: &others})
		must(t, 0, err)
	}
	return out
}

// changes changes a membership of the signed-in customer, with consent to the new price.
func (s studio) changed(t testing.TB, who tenancy.Scope, to plan.Plan) plan.Membership {
	t.Helper()
	m, err := s.Owed.ChangeMyPlan(t.Context(), who.Principal, plan.ChangeInput{
		MembershipID: s.mine(t, who)[0].ID, PlanID: to.ID, Consent: agreed,
	})
	must(t, 0, err)
	s.jobs(t)
	return m
}

// A97. A better plan begins at once, for the part of its price that is left of the period, less what is not used of the
// present one: the golden case of two changes in one period, in which a customer pays for each day once.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 12}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], apptest.CardGood) // 10 June to 10 July: 30 days
	s.booked(t, ada, s.class(t, 2200))
	s.booked(t, ada, s.class(t, 2200))
	s.booked(t, ada, s.classIn(t, 2200, 32*24*time.Hour)) // with a credit of the next period
	s.goes(t, 10)
	shown := int64(1999)
	in := plan.ChangeInput{MembershipID: s.mine(t, ada)[0].ID, PlanID: tiers[1].ID, Amount: &shown}
	_, err := s.Owed.ChangeMyPlan(t.Context(), ada.Principal, in)
	refused(t, "another amount than was shown", err, fault.ErrStale)
	s.changed(t, ada, tiers[1])
	expect(t, "charges", s.charges(t), "3000 succeeded, 2000 succeeded")
	m := s.mine(t, ada)[0]
	expect(t, "plan", m.Name, "Plus")
	expect(t, "credits", m.Grants[0].Balance, 5) // seven for 10 days of 4 and 20 of 8, less two
	expect(t, "agreed", m.ConsentedAt != nil, true)
	s.goes(t, 10)
	s.changed(t, ada, tiers[2])
	expect(t, "charges", s.charges(t), "3000 succeeded, 2000 succeeded, 1000 succeeded")
	late := s.booked(t, ada, s.class(t, 2200))
	back, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: late.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	expect(t, "credits back", back.Done.PlanCredits, 1)
	s.goes(t, 11) // 11 July
	expect(t, "charges", s.charges(t), "3000 succeeded, 2000 succeeded, 1000 succeeded, 9000 succeeded")
	m = s.mine(t, ada)[0]
	expect(t, "credits", m.Grants[0].Balance, 11) // one was booked ahead
	expect(t, "books", s.books(t), "deferred.membership 9000, income.membership 6000")
	s.check(t)
}

// A lesser plan begins with the next period, and can be withdrawn until then. What was booked ahead counts, and stays.
func TestDowngrade(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{1, 8, 0}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[2], apptest.CardGood)
	ahead := s.classIn(t, 2200, 32*24*time.Hour)
	s.booked(t, ada, ahead)
	s.booked(t, ada, s.classIn(t, 2200, 33*24*time.Hour))
	m := s.changed(t, ada, tiers[0])
	expect(t, "plan", m.Name+" to "+m.Change.Name+" on "+m.Change.On.String(), "Premium to Basic on 2026-07-10")
	_, err := s.Owed.WithdrawMyChange(t.Context(), ada.Principal, m.ID)
	must(t, 0, err)
	_, err = s.Owed.WithdrawMyChange(t.Context(), ada.Principal, m.ID)
	refused(t, "a second withdrawal", err, plan.ErrNoChange)
	s.changed(t, ada, tiers[1])
	s.changed(t, ada, tiers[0]) // in place of the other one
	s.goes(t, 24)
	coming := s.renewals(t, s.Owner, uuid.Nil).Sums[0]
	expect(t, "the renewal in a week", coming, plan.RenewalSum{Currency: "USD", Coming: 1, ComingAmount: 3000})
	s.goes(t, 7)
	expect(t, "charges", s.charges(t), "9000 succeeded, 3000 succeeded")
	m = s.mine(t, ada)[0]
	expect(t, "plan", m.Name, "Basic")
	expect(t, "credits", m.Grants[0].Balance, 0) // two were booked
	expect(t, "agreed", m.ConsentedAt != nil, true)
	s.goes(t, 5)
	expect(t, "bookings", s.paidBy(t, "Basic"), 2)
	s.goes(t, 30)
	expect(t, "credits", s.mine(t, ada)[0].Grants[0].Balance, 1)
	s.check(t)
}

// paidBy counts the bookings that memberships of a name pay for.
func (s studio) paidBy(t testing.TB, name string) int {
	t.Helper()
	return apptest.Values[int](t, s.w, `select count(*)::int from redemptions d join grants g on g.id = d.grant_id
		join memberships m on m.id = g.membership_id join bookings k on k.id = d.booking_id
		where d.kind = 'used' and m.name = '`+name+`' and k.state in ('confirmed', 'completed', 'no_show')`)[0]
}

// A change that is not paid changes nothing: the next period is that of the present plan, and a late payment is
// refunded. The desk can take it.
func TestUpgradeUnpaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	tiers := s.tiers(t, [3]int{4, 8, 0}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], cardDeclinesSaved)
	s.changed(t, ada, tiers[2])
	m := s.mine(t, ada)[0]
	expect(t, "plan", m.Name, "Basic")
	expect(t, "the change", m.Change.Due && m.Change.Failed != "", true)
	s.goes(t, 31)
	expect(t, "periods", s.periods(t), "1 paid 3000, 2 due 3000")
	expect(t, "change", s.mine(t, ada)[0].Change == nil, true)

	s.joined(t, bob, tiers[0], apptest.CardGood)
	m = s.mine(t, bob)[0]
	m, err := s.Owed.ChangePlan(t.Context(), s.Owner, plan.ChangeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: tiers[2].ID,
	})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "charged with the card that pays renewals", s.mine(t, bob)[0].Name, "Premium")
	expect(t, "agreed to the higher price", s.mine(t, bob)[0].ConsentedAt == nil, true)
	s.check(t)
}

// A change whose period is over is not sold any more, also before the sweep has met it: a payment that was begun in
// time and ends too late is refunded.
func TestUpgradePaidTooLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 0}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], cardDeclinesSaved)
	s.changed(t, ada, tiers[2])
	token := s.Orders.ReceiptToken(*s.mine(t, ada)[0].Change.OrderID)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), token)
	must(t, 0, err)
	s.pass(t, 30*24*time.Hour) // 10 July: the next period begins, and no sweep has run
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), token)
	refused(t, "a payment that begins now", err, checkout.ErrNothingToPay)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	m := s.mine(t, ada)[0]
	expect(t, "plan", m.Name, "Basic")
	expect(t, "refunded", apptest.Values[string](t, s.w, `select p.outcome from payments p
		join orders o on o.id = p.order_id where o.cart_id is null`)[0], "refunded")
	s.renews(t)
	s.check(t)
}

// The price of a better plan is earned by the days from the change on, with what was not used of the plan before.
func TestEarnedAfterUpgrade(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{0, 0, 0}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], apptest.CardGood) // for 30 days
	s.goes(t, 10)
	expect(t, "before", s.books(t), "deferred.membership 2000, income.membership 1000")
	s.changed(t, ada, tiers[1])
	s.goes(t, 1)
	expect(t, "a day later", s.books(t), "deferred.membership 3800, income.membership 1200")
	s.goes(t, 18)
	expect(t, "on the last day", s.books(t), "deferred.membership 200, income.membership 4800")
	s.check(t)
}

// What was refunded of a period is not paid for it, and so not deducted from a better plan.
func TestUpgradeAfterRefund(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{0, 0, 0}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], apptest.CardGood)
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
	_, err := s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, 1500))
	must(t, 0, err)
	s.jobs(t)
	s.goes(t, 10)
	s.changed(t, ada, tiers[1])
	expect(t, "charges", s.charges(t), "3000 succeeded, 3500 succeeded") // 4000, less 1500 of which 1000 are used
	s.check(t)
}

// A membership that is canceled does not change any more, also while it goes on.
func TestCancelChanging(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	basic := s.published(t, monthly(0, 3000, func(in *plan.CreateInput) { in.Name = "Basic" }))
	s.joined(t, ada, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.ChangeIDs, in.NoticeDays = []uuid.UUID{basic.ID}, 40
	})), apptest.CardGood)
	m := s.changed(t, ada, basic)
	m, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "last day", m.LastDay().String(), "2026-08-09")
	expect(t, "the change", m.Change == nil, true)
	s.goes(t, 31)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	s.check(t)
}

// Without a card the change is paid at the desk.
func TestUpgradeAtDesk(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 0}, [3]int64{3000, 6000, 9000})
	customer := s.bought(t, ada, s.published(t, pack(1, 0))).CustomerID
	s.pass(t, time.Minute)
	m := s.sold(t, customer, tiers[0])
	m, err := s.Owed.ChangePlan(t.Context(), s.Owner, plan.ChangeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: tiers[2].ID,
	})
	must(t, 0, err)
	expect(t, "amount", m.Change.Amount, 6000)
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		PeriodID: m.Change.ID, Tenders: owed.Pays(tender.Cash),
	})
	must(t, 0, err)
	m = s.mine(t, ada)[0]
	expect(t, "plan", m.Name, "Premium")
	expect(t, "next", m.Next.Amount, 9000)
	s.booked(t, ada, s.class(t, 2200))
	s.goes(t, 5)
	s.check(t)
}

// A change in the part of a period before the billing day deducts what is not used of that part.
func TestUpgradeBeforeBillingDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 0}, [3]int64{3000, 6000, 9000})
	p := s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.BillingDay, in.ChangeIDs = 1, []uuid.UUID{tiers[0].ID, tiers[2].ID}
	}))
	p.Today = new(day(6, 10))
	m := s.joined(t, ada, p, apptest.CardGood) // 4200 for 21 of 30 days
	_, c, err := s.Plans.ChangingMine(t.Context(), ada.Principal, plan.ChangeInput{
		MembershipID: m.ID, PlanID: tiers[0].ID,
	})
	must(t, 0, err)
	expect(t, "a lower price begins on", c.On.String(), "2026-07-01")
	s.goes(t, 7) // 14 days of June remain
	s.changed(t, ada, tiers[2])
	expect(t, "charges", s.charges(t), "4200 succeeded, 1400 succeeded")
	s.check(t)
}

// The reasons that a change is refused.
func TestChangeRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 0}, [3]int64{3000, 6000, 9000})
	m := s.joined(t, ada, s.published(t, monthly(0, 8000, func(in *plan.CreateInput) {
		in.ChangeIDs, in.DowngradePeriods = []uuid.UUID{tiers[0].ID}, 2
		in.Freeze = rules.Freeze{Allowed: true}
	})), apptest.CardGood)
	refuses := func(what string, to uuid.UUID, want plan.ChangeRefusal) {
		t.Helper()
		_, err := s.Owed.ChangeMyPlan(t.Context(), ada.Principal, plan.ChangeInput{MembershipID: m.ID, PlanID: to})
		expect(t, what, plan.ChangeRefusal(why(err)), want)
	}
	refuses("the same", m.PlanID, plan.ChangeSame)
	refuses("not offered", tiers[2].ID, plan.ChangeNotOffered)
	refuses("too early", tiers[0].ID, plan.ChangeTooEarly)
	refuses("no membership", s.published(t, pack(5, 9000)).ID, plan.ChangeNotSold)
	_, err := s.Owed.ChangeMyPlan(t.Context(), ada.Principal, plan.ChangeInput{MembershipID: m.ID, PlanID: uuid.New()})
	expect(t, "unknown", fault.IsKind(err, fault.NotFound), true)
	must(t, 0, second(s.froze(t, ada, m, day(6, 20), day(6, 27))))
	refuses("frozen", tiers[2].ID, plan.ChangeNotOffered)
	_, err = s.Owed.ChangePlan(t.Context(), s.Owner, plan.ChangeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: tiers[2].ID,
	})
	expect(t, "frozen", plan.ChangeRefusal(why(err)), plan.ChangeFrozen)
	s.check(t)
}

// A plan with periods of another length begins with the next period, which has that length.
func TestChangeOfLength(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	yearly := s.published(t, monthly(0, 60000, func(in *plan.CreateInput) {
		in.Name, in.Validity.Unit = "Yearly", rules.Year
	}))
	s.joined(t, ada, s.published(t, monthly(4, 6000, func(in *plan.CreateInput) {
		in.ChangeIDs = []uuid.UUID{yearly.ID}
	})), apptest.CardGood)
	m := s.changed(t, ada, yearly)
	expect(t, "on", m.Change.On.String(), "2026-07-10")
	s.goes(t, 31)
	m = s.mine(t, ada)[0]
	expect(t, "charges", s.charges(t), "6000 succeeded, 60000 succeeded")
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2027-07-10 to 2028-07-10")
	s.check(t)
}
