package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/integrity"
)

// tampered is a change behind the product's back, and the difference that a check has to find after it.
type tampered struct{ check, sql, record, expected, found string }

// finds fails the test unless each change is found, and then undoes it with a copy of the tables.
func (s studio) finds(t *testing.T, list []tampered) {
	t.Helper()
	const tables = "memberships grants redemptions unearned_uses order_lines ledger_entries ledger_postings"
	var kept, back strings.Builder
	for _, name := range strings.Fields(tables) {
		kept.WriteString("drop table if exists kept." + name + "; create table kept." + name + " as table " + name + ";")
		columns := apptest.Value[string](t, s.w, `select string_agg(column_name, ', ') from information_schema.columns
			where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`, name)
		back.WriteString("delete from " + name + "; insert into " + name + " (" + columns + ") select " + columns +
			" from kept." + name + ";")
	}
	const unguarded = "set session_replication_role = replica; "
	s.w.SQL(t, "create schema if not exists kept; "+kept.String())
	look := func() []integrity.Difference {
		r, err := integrity.CheckBusiness(t.Context(), s.w.DB.View(s.Business.ID), assembly.Checks()...)
		return must(t, r, err).Differences
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("healthy: %+v", d)
	}
	for _, c := range list {
		s.w.SQL(t, unguarded+c.sql)
		found := look()
		if !slices.ContainsFunc(found, func(d integrity.Difference) bool {
			return d.Check == c.check && d.Record == c.record && strings.HasPrefix(d.Expected, c.expected) &&
				strings.HasPrefix(d.Found, c.found) && d.Expected != d.Found
		}) {
			t.Errorf("%s is silent about: %s (%+v)", c.check, c.sql, found)
		}
		s.w.SQL(t, unguarded+back.String())
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("undone: %+v", d)
	}
}

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
	s.finds(t, []tampered{
		{"plan_credits", "update grants set balance = 3", "grants", "2 by its changes", "3"},
		{"plan_uses",
			`delete from redemptions where kind = 'used'
				and id = (select max(id::text)::uuid from redemptions where kind = 'used')`,
			"order_lines", "1 credits of", "none"},
		{"plan_uses", "update redemptions set credits = -2 where kind = 'used'", "order_lines", "1 credits of",
			"2 credits of"},
		{"plan_uses", "update order_lines set grant_id = null, credits = 0 where grant_id is not null", "redemptions",
			"a booking of a plan", "none"},
		{"plan_uses", "update redemptions set credits = 2 where kind = 'returned'", "redemptions", "as many as were used",
			"2 returned"},
		{"plan_values", "update grants set unused_amount = unused_amount - 1", "grants", "7000", "6999"},
		{"plans_booked", "update unearned_uses set amount = amount + 1", "businesses", "5001 USD of plans",
			"5000 deferred.pack"},
		{"plans_booked",
			"delete from ledger_postings where account_id in (select id from ledger_accounts where code = 'deferred.pack')",
			"businesses", "5000 USD of plans", "0 deferred.pack"},
		{"plans_booked", "update grants set value_amount = value_amount + 5, unused_amount = unused_amount + 5", "businesses",
			"5005 USD of plans", "5000 deferred.pack"},
	})
}
