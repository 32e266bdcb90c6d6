package plan_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/plan"
)

// onWeekdays has a plan billed on the first of a month, and on the next weekday if that is on a weekend.
func onWeekdays(in *plan.CreateInput) { in.BillingDay, in.Terms.OnWeekdays = 1, true }

// Studio 4 of the terms: billed on the 1st, on a weekend the next weekday. The list of the day has it then.
func TestOnWeekdays(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(8, 6000, onWeekdays)), apptest.CardGood)
	s.goes(t, 53) // Sunday, 2 August
	expect(t, "charges", s.charges(t), "4200 succeeded, 6000 succeeded")
	expect(t, "the day before", s.renewals(t, s.Owner, uuid.Nil).Sums[0],
		plan.RenewalSum{Currency: "USD", Coming: 1, ComingAmount: 6000})
	m := s.mine(t, ada)[0]
	expect(t, "charged", m.ChargesOn().String(), "2026-08-03")
	expect(t, "due", m.Next.Due, false)
	s.goes(t, 1)
	expect(t, "charges", s.charges(t), "4200 succeeded, 6000 succeeded, 6000 succeeded")
	expect(t, "next", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-09-01")
	s.check(t)
}

// The days of grace, of the fee for a late payment and of the end count from the charge.
func TestWeekendIsNotLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(8, 6000, onWeekdays, late(1000, 5))), apptest.CardGood)
	s.goes(t, 30) // 10 July
	m := s.mine(t, ada)[0]
	cards, err := s.Billing.Cards(t.Context(), s.Owner, m.CustomerID)
	must(t, 0, err)
	must(t, 0, s.Billing.RemoveCard(t.Context(), s.Owner, m.CustomerID, cards[0].ID))
	s.goes(t, 27) // Thursday, 6 August
	m = s.mine(t, ada)[0]
	expect(t, "tried", m.Next.Tries, 1) // on Monday; it is before ten o’clock
	expect(t, "past due", m.Next.PastDue, false)
	expect(t, "in the days of grace", s.booked(t, ada, s.class(t, 2200)).Totals.TotalAmount, 0)
	s.goes(t, 1)
	expect(t, "past due", s.mine(t, ada)[0].Next.PastDue, true)
	expect(t, "fees", s.fees(t), "")
	s.goes(t, 1) // 8 August
	expect(t, "fees", s.fees(t), "late 1000 due from 2026-08-08")
	s.goes(t, 8) // 16 August
	expect(t, "state", s.mine(t, ada)[0].State, plan.Active)
	s.goes(t, 1)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}
