package migrate_test

import (
	"slices"
	"testing"

	"foyer/app/apptest"
)

// faults runs a catalog query that lists what is wrong and expects none.
func faults(t *testing.T, w *apptest.World, what, sql string) {
	t.Helper()
	t.Run(what, func(t *testing.T) {
		if bad := apptest.Values[string](t, w, sql); len(bad) > 0 {
			t.Errorf("%s: %q", what, bad)
		}
	})
}

// TestTenantWall walks pg_catalog: what the wall needs must hold for every table there is, so that a
// new one cannot forget it.
func TestTenantWall(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	const tenant = ` from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
		where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace `
	const tenantKey = ` from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and c.relkind in ('r', 'p')
			and c.relnamespace = 'public'::regnamespace
		join pg_constraint k on k.conrelid = c.oid and k.contype = 'p' `
	faults(t, w, "row-level security is enabled and forced", `select c.relname::text`+tenant+`
		and not (c.relrowsecurity and c.relforcerowsecurity)`)
	faults(t, w, "the tenant policy has both sides and names the three roles", `select c.relname::text`+tenant+`
		and not exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'tenant' and p.cmd = 'ALL'
			and p.roles::text[] @> array['foyer_owner', 'foyer_app', 'foyer_job'] and cardinality(p.roles) = 3
			and p.qual like '%SELECT app.current_business()%' and p.with_check = p.qual)`)
	faults(t, w, "other policies are look-ups of foyer_lookup", `select p.tablename || '.' || p.policyname from pg_policies p
		where p.policyname <> 'tenant' and not (p.policyname = 'lookup' and p.roles::text[] = array['foyer_lookup'] and p.cmd = 'SELECT')`)
	faults(t, w, "business_id is never null", `select c.relname::text`+tenant+` and not a.attnotnull`)
	faults(t, w, "every table has a primary key", `select c.relname::text from pg_class c where c.relkind in ('r', 'p')
		and c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`)
	// business_id and id: a studio's rows lie together, and one index finds a row and is what foreign keys point at. Root
	// paths are unique among all studios; dates that are to be offered have the id of another table.
	faults(t, w, "the primary key is led by business_id", `select c.relname::text || ' ' || pg_get_constraintdef(k.oid)`+tenantKey+`
		and not (k.conkey[1] = a.attnum and (cardinality(k.conkey) = 2 or c.relname = 'businesses') or c.relname = 'slugs')`)
	faults(t, w, "the rest of the primary key is the id", `select c.relname::text || ' ' || pg_get_constraintdef(k.oid)`+tenantKey+`
		and cardinality(k.conkey) = 2 and (select attname from pg_attribute where attrelid = c.oid and attnum = k.conkey[2])
			is distinct from case c.relname when 'waitlist_rounds' then 'occurrence_id' when 'audit_events' then 'seq' else 'id' end`)
	faults(t, w, "no second unique index has the key's columns", `select x.indexrelid::regclass::text`+tenantKey+`
		join pg_index x on x.indrelid = c.oid and x.indisunique and not x.indisprimary and x.indpred is null and x.indexprs is null
		where (select array_agg(n order by n) from unnest(x.indkey[0:x.indnkeyatts - 1]) n) = (select array_agg(n order by n) from unnest(k.conkey) n)`)
	faults(t, w, "an id alone is looked up in two tables", `select i.indexname::text from pg_indexes i
		where i.schemaname = 'public' and i.indexdef ~ '\(id[,)]' and i.tablename in (select c.relname`+tenant+`)
		and i.indexname not in ('locations_directory', 'offerings_directory')`)
	faults(t, w, "a table without a tenant is one we know", `select c.relname::text from pg_class c
		where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
		and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id')
		and c.relname not in ('persons', 'challenges', 'sessions', 'invites', 'replays', 'quotes', 'rate_windows', 'webhook_events', 'goose_db_version')`)
	faults(t, w, "foyer_owner owns every table", `select c.relname::text from pg_class c where c.relkind in ('r', 'p', 'v')
		and c.relnamespace = 'public'::regnamespace and pg_get_userbyid(c.relowner) <> 'foyer_owner'`)
	faults(t, w, "the serving roles hold DML rights only", `select table_name || ' ' || grantee || ' ' || privilege_type
		from information_schema.role_table_grants where table_schema = 'public' and grantee in ('foyer_app', 'foyer_job', 'PUBLIC')
		and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`)
	faults(t, w, "foyer_lookup reads named columns only", `select table_name || ' ' || privilege_type
		from information_schema.role_table_grants where grantee = 'foyer_lookup'`)
	faults(t, w, "a foreign key between tenant tables carries the business", `select k.conname::text from pg_constraint k
		join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'business_id'
		join pg_attribute b on b.attrelid = k.confrelid and b.attname = 'business_id'
		where k.contype = 'f' and not (k.conkey[1] = a.attnum and k.confkey[1] = b.attnum)`)
	faults(t, w, "a view asks as its caller", `select relname::text from pg_class where relkind = 'v'
		and relnamespace in ('public'::regnamespace, 'app'::regnamespace)
		and coalesce(array_to_string(reloptions, ','), '') not like '%security_invoker=true%'`)
	faults(t, w, "a definer function belongs to foyer_lookup, pins its path and is not public", `select p.proname::text from pg_proc p
		where p.pronamespace in ('app'::regnamespace, 'public'::regnamespace) and p.prosecdef
		and (pg_get_userbyid(p.proowner) <> 'foyer_lookup' or p.proconfig is null or has_function_privilege('public', p.oid, 'execute'))`)
	faults(t, w, "no product role may bypass the wall", `select rolname::text from pg_roles
		where rolname like 'foyer\_%' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`)
	faults(t, w, "no column reads the server's clock", `select c.relname || '.' || a.attname from pg_attrdef d
		join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
		where c.relnamespace = 'public'::regnamespace and c.relname <> 'goose_db_version'
		and pg_get_expr(d.adbin, d.adrelid) ~* '(now|timestamp|clock)'`)
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
		"waitlist_transitions.actor_id",
		"bookings.group_id", // not a row: what was booked together
		// The record outlives what it is about, and a key would lock a row of the business for every event.
		"audit_events.actor_id", "audit_events.business_id", "audit_events.location_id", "audit_events.record_id",
	}
	for _, l := range loose {
		if !slices.Contains(allowed, l) {
			t.Errorf("%s has no foreign key", l)
		}
	}
}

// TestRequiredConstraints: what guards seats and money may not be lost by a later migration.
func TestRequiredConstraints(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	have := apptest.Values[string](t, w, `select conname::text from pg_constraint union all select indexname from pg_indexes where schemaname = 'public'`)
	for _, want := range []string{
		"occurrences_seats", "occurrences_online_seats", "occurrences_rule_date_key", "holds_one_live", "holds_limit",
		"payments_one_open", "payments_attempt_key", "payments_amounts", "payments_sim", "refunds_one_automatic",
		"claims_member_once", "claims_space_once", "closures_once", "occurrences_offered", "waitlist_entries_once", "penalties_one",
		"orders_cart_key", "orders_amounts", "webhook_events_pkey", "slugs_pkey", "member_roles_once", "customers_person_key",
	} {
		if !slices.Contains(have, want) {
			t.Errorf("constraint or index %s is gone", want)
		}
	}
}
