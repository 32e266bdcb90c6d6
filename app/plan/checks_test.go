package plan_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
)

// Each part of the data checks of plans finds what it is about, once all that happened is in the books.
func TestChecks(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(4, 8000)))
	c := s.booked(t, ada, s.class(t, 2200))
	s.booked(t, ada, s.classIn(t, 2200, 24*time.Hour))
	must(t, 0, s.cancel(t, c.Lines[0].BookingID))
	s.booked(t, ada, s.class(t, 2200))
	s.pass(t, 30*time.Hour)
	payment := apptest.Value[string](t, s.w, "select intent from payments")
	_, err := s.Sim.DashboardRefund(s.Account, payment, 1000)
	must(t, 0, err)
	s.check(t)
	expect(t, "changes", s.changes(t), "granted 4 for 0 leaves 4, used -1 for 2000 leaves 3, used -1 for 2000 leaves 2, "+
		"returned 1 for 2000 leaves 3, used -1 for 2000 leaves 2, refunded 0 for 1000 leaves 2")
	expect(t, "books", s.books(t), "deferred.pack 5000, income.pack 2000")
	s.w.Finds(t, s.Business.ID, "memberships grants redemptions unearned_uses order_lines ledger_entries "+
		"ledger_postings", []apptest.Tampering{
		{
			Check: "plan_credits", Record: "grants",
			SQL:      "update grants set balance = 3",
			Expected: "2 by its changes", Found: "3",
		},
		{
			Check: "plan_uses", Record: "order_lines",
			SQL: `delete from redemptions where kind = 'used'
				and id = (select max(id::text)::uuid from redemptions where kind = 'used')`,
			Expected: "1 credits of", Found: "none",
		},
		{
			Check: "plan_uses", Record: "order_lines",
			SQL:      "update redemptions set credits = -2 where kind = 'used'",
			Expected: "1 credits of", Found: "2 credits of",
		},
		{
			Check: "plan_uses", Record: "redemptions",
			SQL:      "update order_lines set grant_id = null, credits = 0 where grant_id is not null",
			Expected: "a booking of a plan", Found: "none",
		},
		{
			Check: "plan_uses", Record: "redemptions",
			SQL:      "update redemptions set credits = 2 where kind = 'returned'",
			Expected: "as many as were used", Found: "2 returned",
		},
		{
			Check: "plan_values", Record: "grants",
			SQL:      "update grants set unused_amount = unused_amount - 1",
			Expected: "7000", Found: "6999",
		},
		{
			Check: "plan_values", Record: "memberships",
			SQL:      "update memberships set state = 'ended'",
			Expected: "all is earned or refunded", Found: "2 credits and 3000",
		},
		{
			Check: "plans_booked", Record: "businesses",
			SQL:      "update unearned_uses set amount = amount + 1",
			Expected: "5001 USD of plans", Found: "5000 deferred.pack",
		},
		{
			Check: "plans_booked", Record: "businesses",
			SQL: `delete from ledger_postings where account_id in (
				select id from ledger_accounts where code = 'deferred.pack')`,
			Expected: "5000 USD of plans", Found: "0 deferred.pack",
		},
		{
			Check: "plans_booked", Record: "businesses",
			SQL:      "update grants set value_amount = value_amount + 5, unused_amount = unused_amount + 5",
			Expected: "5005 USD of plans", Found: "5000 deferred.pack",
		},
	})
}

// The check of billing periods finds each tampering.
func TestCheckPeriods(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 31)
	s.check(t)
	s.w.Finds(t, s.Business.ID, "cycles memberships orders", []apptest.Tampering{
		{
			Check: "plan_periods", Record: "cycles",
			SQL:      "update cycles set state = 'paid' where number = 2",
			Expected: "a sale", Found: "open",
		},
		{
			Check: "plan_periods", Record: "cycles",
			SQL:      "update cycles set starts_on = starts_on + 1 where number = 2",
			Expected: "after the period before it", Found: "number 2 from 2026-07-11",
		},
		{
			Check: "plan_periods", Record: "memberships",
			SQL:      "update cycles set state = 'void' where number = 2",
			Expected: "1 period to be paid", Found: "0",
		},
	})
}
