package plan_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// A freeze that is canceled before it begins costs no day: periods from the last day of a month are counted from that
// again. It does not matter whether the freeze had an end.
func TestCancelFreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.w.Clock.Advance(82 * 24 * time.Hour) // 31 August
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, freezable(rules.Freeze{}))), apptest.CardGood)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-09-30 to 2026-10-31")
	for _, until := range []civil.Date{{}, day(10, 10)} {
		must(t, 0, second(s.froze(t, ada, m, m.Next.StartsOn, until)))
		m2, err := s.Plans.UnfreezeMine(t.Context(), ada.Principal, plan.UnfreezeInput{MembershipID: m.ID})
		must(t, 0, err)
		expect(t, "next", m2.Next.StartsOn.String()+" to "+m2.Next.EndsOn.String(), "2026-09-30 to 2026-10-31")
	}
	s.goes(t, 31) // 1 October
	expect(t, "the one after", s.mine(t, ada)[0].Next.EndsOn.String(), "2026-11-30")
	must(t, 0, second(s.froze(t, ada, m, day(10, 5), day(10, 20))))
	_, err := s.Plans.UnfreezeMine(t.Context(), ada.Principal, plan.UnfreezeInput{MembershipID: m.ID})
	must(t, 0, err)
	s.goes(t, 31) // 1 November
	expect(t, "and later", s.mine(t, ada)[0].Next.EndsOn.String(), "2026-12-31")

	bob := s.Customer(t, "Bob")
	p := s.bought(t, bob, s.published(t, pass(3000)))
	until := p.StartsOn.AddDays(12)
	frozen, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: p.CustomerID, MembershipID: p.ID, StartsOn: p.StartsOn.AddDays(5), EndsOn: &until,
	})
	must(t, 0, err)
	expect(t, "a frozen pass", p.EndsOn.DaysUntil(*frozen.EndsOn), 7)
	back, err := s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{CustomerID: p.CustomerID, MembershipID: p.ID})
	must(t, 0, err)
	expect(t, "a pass", *back.EndsOn, *p.EndsOn)
	s.check(t)
}

// A membership that was canceled for its end is frozen as any other one: its end comes later. The period after it,
// which is not to be paid any more, stays as it was, and the data checks find nothing wrong with that.
func TestFreezeAfterCancellation(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, freezable(rules.Freeze{}))), apptest.CardGood)
	_, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	m, err = s.froze(t, ada, m, day(6, 20), day(6, 27))
	must(t, 0, err)
	expect(t, "last day", m.LastDay().String(), "2026-07-16")
	s.check(t)
	s.goes(t, 40)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	s.check(t)
}

// A membership that is canceled while its next period is to be frozen ends with the freeze, and if that is ended or
// canceled with it, on that day: not after days that nobody has paid.
func TestCancelFreezeAfterCancellation(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.published(t, monthly(0, 6000, freezable(rules.Freeze{})))
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	var plans []plan.Membership
	for _, who := range []tenancy.Scope{ada, bob} { // 10 June to 10 July, frozen until 10 August
		m := s.joined(t, who, p, apptest.CardGood)
		must(t, 0, second(s.froze(t, who, m, m.Next.StartsOn, m.Next.EndsOn)))
		m, err := s.Owed.CancelMyPlan(t.Context(), who.Principal, owed.CancelInput{MembershipID: m.ID})
		must(t, 0, err)
		expect(t, "the end", m.EndsOn.String(), "2026-08-10")
		plans = append(plans, m)
	}
	s.goes(t, 10) // 20 June
	m, err := s.Plans.UnfreezeMine(t.Context(), ada.Principal, plan.UnfreezeInput{MembershipID: plans[0].ID})
	must(t, 0, err)
	expect(t, "the end", m.EndsOn.String(), "2026-07-10")
	s.goes(t, 25) // 15 July
	m, err = s.Plans.UnfreezeMine(t.Context(), bob.Principal, plan.UnfreezeInput{MembershipID: plans[1].ID})
	must(t, 0, err)
	expect(t, "the end", m.EndsOn.String(), "2026-07-15")
	s.check(t)
}

// A pack that is valid from the first class is longer by the days of a freeze after that, whichever was first: the
// freeze or the booking. Days of a freeze before the first class cost none.
func TestFreezeFromFirstClass(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := pack(5, 5000)
	in.FromFirstUse = true
	p := s.published(t, in)
	early, late := s.classIn(t, 2200, 2*24*time.Hour), s.classIn(t, 2200, 30*24*time.Hour) // 12 June, 10 July
	type frozen struct {
		m     plan.Membership
		ended string
	}
	var all []frozen
	for _, c := range []struct {
		class  apptest.OccurrenceRow
		books  bool   // before the freeze is set
		frozen string // the end with a freeze from 20 June until 4 July
		ended  string // and if that is ended on 25 June
	}{
		{early, true, "2026-09-26", "2026-09-17"}, {early, false, "2026-09-26", "2026-09-17"},
		{late, true, "2026-10-10", "2026-10-10"}, {late, false, "2026-10-10", "2026-10-10"},
	} {
		who, until := s.Customer(t, "Ada"), day(7, 4)
		m := s.bought(t, who, p)
		if c.books {
			s.booked(t, who, c.class)
		}
		m, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 20), EndsOn: &until,
		})
		if must(t, 0, err); !c.books {
			s.booked(t, who, c.class)
			m = s.mine(t, who)[0]
		}
		expect(t, "frozen until", m.EndsOn.String(), c.frozen)
		all = append(all, frozen{m, c.ended})
	}
	s.goes(t, 15) // 25 June
	for _, f := range all {
		m, err := s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{
			CustomerID: f.m.CustomerID, MembershipID: f.m.ID,
		})
		must(t, 0, err)
		expect(t, "ended early", m.EndsOn.String(), f.ended)
	}
	s.check(t)
}

// The days of a freeze cost nothing, also when the plan changes in the period that they made longer: the price of the
// better plan is for the days that are left, of those that the period has without them.
func TestUpgradeAfterFreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	tiers := s.tiers(t, [3]int{4, 8, 12}, [3]int64{3000, 6000, 9000})
	m := s.joined(t, ada, tiers[0], apptest.CardGood) // 10 June to 10 July: 30 days
	until := day(6, 29)
	_, err := s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 15), EndsOn: &until,
	})
	must(t, 0, err)
	s.goes(t, 24) // 4 July: 10 days are used, 14 were frozen, and 20 are left
	s.changed(t, ada, tiers[1])
	expect(t, "charges", s.charges(t), "3000 succeeded, 2000 succeeded")
	expect(t, "credits", s.mine(t, ada)[0].Grants[0].Balance, 7) // 10 days of 4 and 20 of 8
	s.check(t)
}
