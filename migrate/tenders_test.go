package migrate_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestTenders: migration 59 makes tenders of what was paid at the studio, and refunds of what went back of it, with the
// same ids, parts, drawers and people, and writes no audit event.
func TestTenders(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 58); err != nil {
		t.Fatal(err)
	}
	db := open(t, d.URL("postgres"))
	if _, err := db.ExecContext(t.Context(), formerPayments); err != nil {
		t.Fatal(err)
	}
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 59); err != nil {
		t.Fatal(err)
	}
	const tender = "right(id::text, 1) || ' ' || kind || ' ' || state || ' ' || amount || ' ' || note || ' ' || actor_name"
	const refund = "right(id::text, 1) || ' ' || kind || ' of ' || right(tender_id::text, 1) || ' ' || amount || ' ' " +
		"|| reason " +
		"|| ' ' || destination || ' ' || state || ' ' || note || ' ' || actor_name || ' ' || parts::text"
	const part = `[{"line": "00000000-0000-7000-8000-000000000001", "amount": `
	for sql, want := range map[string]string{
		"select string_agg(" + tender + ", ', ' order by id) from order_tenders": "1 cash captured 100 slip Mia, " +
			"2 other captured 200 slip Mia, 3 account_credit captured 300 slip Mia, 4 cash void 400 slip Mia",
		"select string_agg(tender_id::text, '' order by tender_id) = string_agg(id::text, " +
			"'' order by id) from order_tenders " +
			"join tender_parts p on p.tender_id = id and p.amount = order_tenders.amount": "true",
		"select string_agg(" + refund + ", E'\n' order by id) from refunds where tender_id is not null": "5 refund of 1 " +
			"50 requested " +
			"original succeeded kind Ben " + part + `50, "account": "income.class"}]` + "\n6 refund of 2 60 requested " +
			"account_credit succeeded kind Ben " + part + `60, "account": "income.class"}]` + "\n7 refund of 3 70 requested " +
			"original succeeded kind Ben " + part + `70, "account": "income.class"}]` + "\n8 void of 4 400 void " +
			"original succeeded kind Ben " + part + `400, "account": "income.class"}]`,
		"select string_agg(destination, ' ' order by destination) from refunds where payment_id is not " +
			"null": "account_credit original",
		"select (drawer_id is not null)::text || ' ' || (select drawer_id is not null from refunds " +
			"where tender_id is not null and right(id::text, 1) = '5') " +
			"from order_tenders where right(id::text, 1) = '1'": "true true",
		"select string_agg(kind || ' ' || coalesce('tender ' || right(tender_id::text, 1), " +
			"'refund ' || right(refund_id::text, 1)), " +
			"', ' order by amount) from credit_transactions": "spent tender 3, refunded refund 6, refunded refund 7",
		"select count(*)::text from audit_events":                                          "0",
		"select count(*)::text from pg_trigger where not tgisinternal and tgenabled = 'D'": "0",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", sql, got, want, err)
		}
	}
}

// formerPayments are payments at the studio of before, by each method, their refunds and a void.
const formerPayments = apptest.Putting + `
create function pg_temp.id(n int) returns text language sql as
	$$ select '00000000-0000-7000-8000-00000000000' || n $$;
create function pg_temp.given(variadic x text[]) returns jsonb language sql as $$
	select jsonb_object(x) || jsonb_build_object('business_id', pg_temp.id(0)) $$;
select pg_temp.put('orders', pg_temp.given(
	'id', pg_temp.id(0), 'state', 'fulfilled', 'tax_mode', 'exclusive', 'fulfilled_at', '2026-01-02Z')
	|| '{"subtotal_amount": 1, "tax_amount": 0, "total_amount": 1}');
select pg_temp.put('order_lines', pg_temp.given('id', pg_temp.id(1), 'kind', 'class', 'booking_id', pg_temp.id(1),
	'income_account', 'income.class') || '{"listed_amount": 1, "tax_amount": 0}');
select pg_temp.put('locations', pg_temp.given(
	'id', pg_temp.id(0), 'slug', 'north', 'zone', 'UTC', 'tax_mode', 'exclusive', 'currency', 'USD'));
select pg_temp.put('drawers', pg_temp.given('id', pg_temp.id(9)));
select pg_temp.put('manual_payments', pg_temp.given('location_id', pg_temp.id(0), 'id', pg_temp.id(n), 'order_id',
	pg_temp.id(0), 'kind', kind, 'method', method,
		'amount', amount::text, 'of_id', case when of > 0 then pg_temp.id(of) end, 'drawer_id',
		case method when 'cash' then pg_temp.id(9) end, 'note', case when of > 0 then 'kind' else 'slip' end,
		'actor_name', case when of > 0 then 'Ben' else 'Mia' end)),
	pg_temp.put('manual_payment_parts', pg_temp.given('manual_payment_id', pg_temp.id(n), 'line_id', pg_temp.id(1),
		'seq', '1', 'account', 'income.class', 'amount', amount::text))
	from (values (1, 'received', 'cash', 100, 0), (2, 'received', 'elsewhere', 200, 0), (3, 'received', 'credit', 300, 0),
		(4, 'received', 'cash', 400, 0), (5, 'refunded', 'cash', 50, 1), (6, 'refunded', 'credit', 60, 2),
		(7, 'refunded', 'credit', 70, 3), (8, 'void', 'cash', 400, 4)) x (n, kind, method, amount, of);
select pg_temp.put(
	'credit_transactions', pg_temp.given('manual_payment_id', pg_temp.id(n), 'kind', kind, 'amount', amount::text))
	from (values (3, 'spent', -300), (6, 'refunded', 60), (7, 'refunded', 70)) x (n, kind, amount);
select pg_temp.put('refunds', pg_temp.given(
	'payment_id', pg_temp.id(1), 'state', 'succeeded', 'destination', destination, 'fee_amount', '0'))
	from (values ('original'), ('credit')) x (destination);
`
