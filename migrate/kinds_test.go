package migrate_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestKinds: migration 58 gives items of carts and lines of orders in a database of version 57 their kind and their
// account of income, by the rule of before, takes the booking from a line that is a fee, and writes no audit event.
func TestKinds(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 57); err != nil {
		t.Fatal(err)
	}
	db := open(t, d.URL("postgres"))
	if _, err := db.ExecContext(t.Context(), kindless); err != nil {
		t.Fatal(err)
	}
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 58); err != nil {
		t.Fatal(err)
	}
	const line = "kind || ' ' || quantity || ' ' || income_account || ' ' || " +
		"coalesce('of booking ' || right(booking_id::text, 1), 'of fee ' || right(fee_id::text, 1))"
	for sql, want := range map[string]string{
		"select string_agg(kind || ' ' || quantity, ', ' order by position) from cart_items": "" +
			"class 1, appointment 1, rental 1",
		"select string_agg(" + line + ", ', ' order by position) from order_lines": "class 1 income.class of booking 1, " +
			"appointment 1 income.session of booking 2, rental 1 income.space of booking 3, " +
			"class 1 income.rc:00000000-0000-7000-8000-000000000009 of booking 4, " +
			"fee 1 income.session of fee 5, fee 1 income.rc:00000000-0000-7000-8000-000000000009 of fee 6",
		"select charge_failed from orders":                                                 "expired_card",
		"select count(*)::text from audit_events":                                          "0",
		"select count(*)::text from pg_trigger where not tgisinternal and tgenabled = 'D'": "0",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", sql, got, want, err)
		}
	}
}

// kindless are a cart and an order of before: seats of each kind, one with a revenue category, and two fees.
const kindless = apptest.Putting + `
create function pg_temp.id(n int) returns text language sql as
	$$ select '00000000-0000-7000-8000-00000000000' || n $$;
create function pg_temp.given(variadic x text[]) returns jsonb language sql as $$
	select jsonb_object(x) || jsonb_build_object('business_id', pg_temp.id(0)) $$;
select pg_temp.put('offerings', pg_temp.given('id', pg_temp.id(n), 'kind', kind, 'name', kind, 'slug', kind,
	'state', 'draft') || '{"duration_minutes": 60}')
	from (values (1, 'class'), (2, 'appointment'), (3, 'rental')) x (n, kind);
select pg_temp.put('cart_items', pg_temp.given('offering_id', pg_temp.id(n), 'position', n::text,
	'occurrence_id', pg_temp.id(n)) || '{"party": 1}')
	from generate_series(1, 3) n;
select pg_temp.put('order_lines', pg_temp.given('position', n::text, 'booking_id', pg_temp.id(n), 'kind', kind,
		'fee_id', case when fee then pg_temp.id(n) end, 'order_id', pg_temp.id(n),
			'revenue_category_id', case when category then pg_temp.id(9) end)
		|| '{"listed_amount": 2, "tax_amount": 0}')
	from (values (1, 'class', false, false), (2, 'appointment', false, false), (3, 'rental', false, false),
		(4, 'class', false, true), (5, 'appointment', true, false), (6, 'rental', true, true)) x (n, kind, fee, category);
select pg_temp.put('orders', pg_temp.given('id', pg_temp.id(5), 'state', 'open', 'tax_mode', 'exclusive')
	|| '{"subtotal_amount": 1, "tax_amount": 0, "total_amount": 1}');
select pg_temp.put('fees', pg_temp.given('id', pg_temp.id(5), 'kind', 'no_show', 'state', 'due',
	'charge_failed', 'expired_card'));
`
