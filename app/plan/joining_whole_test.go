package plan_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/sales"
)

// partAndWhole has a plan billed on the first of a month, whose first whole period is paid at the purchase.
func partAndWhole(in *plan.CreateInput) { in.BillingDay, in.Terms.JoiningWhole = 1, true }

// Studio 3 of the terms: joining costs the part of the month, the joining fee and the first full month. The credits of
// both are there, the next charge is after them, and they are one period in the books and in the reports.
func TestJoiningWhole(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(8, 6000, partAndWhole, joining(2500)))
	m := s.joined(t, ada, p, apptest.CardGood)            // 10 June: 21 of 30 days, and July
	expect(t, "charges", s.charges(t), "12700 succeeded") // 4200, 6000 and 2500
	expect(t, "periods", s.periods(t), "1 paid 10200, 2 coming 6000")
	expect(t, "credits", m.Grants[0].Balance, 16)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-08-01 to 2026-09-01")
	expect(t, "whole periods", m.Whole(1), 1)
	s.goes(t, 53) // 2 August
	expect(t, "charges", s.charges(t), "12700 succeeded, 6000 succeeded")
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 12700")
	expect(t, "credits", s.mine(t, ada)[0].Grants[0].Balance, 8)

	// On the billing day itself there is no part.
	s.goes(t, 30)
	bob := s.Customer(t, "Bob")
	m = s.joined(t, bob, p, apptest.CardGood)
	expect(t, "next", m.Next.StartsOn.String(), "2026-10-01")
	expect(t, "credits", m.Grants[0].Balance, 8)
	s.check(t)
}

// A membership that ends by itself, and one with a least number of periods and an introductory price, count the whole
// period that was paid at the purchase.
func TestJoiningWholeCounts(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	s.joined(t, ada, s.published(t, monthly(8, 6000, partAndWhole, func(in *plan.CreateInput) {
		in.MinPeriods, in.Ends = 2, true
	})), apptest.CardGood)
	m := s.joined(t, bob, s.published(t, monthly(8, 6000, partAndWhole, func(in *plan.CreateInput) {
		in.MinPeriods, in.IntroPeriods, in.IntroAmount = 2, 1, 3000
	})), apptest.CardGood)
	expect(t, "charges", s.charges(t), "10200 succeeded, 5100 succeeded")
	_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(m.BusinessID), m.CustomerID, m.ID)
	must(t, 0, err)
	expect(t, "end", e, plan.Ending{EndsOn: day(9, 1), Periods: 1, Amount: 6000})
	m, err = s.Owed.CancelMyPlan(t.Context(), bob.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	s.goes(t, 83) // 1 September
	expect(t, "charges", s.charges(t), "10200 succeeded, 5100 succeeded, 6000 succeeded, 6000 succeeded")
	expect(t, "last day", s.mine(t, ada)[0].LastDay().String(), "2026-08-31")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "state", s.mine(t, bob)[0].State, plan.Over)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 27300")
	s.check(t)
}

// A change in the part, and one in the whole period after it, cost what their days cost.
func TestJoiningWholeChanged(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	large := s.published(t, monthly(0, 9000, partAndWhole))
	small := s.published(t, monthly(8, 6000, partAndWhole, func(in *plan.CreateInput) {
		in.ChangeIDs = []uuid.UUID{large.ID}
	}))
	m := s.joined(t, ada, small, apptest.CardGood)
	quote := func() int64 {
		t.Helper()
		_, c, err := plan.ChangingOf(t.Context(), s.w.DB.View(m.BusinessID), plan.ChangeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: large.ID,
		}, false)
		must(t, 0, err)
		return c.Amount
	}
	expect(t, "on the first day", quote(), 5100) // 15300 less 10200
	s.goes(t, 21)                                // 1 July
	expect(t, "of the whole period", quote(), 3000)
	s.changed(t, ada, large)
	expect(t, "charges", s.charges(t), "10200 succeeded, 3000 succeeded")
	s.goes(t, 31)
	expect(t, "charges", s.charges(t), "10200 succeeded, 3000 succeeded, 9000 succeeded")
	s.check(t)
}

// It is frozen for whole periods after it, and a refund of it ends the membership.
func TestJoiningWholeFrozenAndRefunded(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, partAndWhole,
		freezable(rules.Freeze{WholePeriods: true}))), apptest.CardGood)
	_, err := s.froze(t, ada, m, day(7, 1), day(8, 1))
	refused(t, "within it", err, plan.ErrFreeze)
	m, err = s.froze(t, ada, m, day(8, 1), day(9, 1))
	must(t, 0, err)
	expect(t, "next", m.Next.StartsOn.String(), "2026-09-01")
	s.goes(t, 26) // half of 52 days
	expect(t, "books", s.books(t), "deferred.membership 5100, income.membership 5100")
	payment, amount := apptest.Value[uuid.UUID](t, s.w, "select id from payments"), int64(5100)
	_, err = s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: payment, Amount: &amount})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Canceled)
	s.check(t)
}

// What is paid at the purchase is known before, to the day.
func TestJoiningWholeAmount(t *testing.T) {
	t.Parallel()
	p := plan.Plan{PriceAmount: 6000, Validity: plan.Validity{Count: 1, Unit: rules.Month}}
	p.BillingDay, p.Terms = 1, plan.Terms{JoiningWhole: true, JoiningAmount: 1}
	for on, want := range map[civil.Date]int64{day(6, 1): 6001, day(6, 2): 11801, day(6, 30): 6201} {
		p.Today = &on
		expect(t, on.String(), p.FirstAmount(), want)
	}
}
