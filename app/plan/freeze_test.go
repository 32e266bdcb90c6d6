package plan_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// day is a day of the year of the tests.
func day(month time.Month, day int) civil.Date { return civil.NewDate(2026, month, day) }

// freezable lets customers freeze a plan.
func freezable(f rules.Freeze) func(*plan.CreateInput) {
	f.Allowed = true
	return func(in *plan.CreateInput) { in.Freeze = f }
}

// froze freezes a plan of the signed-in customer, until a day; zero: without an end.
func (s studio) froze(
	t testing.TB, who tenancy.Scope, m plan.Membership, from, until civil.Date,
) (plan.Membership, error) {
	t.Helper()
	in := plan.FreezeInput{MembershipID: m.ID, StartsOn: from}
	if !until.IsZero() {
		in.EndsOn = &until
	}
	return s.Plans.FreezeMine(t.Context(), who.Principal, in)
}

// A97. A frozen membership pays for nothing and costs nothing: the days of its period, its next charge and its credits
// move by as many days, and nothing of it is lost.
func TestFreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, freezable(rules.Freeze{MinDays: 7, MaxDays: 62}))),
		apptest.CardGood)
	in, after := s.classIn(t, 2200, 15*24*time.Hour), s.classIn(t, 2200, 32*24*time.Hour)
	until := day(7, 4)
	freeze := plan.FreezeInput{MembershipID: m.ID, StartsOn: day(6, 20), EndsOn: &until}
	_, f, err := s.Plans.FreezingMine(t.Context(), ada.Principal, freeze)
	must(t, 0, err)
	expect(t, "the next charge", f.RenewsOn.String(), "2026-07-24")
	shown := f.RenewsOn.AddDays(1)
	freeze.RenewsOn = &shown
	_, err = s.Plans.FreezeMine(t.Context(), ada.Principal, freeze)
	refused(t, "another charge than was shown", err, fault.ErrStale)

	inside := s.booked(t, ada, in)
	_, err = s.froze(t, ada, m, day(6, 20), until)
	refused(t, "a freeze over a booking", err, plan.ErrFreezeBooked)
	_, err = s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: inside.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	m, err = s.froze(t, ada, m, day(6, 20), until)
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-24 to 2026-08-24")

	token := s.Fill(t, in)
	s.hold(t, ada, token)
	cart, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "a class in the freeze costs", cart.Totals.TotalAmount, int64(2200))
	expect(t, "a class after it costs", s.booked(t, ada, after).Totals.TotalAmount, int64(0))
	s.goes(t, 43) // 23 July
	expect(t, "charges", s.charges(t), "6000 succeeded")
	expect(t, "credits", s.mine(t, ada)[0].Grants[0].Balance, 1)
	s.goes(t, 2)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	expect(t, "next", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-08-24")
	expect(t, "mails", strings.Join(s.mails(ada), ", "), "booked, cancelled, plan frozen, booked, fee charged")
	s.check(t)
}

// The reasons that a customer cannot freeze, of the rules and of the membership. The studio is bound by few.
func TestFreezeRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000,
		freezable(rules.Freeze{MinDays: 7, MaxDays: 30, NoticeDays: 3, Apart: 20}))), apptest.CardGood)
	for name, c := range map[string]struct {
		from, until civil.Date
		want        rules.WhyNot
	}{
		"yesterday":     {day(6, 9), day(6, 20), rules.FreezeInPast},
		"short":         {day(6, 20), day(6, 26), rules.FreezeTooShort},
		"long":          {day(6, 20), day(7, 21), rules.FreezeTooLong},
		"without end":   {day(6, 20), civil.Date{}, rules.FreezeTooLong},
		"short notice":  {day(6, 12), day(6, 20), rules.FreezeTooLate},
		"far":           {day(8, 10), day(8, 20), rules.FreezeTooFar},
		"the first one": {day(6, 15), day(6, 22), ""},
		"over it":       {day(6, 21), day(6, 30), rules.FreezeOverlaps},
		"soon after it": {day(7, 1), day(7, 10), rules.FreezeTooClose},
	} {
		if c.want != "" && c.want != rules.FreezeOverlaps && c.want != rules.FreezeTooClose {
			_, err := s.froze(t, ada, m, c.from, c.until)
			expect(t, name, why(err), string(c.want))
		}
	}
	must(t, 0, second(s.froze(t, ada, m, day(6, 15), day(6, 22))))
	expect(t, "over it", why(second(s.froze(t, ada, m, day(6, 21), day(6, 30)))), string(rules.FreezeOverlaps))
	expect(t, "soon after it", why(second(s.froze(t, ada, m, day(7, 1), day(7, 10)))), string(rules.FreezeTooClose))

	bob := s.Customer(t, "Bob")
	never := s.joined(t, bob, s.published(t, monthly(2, 6000)), apptest.CardGood)
	expect(t, "not offered", why(second(s.froze(t, bob, never, day(6, 20), day(6, 27)))), string(rules.FreezeNotOffered))
	in := plan.FreezeInput{CustomerID: never.CustomerID, MembershipID: never.ID, StartsOn: day(6, 20)}
	_, err := s.Plans.Freeze(t.Context(), s.Owner, in)
	must(t, 0, err)
	in.MembershipID = m.ID
	_, err = s.Plans.Freeze(t.Context(), s.Owner, in)
	expect(t, "another one's", fault.IsKind(err, fault.NotFound), true)
	s.check(t)
}

func second[A any](_ A, err error) error { return err }

// A freeze without an end withholds the charge until it is ended; a freeze that is ended early moves back what is left.
func TestUnfreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(4, 6000, freezable(rules.Freeze{MinDays: 10}))), apptest.CardGood)
	m, err := s.froze(t, ada, m, day(6, 20), civil.Date{})
	must(t, 0, err)
	expect(t, "it has moved nothing yet", m.Next.StartsOn.String(), "2026-07-10")
	s.goes(t, 11) // 21 June
	unfreeze := plan.UnfreezeInput{MembershipID: m.ID}
	expect(t, "too early", why(second(s.Plans.UnfreezeMine(t.Context(), ada.Principal, unfreeze))),
		string(rules.FreezeTooShort))
	s.goes(t, 60) // 20 August
	_, err = s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	refused(t, "a cancellation", err, plan.ErrFrozen)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	m = s.mine(t, ada)[0]
	expect(t, "past due", m.Next.PastDue, false)
	expect(t, "credits", m.State, plan.Active)
	m, err = s.Plans.UnfreezeMine(t.Context(), ada.Principal, unfreeze)
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-09-09") // 20 days of the period were left
	expect(t, "credits", m.Grants[0].Balance, 4)
	_, err = s.Plans.UnfreezeMine(t.Context(), ada.Principal, unfreeze)
	refused(t, "a second end", err, plan.ErrNotFrozen)
	s.goes(t, 21)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")

	m, err = s.froze(t, ada, s.mine(t, ada)[0], day(9, 20), day(10, 20))
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-11-08")
	s.goes(t, 21) // 1 October
	m, err = s.Plans.UnfreezeMine(t.Context(), ada.Principal, unfreeze)
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-10-20")
	m, err = s.froze(t, ada, m, day(10, 20), day(11, 20))
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-11-20")
	m, err = s.Plans.UnfreezeMine(t.Context(), ada.Principal, unfreeze) // before it has begun
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-10-20")
	s.check(t)
}

// A freeze of whole periods leaves the period before it as it is. The days of a freeze earn nothing.
func TestFreezeOfWholePeriods(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 3000, freezable(rules.Freeze{WholePeriods: true}),
		func(in *plan.CreateInput) { in.Renewal.MinPeriods = 2 })), apptest.CardGood)
	expect(t, "not whole", why(second(s.froze(t, ada, m, day(6, 20), day(7, 20)))), string(rules.FreezeNotWhole))
	m, err := s.froze(t, ada, m, day(7, 10), day(8, 10))
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-08-10 to 2026-09-10")
	_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(s.Owner.Tenant), m.CustomerID, m.ID)
	must(t, 0, err)
	expect(t, "it can end", e.EndsOn.String(), "2026-09-10") // two periods are paid by then
	s.goes(t, 40)                                            // 20 July
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 3000")
	s.goes(t, 31) // 20 August
	expect(t, "charges", s.charges(t), "3000 succeeded, 3000 succeeded")
	s.check(t)

	bob := s.Customer(t, "Bob")
	p := s.bought(t, bob, s.published(t, pass(3000)))
	from := day(8, 30)
	until := from.AddDays(10)
	_, err = s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: p.CustomerID, MembershipID: p.ID, StartsOn: from, EndsOn: &until,
	})
	must(t, 0, err)
	expect(t, "last day", s.mine(t, bob)[0].LastDay().String(), "2026-09-28")
	s.pass(t, 25*24*time.Hour) // 14 September
	expect(t, "earned", s.worth(t, bob), int64(1500))
	s.pass(t, 16*24*time.Hour)
	expect(t, "earned", s.worth(t, bob), int64(0))
	s.check(t)
}

// worth is what is not earned of the plans of a customer.
func (s studio) worth(t testing.TB, who tenancy.Scope) (sum int64) {
	t.Helper()
	for _, m := range s.mine(t, who) {
		for _, g := range m.Grants {
			sum += g.UnusedAmount
		}
	}
	return sum
}

// A membership that is billed on a day of the month begins with a part of a period, at a part of the price.
func TestBillingDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.BillingDay, in.MinPeriods = 1, 2
	}))
	today := day(6, 10)
	p.Today = &today
	expect(t, "the part", p.FirstAmount(), 4200) // 21 of 30 days
	m := s.joined(t, ada, p, apptest.CardGood)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-01 to 2026-08-01")
	_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(s.Owner.Tenant), m.CustomerID, m.ID)
	must(t, 0, err)
	expect(t, "it can end", e.EndsOn.String(), "2026-09-01") // the part is no period
	s.goes(t, 22)
	expect(t, "charges", s.charges(t), "4200 succeeded, 6000 succeeded")
	expect(t, "next", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-08-01")
	s.check(t)
}

// The part of a period before a billing day is no period at the introductory price.
func TestBillingDayAndIntroPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.BillingDay, in.IntroAmount, in.IntroPeriods = 1, 3000, 1
	}))
	today := day(6, 10)
	p.Today = &today
	s.joined(t, ada, p, apptest.CardGood)
	s.goes(t, 53)
	expect(t, "charges", s.charges(t), "2100 succeeded, 3000 succeeded, 6000 succeeded")
	s.check(t)
}

// A cart whose order waits for a card reserves its credits: the plan is not frozen over its classes.
func TestFreezeBesidePayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(1, 6000, freezable(rules.Freeze{}))), apptest.CardGood)
	token := s.Fill(t, s.classIn(t, 2200, 15*24*time.Hour), s.classIn(t, 2200, 16*24*time.Hour))
	s.hold(t, ada, token)
	pay, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
	must(t, 0, err)
	refused(t, "a freeze", second(s.froze(t, ada, m, day(6, 20), day(7, 4))), plan.ErrFreezeBooked)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	must(t, 0, err)
	s.check(t)
}

// A pass that is frozen without an end does not end, and nor do the credits of a period.
func TestFrozenDoesNotEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	pass := s.bought(t, ada, s.published(t, pass(3000)))
	monthly := s.joined(t, bob, s.published(t, monthly(4, 6000)), apptest.CardGood)
	for _, m := range []plan.Membership{pass, monthly} {
		_, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 20),
		})
		must(t, 0, err)
	}
	s.goes(t, 60)
	expect(t, "the pass", s.mine(t, ada)[0].State, plan.Active)
	m, err := s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{
		CustomerID: monthly.CustomerID, MembershipID: monthly.ID,
	})
	must(t, 0, err)
	expect(t, "credits", m.Grants[0].Balance, 4)
	s.check(t)
}

// Credits that are left go on into the next period, once, with their part of the price.
func TestRollover(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(4, 6000, func(in *plan.CreateInput) { in.Benefits[0].RolloverMax = 2 })),
		apptest.CardGood)
	s.booked(t, ada, s.class(t, 2200))
	s.goes(t, 31)
	m := s.mine(t, ada)[0]
	expect(t, "grants", len(m.Grants), 2)
	expect(t, "credits", m.Grants[0].Balance+m.Grants[1].Balance, 6)
	expect(t, "books", s.books(t), "deferred.membership 9000, income.membership 3000")
	s.booked(t, ada, s.class(t, 2200)) // with a credit of the month before
	expect(t, "value", s.worth(t, ada), int64(7500))
	s.goes(t, 31)
	m = s.mine(t, ada)[0]
	expect(t, "credits", m.Grants[0].Balance+m.Grants[1].Balance, 6) // four and two of the second month
	expect(t, "books", s.books(t), "deferred.membership 9000, income.membership 9000")
	s.check(t)
}
