package migrate_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestCartTenders: migration 61 keeps the choice of carts to pay with account credit, or not to; one without a choice
// has none, and no audit event is written.
func TestCartTenders(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 60); err != nil {
		t.Fatal(err)
	}
	db := open(t, d.URL("postgres"))
	if _, err := db.ExecContext(t.Context(), undecidedCarts); err != nil {
		t.Fatal(err)
	}
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 61); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		"select string_agg(right(cart_id::text, 1) || ' ' || kind || ' ' || used || coalesce(source_id::text, ''), ', ' " +
			"order by cart_id) from cart_tenders": "1 account_credit true, 2 account_credit false",
		"select count(*)::text from carts":        "3",
		"select count(*)::text from audit_events": "0",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", sql, got, want, err)
		}
	}
}

// undecidedCarts are carts of before: one is paid with credit, one is not, and one has no choice.
const undecidedCarts = apptest.Putting + `
select pg_temp.put('carts', jsonb_build_object('id', ('00000000-0000-7000-8000-00000000000' || n)::uuid,
		'business_id', '00000000-0000-7000-8000-000000000009', 'state', 'open', 'token_hash', 'x' || n,
		'use_credit', use, 'version', 1, 'ref', '', 'code', '', 'pay_in_full', false))
	from (values (1, true), (2, false), (3, null)) x (n, use);
`
