package migrate_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/migrate"
)

// faults runs a catalog query that lists what is wrong and expects none.
func faults(t *testing.T, w *apptest.World, what, sql string, args ...any) {
	t.Helper()
	t.Run(what, func(t *testing.T) {
		if bad := apptest.Values[string](t, w, sql, args...); len(bad) > 0 {
			t.Errorf("%s: %q", what, bad)
		}
	})
}

// TestTenantWall: what the wall needs holds for every table there is, and Audit sees where it does not.
func TestTenantWall(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	look := func() string {
		t.Helper()
		faults, err := migrate.Audit(t.Context(), w.URL("foyer_owner"), assembly.Audited()...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(faults, "\n")
	}
	if faults := look(); faults != "" {
		t.Fatal(faults)
	}
	flaws := map[string]string{
		"alter table orders no force row level security":                                                            "forced: not orders",
		"alter policy tenant on carts using (true)":                                                                 "both sides and names the three roles: not carts",
		"create policy extra on customers using (true)":                                                             "look-ups of foyer_lookup: not customers.extra",
		"alter table drawer_transactions drop constraint drawer_transactions_pkey, alter business_id drop not null": "business_id is never null: not drawer_transactions",
		"create table loose (x int)":                                                                                "owns every table: not loose",
		"grant truncate on bookings to foyer_app":                                                                   "DML rights only: not bookings foyer_app TRUNCATE",
		"grant select on payments to foyer_lookup":                                                                  "named columns only: not payments SELECT",
		"create table notes (business_id uuid, booking_id uuid, foreign key (booking_id, business_id) references bookings (id, business_id))": "carries the business: not notes",
		"create view everything as select * from bookings":     "as its caller: not everything",
		"alter function app.find_slug(text) owner to postgres": "definer function",
		"alter table holds drop constraint holds_limit":        "constraint or index holds_limit is gone",
		"drop index payments_one_open":                         "constraint or index payments_one_open is gone",
		"drop trigger keep_booked on bookings":                 "trigger bookings.keep_booked is gone",
	}
	// Each trigger there is, so that a new one cannot be forgotten; those that are switched off count as gone.
	for _, name := range apptest.Values[string](t, w, `select t.tgrelid::regclass || '.' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
			where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`) {
		if table, trigger, _ := strings.Cut(name, "."); trigger != "keep_booked" {
			flaws["alter table "+table+" disable trigger "+trigger] = "trigger " + name + " is gone"
		}
	}
	for sql := range flaws {
		w.SQL(t, sql)
	}
	found := look()
	for sql, want := range flaws {
		if !strings.Contains(found, want) {
			t.Errorf("after %q there is no %q in\n%s", sql, want, found)
		}
	}
}

// TestTables walks pg_catalog: what holds for every table there is besides.
func TestTables(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	const tenantKey = ` from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and c.relkind in ('r', 'p')
			and c.relnamespace = 'public'::regnamespace
		join pg_constraint k on k.conrelid = c.oid and k.contype = 'p' `
	// business_id and id: a studio's rows lie together, and one index finds a row and is what foreign keys point at. Root
	// paths are unique among all studios; dates that are to be offered, and books that are kept, have the id of another table; a posting
	// is its entry's, a balance its account's, and credit is of a customer and a currency, and
	// stock of a variant and a location.
	faults(t, w, "the primary key is led by business_id", `select c.relname::text || ' ' || pg_get_constraintdef(k.oid)`+tenantKey+`
		and not (k.conkey[1] = a.attnum and (cardinality(k.conkey) = 2 or c.relname = 'businesses')
			or c.relname in ('slugs', 'credits', 'ledger_postings', 'ledger_snapshots', 'tender_parts', 'stock_levels'))`)
	faults(t, w, "the rest of the primary key is the id", `select c.relname::text || ' ' || pg_get_constraintdef(k.oid)`+tenantKey+`
		and cardinality(k.conkey) = 2 and (select attname from pg_attribute where attrelid = c.oid and attnum = k.conkey[2])
			is distinct from case c.relname when 'waitlist_rounds' then 'occurrence_id'
				when 'ledger_closings' then 'location_id' when 'accounting_progress' then 'location_id'
				when 'stock_reservations' then 'item_id'
				when 'accounting_tokens' then 'connection_id' when 'accounting_batch_entries' then 'entry_id'
				when 'audit_events' then 'seq' else 'id' end`)
	faults(t, w, "no second unique index has the key's columns", `select x.indexrelid::regclass::text`+tenantKey+`
		join pg_index x on x.indrelid = c.oid and x.indisunique and not x.indisprimary and x.indpred is null and x.indexprs is null
		where (select array_agg(n order by n) from unnest(x.indkey[0:x.indnkeyatts - 1]) n) = (select array_agg(n order by n) from unnest(k.conkey) n)`)
	faults(t, w, "an id alone is looked up in four tables", `select i.indexname::text from pg_indexes i
		where i.schemaname = 'public' and i.indexdef ~ '\(id[,)]' and i.tablename in (select c.relname`+migrate.Tenant+`)
		and i.indexname not in ('locations_directory', 'offerings_directory', 'assets_directory', 'products_directory')`)
	faults(t, w, "a table without a tenant is one we know", `select c.relname::text from pg_class c
		where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
		and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id')
		and c.relname not in ('persons', 'challenges', 'sessions', 'invites', 'replays', 'quotes', 'rate_windows',
			'webhook_events', 'oauth_clients', 'goose_db_version')`)
	// To set a path and take it back costs more than these functions do. Those that are definers name everything in full, see
	// TestNoPathMisleads.
	faults(t, w, "what nearly every request calls sets no path", `select p.proname::text from pg_proc p
		where p.pronamespace = 'app'::regnamespace and p.proname::text = any ($1 || array['audit', 'current_business']) and p.proconfig is not null`, migrate.Pathless)
	faults(t, w, "no column reads the server's clock", `select c.relname || '.' || a.attname from pg_attrdef d
		join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
		where c.relnamespace = 'public'::regnamespace and c.relname <> 'goose_db_version'
		and pg_get_expr(d.adbin, d.adrelid) ~* '(now|timestamp|clock)'`)
}

// TestAuditTriggers: a trigger that looks at some columns only looks at all that tell something, and what it is told is what is
// written.
func TestAuditTriggers(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	faults(t, w, "an audit trigger that names columns leaves out silent ones only", `select c.relname || '.' || a.attname
		from pg_trigger t join pg_class c on c.oid = t.tgrelid
		join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		where t.tgname = 'audit' and cardinality(t.tgattr::int2[]) > 0 and a.attnum <> all (t.tgattr::int2[])
		and a.attname <> all (array['business_id', 'version', 'created_at', 'updated_at']
			|| string_to_array(rtrim(encode(t.tgargs, 'escape'), '\000'), '\000'))`)
	faults(t, w, "no trigger changes a row before it is written", `select t.tgrelid::regclass || '.' || t.tgname from pg_trigger t
		join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgtype & 3 = 3`)
	// An update that changes no indexed column writes to no index. Columns that an index includes count, and so do those of its condition.
	faults(t, w, "no index has a counter of seats", `select i.indexname::text from pg_indexes i
		where i.schemaname = 'public' and i.tablename = 'occurrences' and i.indexdef ~ '\m(taken|taken_online|offered)\M'`)
}

// TestForeignKeys: a column that ends in _id and sits in a tenant table points somewhere, unless it is listed here.
func TestForeignKeys(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	loose := apptest.Values[string](t, w, `select c.relname || '.' || a.attname from pg_class c
		join pg_attribute b on b.attrelid = c.oid and b.attname = 'business_id'
		join pg_attribute a on a.attrelid = c.oid and a.attname like '%\_id' and a.atttypid = 'uuid'::regtype and not a.attisdropped
		where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
		and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
		and not (c.relname = 'businesses') order by 1`)
	allowed := []string{
		"booking_transitions.actor_id", // a person or a key, by actor_kind
		"waitlist_transitions.actor_id", "order_tenders.actor_id", "refunds.actor_id", "drawer_transactions.actor_id",
		"settlements.actor_id", "credit_transactions.actor_id", "stock_moves.actor_id",
		"gift_card_transactions.actor_id", "order_returns.actor_id", "memberships.actor_id", "redemptions.actor_id",
		"freezes.actor_id", "plan_changes.actor_id",
		"agreement_copies.actor_id", "agreement_acceptances.actor_id",
		"agreement_acceptances.cart_id", // carts that nobody books are deleted, and what was agreed to in them stays
		"stock_moves.transfer_id",       // not a row: both moves of a transfer
		// By kind: generated columns of the kinds have the keys.
		"cart_items.subject_id", "order_lines.subject_id", "cart_tenders.source_id", "order_tenders.source_id",
		"stock_reservations.item_id",
		"bookings.group_id", // not a row: what was booked together
		// The record outlives what it is about, and a key would lock a row of the business for every event.
		"audit_events.actor_id", "audit_events.business_id", "audit_events.connection_id", "audit_events.location_id",
		"audit_events.record_id",
	}
	for _, l := range loose {
		if !slices.Contains(allowed, l) {
			t.Errorf("%s has no foreign key", l)
		}
	}
}
