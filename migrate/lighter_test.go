package migrate_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/migrate"
)

// TestAuditAsBefore: random changes of every audited table leave the same events as the trigger of 00001_ground.sql, which
// stands beside today's as its model. A trigger that looks at some columns only has a model that looks at all of them.
func TestAuditAsBefore(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	ground, err := os.ReadFile("sql/00001_ground.sql")
	if err != nil {
		t.Fatal(err)
	}
	model := regexp.MustCompile(`(?s)create function app\.audit\(\).*?\n\$\$;`).FindString(string(ground))
	model = strings.NewReplacer("app.audit()", "app.audit_model()", "insert into audit_events", "insert into audit_model").Replace(model)
	w.SQL(t, "create table audit_model (like audit_events including all)")
	w.SQL(t, model)
	for _, kind := range []string{"f", "c", "x", "u"} { // what is written makes no sense
		for _, drop := range apptest.Values[string](t, w, `select format('alter table %s drop constraint %I', conrelid::regclass, conname)
			from pg_constraint where connamespace = 'public'::regnamespace and contype = $1`, kind) {
			w.SQL(t, drop)
		}
	}
	for _, drop := range apptest.Values[string](t, w, `select 'drop index ' || indexrelid::regclass from pg_index
		where indisunique and not indisprimary and indrelid in (select tgrelid from pg_trigger where tgname = 'audit')`) {
		w.SQL(t, drop)
	}
	w.SQL(t, "alter table bookings disable trigger keep_booked")
	columns := regexp.MustCompile(`UPDATE OF [a-z_, ]+ ON`)
	for _, trigger := range apptest.Values[string](t, w, `select pg_get_triggerdef(oid) from pg_trigger where tgname = 'audit'`) {
		trigger = columns.ReplaceAllString(trigger, "UPDATE ON")
		w.SQL(t, strings.NewReplacer("TRIGGER audit ", "TRIGGER model ", "app.audit(", "app.audit_model(").Replace(trigger))
	}
	w.SQL(t, randomChanges)
	tables := apptest.Values[string](t, w, "select tgrelid::regclass::text from pg_trigger where tgname = 'audit' order by 1")
	some := apptest.Values[string](
		t, w, "select tgrelid::regclass::text from pg_trigger where tgname = 'audit' and tgqual is not null",
	)
	seed := float64(walks.Seed(t)%1000) / 1000
	for _, table := range tables {
		steps := walks.Steps(60, 600)
		if slices.Contains(some, table) { // its trigger is for one row of four
			steps *= 4
		}
		w.SQL(t, "call random_changes($1::regclass, $2, $3)", table, steps, seed)
		if n := apptest.Value[int](t, w, "select count(*) from audit_model where record = $1", table); n < 10 {
			t.Errorf("%s: only %d events", table, n)
		}
	}
	const told = `select concat_ws(' ', record, action, business_id, record_id, location_id, actor_kind, actor_id, actor_name, surface, reason,
		case when actor_kind <> 'system' then at end, 'before', before, 'after', after) from `
	if apart := apptest.Values[string](t, w, "("+told+"audit_events except all "+told+"audit_model) union all ("+
		told+"audit_model except all "+told+"audit_events) limit 6"); len(apart) > 0 {
		t.Errorf("the triggers tell different things:\n%s", strings.Join(apart, "\n"))
	}
}

// randomChanges makes a procedure that inserts, updates and deletes rows of a table. An update sets some columns, often to what
// they are.
const randomChanges = `
create function random_value(kind regtype, required boolean) returns jsonb language plpgsql as $$
declare
	n integer := floor(random() * 4);
begin
	if not required and random() < 0.3 then
		return 'null';
	end if;
	return case kind
		when 'uuid'::regtype then to_jsonb(gen_random_uuid())
		when 'jsonb'::regtype then (array['[]', '{}', '{"a": [1, {"b": null}]}', '"x"']::jsonb[])[n + 1]
		when 'date'::regtype then to_jsonb(date '2026-01-01' + n)
		when 'timestamptz'::regtype then to_jsonb(timestamptz '2026-01-01Z' + n * interval '1.000001 hours')
		when 'boolean'::regtype then to_jsonb(n > 1)
		when 'bytea'::regtype then to_jsonb('\x0' || n)
		when 'smallint'::regtype then to_jsonb(n)
		when 'integer'::regtype then to_jsonb(n)
		when 'bigint'::regtype then to_jsonb(n)
		else to_jsonb((array['', 'confirmed', E'"\\é\n', 'held'])[n + 1])
	end;
end $$;
create procedure random_changes(t regclass, steps integer, seed float8) language plpgsql as $$
declare
	patch jsonb;
	changed text;
begin
	perform setseed(seed);
	for step in 1..steps loop
		perform set_config('app.actor', case floor(random() * 3)
			when 0 then ''
			when 1 then '{"kind": "person", "id": "00000000-0000-7001-8000-000000000001", "name": "Ada \"L\"", "surface": "api", "reason": "so", "at": "2026-06-10T12:00:00.000001Z"}'
			else '{"kind": "visitor", "name": "", "surface": "hosted", "at": "2026-06-10T12:00:00Z"}' end, true);
		select jsonb_object_agg(attname, random_value(atttypid, attnotnull)), string_agg(quote_ident(attname), ', ') into patch, changed
			from pg_attribute where attrelid = t and attnum > 0 and not attisdropped and attgenerated = ''
			and (step % 3 = 1 or attname <> all (array['id', 'business_id']) and random() < 0.3);
		case step % 3
			when 1 then execute format('insert into %1$s (%3$s) select %3$s from jsonb_populate_record(null::%1$s, %2$L)', t,
				patch, changed);
			when 2 then
				if changed is not null then
					execute format('update %1$s x set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, to_jsonb(x) || %3$L)) '
						'where ctid in (select ctid from %1$s order by random() limit 2)', t, changed, patch);
				end if;
			else
				execute format('delete from %1$s where ctid in (select ctid from %1$s order by random() limit 1) and random() < 0.4
					and %1$L <> ''businesses''', t); -- nobody deletes a business, and neither trigger could tell of it
		end case;
	end loop;
end $$;`

// TestNoPathMisleads: the definer functions that set no search_path find what they found when somebody's path has tables and
// operators of the same names in front.
func TestNoPathMisleads(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	w.SQL(t, `create schema hostile; grant usage on schema hostile to public;
		create table hostile.carts (like public.carts); create table hostile.api_keys (like public.api_keys);
		create table hostile.locations (like public.locations); create table hostile.offerings (like public.offerings);
		create function hostile.yes(uuid, uuid) returns boolean language sql as 'select true';
		create function hostile.yes(bytea, bytea) returns boolean language sql as 'select true';
		create operator hostile.= (leftarg = uuid, rightarg = uuid, function = hostile.yes);
		create operator hostile.= (leftarg = bytea, rightarg = bytea, function = hostile.yes)`)
	w.SQL(t, `set session_replication_role = replica;
		insert into carts (id, business_id, location_id, token_hash, created_at, updated_at) select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), h, now(), now()
			from unnest(array['\x01', '\x02']::bytea[]) h;
		insert into api_keys (id, business_id, name, prefix, key_hash, features, created_by, created_at)
			select id, business_id, '', '', token_hash, '[]', id, now() from carts;
		insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
			select id, business_id, '', '', 'UTC', 'USD', now(), now() from carts;
		insert into offerings (id, business_id, location_id, kind, slug, name, duration_minutes, capacity, online_capacity, created_at, updated_at)
			select id, business_id, location_id, 'class', 'x', '', 60, 1, 1, now(), now() from carts;
		reset session_replication_role`)
	db := open(t, w.URL("postgres"))
	db.SetMaxOpenConns(1) // one path
	count := func(sql string) (n int) {
		t.Helper()
		if err := db.QueryRowContext(t.Context(), sql).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	argument := map[string]string{"find_cart": "token_hash", "find_api_key": "token_hash", "find_location": "id", "find_offering": "id"}
	for _, path := range []string{"public", "hostile, pg_catalog", "hostile, public, pg_catalog"} {
		if _, err := db.ExecContext(t.Context(), "set search_path = "+path); err != nil {
			t.Fatal(err)
		}
		for _, name := range migrate.Pathless {
			found := "public.carts c, app." + name + "(c." + argument[name] + ") f"
			if n := count("select count(*) from " + found); n != 2 {
				t.Errorf("%s finds %d rows for two with the path %s", name, n, path)
			}
			if n := count("select count(*) from " + found + " where f.business_id operator(pg_catalog.=) c.business_id"); n != 2 {
				t.Errorf("%s finds %d of two with the path %s", name, n, path)
			}
		}
	}
}

// TestSweepIndex: what a cart or a person asks of live holds is not looked for in the index of the sweep, even when the planner
// believes that there are none; the sweep itself uses it.
func TestSweepIndex(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	w.SQL(t, `set session_replication_role = replica;
		insert into holds (id, business_id, cart_id, person_id, customer_id, state, created_at, expires_at)
			select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'confirmed', now(), now() + interval '10 minutes'
			from generate_series(1, 3000);
		reset session_replication_role`)
	w.SQL(t, "analyze holds")
	plan := func(sql string) string {
		return strings.Join(apptest.Values[string](t, w, "explain "+sql), "\n")
	}
	for _, sql := range []string{
		"select count(*) from holds where business_id = gen_random_uuid() and person_id = '00000000-0000-7000-8000-000000000000' and state = 'live' and expires_at > now()",
		"select id from holds where business_id = '00000000-0000-7000-8000-000000000000' and cart_id = '00000000-0000-7000-8000-000000000000' and state = 'live'",
	} {
		if p := plan(sql); strings.Contains(p, "holds_due") {
			t.Errorf("%s\n%s", sql, p)
		}
	}
	if p := plan("select id from holds where (case when state = 'live' then expires_at end) <= now() order by (case when state = 'live' then expires_at end) limit 9"); !strings.Contains(p, "holds_due") {
		t.Error(p)
	}
}

// TestUpgradeWithRows: a database of version 4 with rows becomes today's, and keeps them.
func TestUpgradeWithRows(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 4); err != nil {
		t.Fatal(err)
	}
	old := open(t, d.URL("postgres"))
	if _, err := old.ExecContext(t.Context(), oldRows); err != nil {
		t.Fatal(err)
	}
	if _, err := migrate.Up(t.Context(), d.URL("foyer_owner"), nil); err != nil {
		t.Fatal(err)
	}
	const seen = `select set_config('app.business_id', '00000000-0000-7000-8000-000000000001', false)`
	app := open(t, d.URL("foyer_app"))
	app.SetMaxOpenConns(1)
	if _, err := app.ExecContext(t.Context(), seen); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]int{
		"select count(*) from orders": 1, "select count(*) from carts": 1, "select count(*) from businesses": 1,
		`select count(*) from app.find_cart('\x01')`: 1, `select count(*) from app.find_cart('\x02')`: 1,
		"select count(*) from app.due_holds('2026-01-02Z', 9)": 2,
	} {
		var n int
		if err := app.QueryRowContext(t.Context(), sql).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, want %d (%v)", sql, n, want, err)
		}
	}
	if _, err := app.ExecContext(t.Context(), "update orders set location_id = '00000000-0000-7000-8000-000000000009'"); err == nil || !strings.Contains(err.Error(), "orders_cart_fkey") {
		t.Errorf("an order went where its cart is not: %v", err)
	}
}

// oldRows are two businesses with an order each.
const oldRows = `
do $$ declare
	b uuid;
begin
	for n in 1..2 loop
		b := ('00000000-0000-7000-8000-00000000000' || n)::uuid;
		insert into businesses (business_id, name, slug, currency, zone, created_at, updated_at) values (b, 'Studio', 'studio', 'USD', 'UTC', now(), now());
		insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at) values (b, b, 'here', 'Here', 'UTC', 'USD', now(), now());
		insert into customers (id, business_id, created_at, updated_at) values (b, b, now(), now());
		insert into carts (id, business_id, location_id, token_hash, created_at, updated_at) values (b, b, b, ('\x0' || n)::bytea, now(), now());
		insert into persons (id, email, created_at, updated_at) values (b, n || '@example.com', now(), now());
		insert into holds (id, business_id, cart_id, person_id, customer_id, created_at, expires_at)
			values (b, b, b, b, b, '2026-01-01Z', '2026-01-01Z'::timestamptz + interval '10 minutes');
		insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode, subtotal_amount, tax_amount, total_amount, created_at)
			values (b, b, b, b, b, ('\x0' || n)::bytea, 'open', 'USD', 'exclusive', 0, 0, 0, now());
	end loop;
end $$`
