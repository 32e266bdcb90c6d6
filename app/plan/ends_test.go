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

// on are terms of a membership that is billed on the first of the month.
func onFirst(terms plan.Terms, least int) func(*plan.CreateInput) {
	return func(in *plan.CreateInput) {
		in.Renewal = plan.Renewal{BillingDay: 1, MinPeriods: least, Terms: terms}
	}
}

// until lets days go by until a day, with the sweeps of each.
func (s studio) until(t testing.TB, day civil.Date) {
	t.Helper()
	for civil.LocalDate(s.w.Clock.Now(), civil.ZoneOrUTC(s.Location.Zone)).Before(day) {
		s.goes(t, 1)
	}
}

// today has a plan as it is on sale today, so that its first part of a month has a price.
func (s studio) today(p plan.Plan) plan.Plan {
	day := civil.LocalDate(s.w.Clock.Now(), civil.ZoneOrUTC(s.Location.Zone))
	p.Today = &day
	return p
}

func (s studio) ending(t testing.TB, m plan.Membership) plan.Ending {
	t.Helper()
	_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(m.BusinessID), m.CustomerID, m.ID)
	return must(t, e, err)
}

func (s studio) canceled(t testing.TB, who tenancy.Scope, m plan.Membership) plan.Membership {
	t.Helper()
	m, err := s.Owed.CancelMyPlan(t.Context(), who.Principal, owed.CancelInput{MembershipID: m.ID})
	return must(t, m, err)
}

// Six months at least, and notice of a month to the end of a quarter.
func TestEndsWithQuarter(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.today(s.published(t, monthly(0, 6000, onFirst(plan.Terms{
		NoticeMonths: 1, EndsQuarter: true,
	}, 6)))), apptest.CardGood) // on 10 June, so the six months are those from July to December
	expect(t, "end", s.ending(t, m), plan.Ending{EndsOn: civil.NewDate(2027, 1, 1), Periods: 6, Amount: 36000})
	s.until(t, civil.NewDate(2026, 11, 30))
	expect(t, "in time", s.ending(t, m).EndsOn, civil.NewDate(2027, 1, 1))
	s.until(t, civil.NewDate(2026, 12, 2))
	expect(t, "a day late", s.ending(t, m), plan.Ending{EndsOn: civil.NewDate(2027, 4, 1), Periods: 3, Amount: 18000})
	m = s.canceled(t, ada, m)
	expect(t, "last day", m.LastDay().String(), "2027-03-31")
	s.until(t, civil.NewDate(2027, 4, 2))
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "paid", apptest.Value[int](t, s.w, "select count(*)::int from cycles where state = 'paid'"), 10)
	s.check(t)
}

// Until the 25th for the next month, and not before three whole months.
func TestEndsWithNoticeBy(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.today(s.published(t, monthly(0, 6000, onFirst(plan.Terms{NoticeBy: 25}, 3)))),
		apptest.CardGood)
	expect(t, "the least", s.ending(t, m).EndsOn, civil.NewDate(2026, 10, 1))
	s.until(t, civil.NewDate(2026, 10, 25))
	expect(t, "on the 25th", s.ending(t, m), plan.Ending{EndsOn: civil.NewDate(2026, 11, 1)})
	s.until(t, civil.NewDate(2026, 10, 26))
	expect(t, "on the 26th", s.ending(t, m), plan.Ending{EndsOn: civil.NewDate(2026, 12, 1), Periods: 1, Amount: 6000})
	s.check(t)
}

// A year that renews for a year unless it is canceled three months before. A freeze postpones the year and the notice.
func TestTermRenews(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.Renewal = plan.Renewal{MinPeriods: 12, Terms: plan.Terms{NoticeMonths: 3, TermRenews: true}}
		in.Freeze = rules.Freeze{Allowed: true}
	})), apptest.CardGood)
	expect(t, "the first year", s.ending(t, m).EndsOn, civil.NewDate(2027, 6, 10))
	end := civil.NewDate(2026, 8, 19)
	_, err := s.Plans.FreezeMine(t.Context(), ada.Principal, plan.FreezeInput{
		MembershipID: m.ID, StartsOn: civil.NewDate(2026, 7, 20), EndsOn: &end, // thirty days
	})
	must(t, 0, err)
	expect(t, "with a freeze", s.ending(t, s.mine(t, ada)[0]).EndsOn, civil.NewDate(2027, 7, 9))
	s.until(t, civil.NewDate(2027, 4, 9))
	expect(t, "in time", s.ending(t, s.mine(t, ada)[0]).EndsOn, civil.NewDate(2027, 7, 9))
	s.until(t, civil.NewDate(2027, 4, 10))
	e := s.ending(t, s.mine(t, ada)[0])
	expect(t, "a day late", e, plan.Ending{EndsOn: civil.NewDate(2028, 7, 9), Periods: 14, Amount: 84000})
	s.check(t)
}

// The same year in Germany: after it, a customer ends the membership on any day with a month of notice. The last period
// is a part of a whole one; what is paid stays.
func TestEndsByLaw(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetCountry(t, "DE")
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.Renewal = plan.Renewal{MinPeriods: 2, Terms: plan.Terms{NoticeMonths: 3, TermRenews: true}}
		in.Freeze = rules.Freeze{Allowed: true}
	})), apptest.CardGood)
	expect(t, "the first term", s.ending(t, m).EndsOn, civil.NewDate(2026, 8, 10))
	s.until(t, civil.NewDate(2026, 7, 20))
	expect(t, "within it", s.ending(t, m), plan.Ending{
		EndsOn: civil.NewDate(2026, 8, 20), Periods: 1, Amount: 1935, Part: 1935, // ten days of 31
	})
	s.until(t, civil.NewDate(2026, 8, 5))
	m = s.canceled(t, ada, m)
	expect(t, "last day", m.LastDay().String(), "2026-09-04")
	expect(t, "the part", m.Next.EndsOn.String(), "2026-09-05")
	expect(t, "its price", m.Next.Amount, 5032) // 26 days of 31

	// A freeze postpones the end, and the part stays as long as it is.
	until := civil.NewDate(2026, 8, 22)
	m, err := s.Plans.FreezeMine(t.Context(), ada.Principal, plan.FreezeInput{
		MembershipID: m.ID, StartsOn: civil.NewDate(2026, 8, 12), EndsOn: &until,
	})
	must(t, 0, err)
	expect(t, "postponed", m.LastDay().String(), "2026-09-14")
	expect(t, "the part", m.Next.EndsOn.String()+" "+m.Next.StartsOn.String(), "2026-09-15 2026-08-10")
	s.until(t, civil.NewDate(2026, 8, 11))
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded, 5032 succeeded")
	s.until(t, civil.NewDate(2026, 9, 16))
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 17032")
	s.check(t)
}

// The part comes later: the months before it are charged whole.
func TestEndsByLawLater(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetCountry(t, "NL")
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, func(in *plan.CreateInput) {
		in.Renewal = plan.Renewal{NoticeDays: 60}
	})), apptest.CardGood)
	s.until(t, civil.NewDate(2026, 7, 9))
	expect(t, "end", s.ending(t, m), plan.Ending{
		EndsOn: civil.NewDate(2026, 8, 9), Periods: 1, Amount: 5806, Part: 5806,
	})
	s.until(t, civil.NewDate(2026, 7, 11))
	m = s.canceled(t, ada, s.mine(t, ada)[0])
	expect(t, "last day", m.LastDay().String(), "2026-08-10")
	expect(t, "the part", m.Next.Amount, 194) // a day
	s.until(t, civil.NewDate(2026, 8, 12))
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded, 194 succeeded")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// "Today" is the day at the location: in Auckland the notice is over half a day before it is in London.
func TestEndsByTheClockOfTheLocation(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{"Pacific/Auckland": "2026-12-01", "Pacific/Honolulu": "2026-11-01"} {
		s := open(t, func(p *apptest.StudioPlan) { p.Zone = zone })
		ada := s.Customer(t, "Ada")
		m := s.joined(t, ada, s.today(s.published(t, monthly(0, 6000, onFirst(plan.Terms{NoticeBy: 25}, 0)))),
			apptest.CardGood)
		s.until(t, civil.NewDate(2026, 10, 24))
		s.w.Clock.Advance(time.Date(2026, 10, 25, 18, 0, 0, 0, time.UTC).Sub(s.w.Clock.Now())) // the 26th in Auckland
		expect(t, zone, s.ending(t, m).EndsOn.String(), want)
		s.check(t)
	}
}
