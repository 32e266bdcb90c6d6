package plan_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

func (s studio) resumed(t testing.TB, who tenancy.Scope, m plan.Membership) plan.Membership {
	t.Helper()
	m, err := s.Owed.ResumeMyPlan(t.Context(), who.Principal, plan.ResumeInput{MembershipID: m.ID})
	return must(t, m, err)
}

// A canceled membership goes on: its next month comes back with its credits, and is charged as if nothing had been.
func TestResume(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	resume := func(in plan.ResumeInput) error {
		in.MembershipID = m.ID
		_, err := s.Owed.ResumeMyPlan(t.Context(), ada.Principal, in)
		return err
	}
	refused(t, "one that renews", resume(plan.ResumeInput{}), plan.ErrNotCanceled)
	for range 2 {
		m = s.canceled(t, ada, m)
		expect(t, "canceled", m.Next == nil && m.EndsOn != nil, true)
		refused(t, "of another version", resume(plan.ResumeInput{Version: m.Version + 1}), fault.ErrStale)
		_, err := s.Owed.ResumeMyPlan(t.Context(), s.Customer(t, "Bob").Principal, plan.ResumeInput{MembershipID: m.ID})
		expect(t, "another person", fault.IsKind(err, fault.NotFound), true)
		on, amount, found := m.Resuming()
		expect(t, "said before", found && on == civil.NewDate(2026, 7, 10) && amount == 6000, true)
		m = s.resumed(t, ada, m)
		expect(t, "goes on", m.EndsOn == nil && m.CanceledAt == nil && m.ConsentedAt != nil, true)
		expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-10 to 2026-08-10")
		refused(t, "again", resume(plan.ResumeInput{}), plan.ErrNotCanceled)
	}
	s.jobs(t)
	expect(t, "mail", s.mails(ada)[len(s.mails(ada))-1], "plan resumed")
	later := s.booked(t, ada, s.classIn(t, 2200, 35*24*time.Hour))
	expect(t, "a class of that month", later.Totals.TotalAmount, 0)
	s.goes(t, 31)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 1)
	s.check(t)
}

// A membership that is canceled for a later end is paid until then, and goes on after it.
func TestResumeLater(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, func(in *plan.CreateInput) { in.MinPeriods = 2 })),
		apptest.CardGood)
	m = s.canceled(t, ada, m)
	expect(t, "end", m.EndsOn.String()+", next "+m.Next.StartsOn.String(), "2026-08-10, next 2026-07-10")
	s.until(t, civil.NewDate(2026, 7, 20))
	expect(t, "none comes", s.periods(t), "1 paid 6000, 2 paid 6000")
	m = s.resumed(t, ada, m)
	expect(t, "one comes", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	s.until(t, civil.NewDate(2026, 8, 11))
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded, 6000 succeeded")
	m = s.canceled(t, ada, s.mine(t, ada)[0])
	s.until(t, *m.EndsOn)
	_, err := s.Owed.ResumePlan(t.Context(), s.Owner, plan.ResumeInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	refused(t, "one that has ended", err, plan.ErrEnded)
	s.check(t)
}

// A membership that ends by its terms has no other end.
func TestResumeOfTerm(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, func(in *plan.CreateInput) {
		in.MinPeriods, in.Ends = 6, true
		in.Renewal.Terms.EndPPM = 500_000
	})), apptest.CardGood)
	_, err := s.Owed.ResumeMyPlan(t.Context(), ada.Principal, plan.ResumeInput{MembershipID: m.ID})
	refused(t, "by its terms", err, plan.ErrNotCanceled)
	_, err = s.Owed.EndMyPlanEarly(t.Context(), ada.Principal, plan.EndEarlyInput{MembershipID: m.ID})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "ended early", s.mine(t, ada)[0].EndsOn.String(), "2026-07-10")
	m = s.resumed(t, ada, m)
	expect(t, "ends by its terms", m.EndsOn.String(), "2026-12-10")
	expect(t, "next", m.Next.StartsOn.String(), "2026-07-10")
	_, err = s.Owed.EndMyPlanEarly(t.Context(), ada.Principal, plan.EndEarlyInput{MembershipID: m.ID})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "again", s.mine(t, ada)[0].EndsOn.String(), "2026-07-10")
	s.check(t)
}

// A month that was cut is whole again; of one that is paid in part, the other part comes, and later ones on their days.
func TestResumeOfPart(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetCountry(t, "DE")
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(4, 6000, func(in *plan.CreateInput) { in.Renewal.NoticeDays = 20 })),
		apptest.CardGood)
	s.until(t, civil.NewDate(2026, 7, 1))
	m = s.canceled(t, ada, m)
	expect(t, "cut", m.Next.EndsOn.String(), "2026-07-21")
	expect(t, "price", m.Next.Amount, 2129)
	credits := func() string { return s.changes(t) }
	cut := "granted 4 for 0 leaves 4, granted 4 for 0 leaves 4, ended -2 for 0 leaves 2"
	expect(t, "credits", credits(), cut)
	m = s.resumed(t, ada, m)
	expect(t, "whole", m.Next.EndsOn.String(), "2026-08-10")
	expect(t, "credits", credits(), cut+", granted 2 for 0 leaves 4")
	m = s.canceled(t, ada, m)
	s.until(t, civil.NewDate(2026, 7, 12))
	expect(t, "charges", s.charges(t), "6000 succeeded, 2129 succeeded")
	on, amount, _ := s.mine(t, ada)[0].Resuming()
	expect(t, "said before", on.String(), "2026-07-21")
	expect(t, "said before", amount, 3871)
	m = s.resumed(t, ada, m)
	expect(t, "the other part", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-21 to 2026-08-10")
	expect(t, "its price", m.Next.Amount, 3871)
	s.until(t, civil.NewDate(2026, 8, 12))
	expect(t, "charges", s.charges(t), "6000 succeeded, 2129 succeeded, 3871 succeeded, 6000 succeeded")
	expect(t, "next", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-09-10")
	s.check(t)
}

// A part that is due is given up when its membership goes on: the whole month is due then.
func TestResumeOfPartThatIsDue(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetCountry(t, "DE")
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(4, 6000, func(in *plan.CreateInput) { in.Renewal.NoticeDays = 20 })),
		cardDeclinesSaved)
	s.until(t, civil.NewDate(2026, 7, 1))
	m = s.canceled(t, ada, m)
	s.until(t, civil.NewDate(2026, 7, 11))
	m = s.mine(t, ada)[0]
	expect(t, "due", m.Next.Due, true)
	m = s.resumed(t, ada, m)
	expect(t, "next", m.Next.Amount, 6000)
	s.goes(t, 1)
	m = s.mine(t, ada)[0]
	expect(t, "due", m.Next.Due && m.Next.Amount == 6000, true)
	expect(t, "orders", apptest.Value[string](t, s.w, `select string_agg(o.state, ' ' order by o.created_at)
		from orders o where o.cart_id is null`), "void open")
	s.check(t)
}

// Of a cancellation, a charge and a resumption at once each is done or refused, and the books are right.
func TestRaceOfCancelAndResume(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	s.pass(t, 30*24*time.Hour)
	apptest.AtOnce(t, []*fault.Error{plan.ErrCanceled, plan.ErrNotCanceled, plan.ErrEnded, checkout.ErrPaymentPending},
		func() error { return s.Owed.RenewDue(t.Context()) },
		func() error {
			_, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
			return err
		},
		func() error {
			_, err := s.Owed.ResumeMyPlan(t.Context(), ada.Principal, plan.ResumeInput{MembershipID: m.ID})
			return err
		},
		func() error {
			_, err := s.Owed.CancelPlan(t.Context(), s.Owner, owed.CancelInput{CustomerID: m.CustomerID, MembershipID: m.ID})
			return err
		},
	)
	s.goes(t, 3)
	s.check(t)
}

// A freeze of a month that is cut postpones the end; when the membership goes on, that month and the later ones are as
// long as they would be without the cancellation.
func TestResumeOfPartAfterFreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetCountry(t, "DE")
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(4, 6000, func(in *plan.CreateInput) {
		in.Renewal.NoticeDays = 20
		in.Freeze.Allowed = true
	})), apptest.CardGood)
	s.until(t, civil.NewDate(2026, 7, 1))
	m = s.canceled(t, ada, m)
	until := civil.NewDate(2026, 7, 22)
	m, err := s.Plans.FreezeMine(t.Context(), ada.Principal, plan.FreezeInput{
		MembershipID: m.ID, StartsOn: civil.NewDate(2026, 7, 12), EndsOn: &until,
	})
	must(t, 0, err)
	expect(t, "end", m.EndsOn.String()+", the part until "+m.Next.EndsOn.String(), "2026-07-31, the part until 2026-07-31")
	m = s.resumed(t, ada, m)
	expect(t, "whole", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-10 to 2026-08-20")
	s.until(t, civil.NewDate(2026, 7, 12))
	expect(t, "later", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-08-20")
	s.check(t)
}
