package apptest

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/app/pg/embedded"
)

// own is a clone that no other test gets.
func own(t *testing.T) *clone {
	t.Helper()
	c, err := newClone(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.drop(t) })
	return c
}

// do runs statements as the superuser.
func (c *clone) do(t *testing.T, sql string) {
	t.Helper()
	conn := c.super(t)
	defer conn.Release()
	if _, err := conn.Conn().PgConn().Exec(t.Context(), sql).ReadAll(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func (c *clone) super(t *testing.T) *pgxpool.Conn {
	t.Helper()
	conn, err := c.root.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// Every table and every sequence is used, and after emptying the dump of the database is the same as before.
func TestEmptiedIsLikeNew(t *testing.T) {
	c := own(t)
	// No row of one's own satisfies all checks of all tables.
	c.do(t, `do $$ declare x record; begin
		for x in select conrelid::regclass as tab, conname from pg_constraint where contype = 'c' and conrelid <> 0 and conislocal loop
			execute format('alter table %s drop constraint if exists %I', x.tab, x.conname);
		end loop; end $$`)
	conn := c.super(t)
	o, err := readOriginal(t.Context(), conn.Conn())
	if err != nil {
		t.Fatal(err)
	}
	if len(o.filled) == 0 || len(o.sequences) < 3 {
		t.Fatalf("the template fills %v and has the sequences %v: it would prove nothing", o.filled, o.sequences)
	}
	before := dump(t, c)
	tables := fill(t, conn.Conn(), o)
	conn.Release()
	if tables < 80 {
		t.Fatalf("only %d tables", tables)
	}
	if dump(t, c) == before {
		t.Fatal("nothing was filled")
	}
	if err := c.emptyTo(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if after := dump(t, c); after != before {
		t.Error("filled and emptied it is another one")
	}
}

// fill puts a row into every table that is empty, takes a value of every sequence, and counts the tables.
func fill(t *testing.T, conn *pgx.Conn, o *original) int {
	t.Helper()
	rows, err := conn.Query(t.Context(), `select format('%I.%I', n.nspname, c.relname), coalesce((select jsonb_object_agg(a.attname, case
			when a.atttypid = 'uuid'::regtype then to_jsonb(gen_random_uuid())
			when a.atttypid in ('jsonb'::regtype, 'json'::regtype) then '[]'
			when a.atttypid in ('date'::regtype, 'timestamptz'::regtype, 'timestamp'::regtype) then '"2026-01-01"'
			when y.typcategory = 'N' then '1'
			when a.atttypid = 'boolean'::regtype then 'false'
			when y.typcategory = 'A' then '[]'
			when y.typtype = 'e' then to_jsonb((select enumlabel from pg_enum where enumtypid = y.oid order by enumsortorder limit 1))
			else '""' end)::text
		from pg_attribute a join pg_type y on y.oid = a.atttypid
		where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull), '{}'),
		coalesce((select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
			where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '')
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`)
	if err != nil {
		t.Fatal(err)
	}
	var table, values, columns string
	var script strings.Builder
	tables := 0
	_, err = pgx.ForEachRow(rows, []any{&table, &values, &columns}, func() error {
		if _, filled := o.filled[table]; !filled {
			tables++
			fmt.Fprintf(&script, "insert into %[1]s (%[3]s) select %[3]s from jsonb_populate_record(null::%[1]s, '%[2]s');\n",
				table, values, columns)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sequences, err := sequencesOf(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sequences {
		fmt.Fprintf(&script, "select nextval('%s'), nextval('%[1]s');\n", s.name)
	}
	if _, err := conn.PgConn().Exec(t.Context(), "set session_replication_role = replica;\n"+script.String()).ReadAll(); err != nil {
		t.Fatal(err)
	}
	return tables
}

// dump is the output of pg_dump, without its random keys. It returns when the server has ended pg_dump's connection,
// too: that takes a moment longer than the program.
func dump(t *testing.T, c *clone) string {
	t.Helper()
	client, err := embedded.FindClient(t.Context(), embedded.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(client.Dir, "pg_dump"), c.URL("postgres")).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	conn := c.super(t)
	defer conn.Release()
	for left := 1; left > 0; {
		const dumping = `select count(*) from pg_stat_activity, pg_sleep(0.005)
			where application_name = 'pg_dump' and datname = $1`
		if err := conn.QueryRow(t.Context(), dumping, c.Name).Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
	return regexp.MustCompile(`(?m)^\\(un)?restrict .*$`).ReplaceAllString(string(out), "")
}

// A clone that cannot be emptied is not used again.
func TestSpoiled(t *testing.T) {
	for what, spoil := range map[string]func(t *testing.T, c *clone){
		"an index":               func(t *testing.T, c *clone) { c.do(t, "create index on customers (name)") },
		"a trigger is off":       func(t *testing.T, c *clone) { c.do(t, "alter table customers disable trigger user") },
		"a policy":               func(t *testing.T, c *clone) { c.do(t, "create policy everything on customers using (true)") },
		"a right":                func(t *testing.T, c *clone) { c.do(t, "revoke select on customers from foyer_app") },
		"a function":             func(t *testing.T, c *clone) { c.do(t, "create function one() returns int language sql as 'select 1'") },
		"statistics":             func(t *testing.T, c *clone) { c.do(t, "insert into customers select * from customers; analyze") },
		"a setting":              func(t *testing.T, c *clone) { c.do(t, "alter database "+c.Name+" set lock_timeout = 1") },
		"nobody may connect":     func(t *testing.T, c *clone) { c.do(t, "alter database "+c.Name+" connection limit 0") },
		"a row of the template":  func(t *testing.T, c *clone) { c.do(t, "delete from goose_db_version where id = 1") },
		"a large table":          func(t *testing.T, c *clone) { c.do(t, large) },
		"a connection is out":    func(t *testing.T, c *clone) { t.Cleanup(c.super(t).Release) },
		"a connection of others": stranger,
	} {
		t.Run(what, func(t *testing.T) {
			c := own(t)
			if err := c.empty(t.Context()); err != nil {
				t.Fatalf("before: %v", err)
			}
			spoil(t, c)
			if err := c.empty(t.Context()); !errors.Is(err, errSpoiled) {
				t.Errorf("%v, want %v", err, errSpoiled)
			}
		})
	}
}

const large = `set session_replication_role = replica;
	insert into river.river_job (kind, max_attempts, args) select 'x', 1, jsonb_build_object('a', repeat('x', 1000)) from generate_series(1, 1500);
	set session_replication_role = origin`

func stranger(t *testing.T, c *clone) {
	conn, err := pgx.Connect(t.Context(), c.URL("foyer_app"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
}

// The next test finds connections that know nothing of the last, and the last one cannot use them any more.
func TestUsedAgain(t *testing.T) {
	c := own(t)
	c.do(t, "set session_replication_role = replica; set role foyer_app; select pg_advisory_lock(7); listen x")
	var first *pg.DB
	t.Run("first", func(t *testing.T) {
		var err error
		if first, err = c.open(t, "foyer_app", 2, true, pg.Config{Clock: clock.NewFixed(Start)}); err != nil {
			t.Fatal(err)
		}
		if _, err := first.Pool().Exec(t.Context(), "set work_mem = '64kB'"); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := first.Pool().Exec(t.Context(), "select 1"); err == nil {
		t.Error("a test that has ended can still write")
	}
	if err := c.empty(t.Context()); err != nil {
		t.Fatal(err)
	}
	second, err := c.open(t, "foyer_app", 2, true, pg.Config{Clock: clock.NewFixed(Start)})
	if err != nil {
		t.Fatal(err)
	}
	if n := second.Pool().Stat().TotalConns(); n != 1 {
		t.Errorf("%d connections were kept, want the one there was", n)
	}
	conn := c.super(t)
	defer conn.Release()
	for sql, want := range map[string]string{
		"select current_setting('session_replication_role') || ' ' || current_user":                                                                       "origin postgres",
		"select count(*)::text from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())": "0",
		"select count(*)::text from pg_listening_channels()":                                                                                              "0",
	} {
		var got string
		if err := conn.QueryRow(t.Context(), sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", sql, got, err, want)
		}
	}
	var mem string
	if err := second.Pool().QueryRow(t.Context(), "show work_mem").Scan(&mem); err != nil || mem == "64kB" {
		t.Errorf("work_mem is %s, %v", mem, err)
	}
}
