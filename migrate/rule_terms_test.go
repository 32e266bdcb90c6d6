package migrate_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestRuleTerms: migration 50 gives stored rules, states and kinds of a database of version 49 the names of today, and writes no audit event.
func TestRuleTerms(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 49); err != nil {
		t.Fatal(err)
	}
	db := open(t, d.URL("postgres"))
	if _, err := db.ExecContext(t.Context(), formerTerms); err != nil {
		t.Fatal(err)
	}
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 50); err != nil {
		t.Fatal(err)
	}
	const grace = `{"deposit": {"amount": 0, "percent": 30, "nonRefundable": true, "balanceMinutes": 60}, "grace": {"days": 90}, "partyMin": 1}`
	for sql, want := range map[string]string{
		"select (rules = $$" + grace + "$$::jsonb)::text from policies": "true",
		"select string_agg(case party when 1 then (policy = $$" + grace + "$$::jsonb)::text else coalesce(policy::text, 'none') end, ' ' order by party) from bookings": "true none {} {\"deposit\": null}",
		"select string_agg(state, ' ' order by state) from fees":                                                  "due grace_waived",
		"select string_agg(kind, ' ' order by kind) from manual_payments":                                         "received refunded void",
		"select string_agg(kind, ' ' order by kind) from credit_transactions":                                     "granted refunded",
		"select string_agg(state || ' ' || (fulfilled_at is not null), ' ' order by state) from orders":           "fulfilled true open false",
		"select string_agg(outcome, ' ' order by outcome) from payments":                                          "fulfilled refunded",
		"select string_agg(payment_choice, ' ' order by payment_choice) from waitlist_entries":                    "card choose_later",
		"select string_agg(source_kind || ' ' || event, ', ' order by source_kind, event) from ledger_entries":    "drawer transfer, manual_payment refund, manual_payment sale",
		"select string_agg(query, ' ' order by query) from saved_views":                                           "q=a&sort=balance sort=owes",
		"select string_agg((after -> 'plan')::text, ' ' order by after #>> '{plan,unchanged}') from series_edits": `{"hit": null, "unchanged": 3} {"hit": [{"outcome": "moved"}, {"outcome": "rescheduled"}], "unchanged": 7}`,
		"select count(*)::text from audit_events":                                                                 "0",
		"select count(*)::text from pg_trigger where not tgisinternal and tgenabled = 'D'":                        "0",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", sql, got, want, err)
		}
	}
}

// formerTerms are rows with all values that the migration renames.
const formerTerms = apptest.Putting + `
select pg_temp.put('policies', '{"rules": {"deposit": {"amount": 0, "percent": 30, "kept": true, "restMinutes": 60}, "forgive": {"days": 90}, "partyMin": 1}}');
select pg_temp.put('bookings', '{"state": "confirmed", "party": 1, "starts_at": "2026-01-02Z", "ends_at": "2026-01-03Z",
	"policy": {"deposit": {"amount": 0, "percent": 30, "kept": true, "restMinutes": 60}, "forgive": {"days": 90}, "partyMin": 1}}');
select pg_temp.put('bookings', '{"state": "confirmed", "party": 2, "starts_at": "2026-01-02Z", "ends_at": "2026-01-03Z"}');
select pg_temp.put('bookings', '{"state": "confirmed", "party": 3, "starts_at": "2026-01-02Z", "ends_at": "2026-01-03Z", "policy": {}}');
select pg_temp.put('bookings', '{"state": "confirmed", "party": 4, "starts_at": "2026-01-02Z", "ends_at": "2026-01-03Z", "policy": {"deposit": null}}');
select pg_temp.put('fees', '{"kind": "no_show", "state": "forgiven"}'), pg_temp.put('fees', '{"kind": "no_show", "state": "due"}');
select pg_temp.put('manual_payments', '{"kind": "taken", "method": "cash"}');
select pg_temp.put('manual_payments', '{"kind": "given_back", "method": "cash", "of_id": "00000000-0000-7000-8000-000000000001"}');
select pg_temp.put('manual_payments', '{"kind": "void", "method": "cash", "of_id": "00000000-0000-7000-8000-000000000002"}');
select pg_temp.put('credit_transactions', '{"kind": "granted"}');
select pg_temp.put('credit_transactions', '{"kind": "returned", "refund_id": "00000000-0000-7000-8000-000000000001"}');
select pg_temp.put('orders', '{"state": "settled", "tax_mode": "exclusive", "subtotal_amount": 1, "tax_amount": 0, "total_amount": 1, "settled_at": "2026-01-02Z"}');
select pg_temp.put('orders', '{"state": "open", "tax_mode": "exclusive", "subtotal_amount": 1, "tax_amount": 0, "total_amount": 1}');
select pg_temp.put('payments', '{"env": "simulated", "account": "acct_sim_1", "status": "succeeded", "outcome": "settled", "amount": 100}');
select pg_temp.put('payments', '{"env": "simulated", "account": "acct_sim_1", "status": "succeeded", "outcome": "refunded", "amount": 100}');
select pg_temp.put('waitlist_entries', '{"state": "waiting", "payment_choice": "ask"}');
select pg_temp.put('waitlist_entries', '{"state": "waiting", "payment_choice": "card", "consent_at": "2026-01-02Z"}');
select pg_temp.put('ledger_entries', '{"size": 2, "source_kind": "taking", "event": "back"}'), pg_temp.put('ledger_entries', '{"size": 2, "source_kind": "taking", "event": "sale"}'),
	pg_temp.put('ledger_entries', '{"size": 2, "source_kind": "drawer", "event": "moved"}');
select pg_temp.put('saved_views', '{"screen": "customers", "query": "q=a&sort=owes"}'), pg_temp.put('saved_views', '{"screen": "bookings", "query": "sort=owes"}');
select pg_temp.put('series_edits', '{"after": {"plan": {"kept": 7, "hit": [{"outcome": "moved"}, {"outcome": "transferred"}]}}}');
select pg_temp.put('series_edits', '{"after": {"plan": {"kept": 3, "hit": null}}}')`
