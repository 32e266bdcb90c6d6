package apptest

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// catalogs are the tables of a schema, with the newest change of each. Changes in place (VACUUM) are none.
var catalogs = []string{"pg_namespace", "pg_class", "pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_trigger", "pg_rewrite", "pg_proc",
	"pg_type", "pg_enum", "pg_policy", "pg_statistic", "pg_statistic_ext", "pg_extension", "pg_publication", "pg_default_acl"}

// fingerprintSQL is one text for the schema and the settings of a database.
var fingerprintSQL = func() string {
	var b strings.Builder
	b.WriteString("select concat_ws(' '")
	for _, c := range catalogs {
		fmt.Fprintf(&b, ", (select count(*) || ' ' || max(xmin::text::bigint) from %s)", c)
	}
	b.WriteString(`, (select concat(datallowconn, datconnlimit, datacl, datdba) from pg_database where datname = current_database()),
		(select string_agg(setrole || setconfig::text, ' ' order by setrole) from pg_db_role_setting
			where setdatabase = (select oid from pg_database where datname = current_database())))`)
	return b.String()
}()

// tablesSQL are all tables with a page, and how large the largest is.
const tablesSQL = `select format('%I.%I', n.nspname, c.relname), pg_relation_size(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and c.relpersistence <> 't' and pg_relation_size(c.oid) > 0`

// sequencesSQL are all sequences, where they stand, and where they begin.
const sequencesSQL = `select format('%I.%I', schemaname, sequencename), coalesce(last_value, 0), start_value from pg_sequences`

// original describes the template: a clone that differs from it is not used again.
type original struct {
	fingerprint string
	filled      map[string]string // the tables that the template fills, by name, with a hash of their rows
	sequences   map[string]int64  // the last value; 0: unused
}

// originals is read once a process, of its first clone: clones of one template are alike, row for row of the catalog.
var originals struct {
	sync.Mutex
	of *original
}

// originalOf describes the template; conn is to an unused clone of it, or the description is cached.
func originalOf(ctx context.Context, conn *pgx.Conn) (*original, error) {
	originals.Lock()
	defer originals.Unlock()
	var err error
	if originals.of == nil {
		originals.of, err = readOriginal(ctx, conn)
	}
	return originals.of, err
}

func readOriginal(ctx context.Context, conn *pgx.Conn) (*original, error) {
	o := &original{filled: map[string]string{}, sequences: map[string]int64{}}
	var err error
	if o.fingerprint, err = fingerprint(ctx, conn); err != nil {
		return nil, err
	}
	tables, err := sizes(ctx, conn)
	if err != nil {
		return nil, err
	}
	for name := range tables {
		hash, rows, err := hashOf(ctx, conn, name)
		if err != nil {
			return nil, err
		}
		if rows > 0 {
			o.filled[name] = hash
		}
	}
	sequences, err := sequencesOf(ctx, conn)
	for _, s := range sequences {
		o.sequences[s.name] = s.last
	}
	return o, err
}

func fingerprint(ctx context.Context, conn *pgx.Conn) (text string, err error) {
	err = conn.QueryRow(ctx, fingerprintSQL).Scan(&text)
	return text, err
}

func sizes(ctx context.Context, conn *pgx.Conn) (map[string]int64, error) {
	out := map[string]int64{}
	rows, err := conn.Query(ctx, tablesSQL)
	if err != nil {
		return nil, err
	}
	var name string
	var size int64
	_, err = pgx.ForEachRow(rows, []any{&name, &size}, func() error { out[name] = size; return nil })
	return out, err
}

func hashOf(ctx context.Context, conn *pgx.Conn, table string) (hash string, rows int, err error) {
	err = conn.QueryRow(ctx, "select coalesce(md5(string_agg(x, '|' order by x)), ''), count(*) from (select to_jsonb(r)::text x from "+table+" r) q").Scan(&hash, &rows)
	return hash, rows, err
}

type sequence struct {
	name        string
	last, start int64
}

func sequencesOf(ctx context.Context, conn *pgx.Conn) (list []sequence, err error) {
	rows, err := conn.Query(ctx, sequencesSQL)
	if err != nil {
		return nil, err
	}
	var s sequence
	_, err = pgx.ForEachRow(rows, []any{&s.name, &s.last, &s.start}, func() error { list = append(list, s); return nil })
	return list, err
}

// sayNothing resets the settings and locks of a connection.
const sayNothing = "reset session authorization; reset role; reset all; select pg_advisory_unlock_all(); unlisten *"

// empty makes the clone equal to the template again, or returns errSpoiled.
func (c *clone) empty(ctx context.Context) error { return c.emptyTo(ctx, nil) }

// emptyTo makes it like an original; nil: like the template.
func (c *clone) emptyTo(ctx context.Context, o *original) error {
	if !c.idle() {
		return fmt.Errorf("%w: a connection is out", errSpoiled)
	}
	for _, pool := range c.pools() {
		if err := reset(ctx, pool); err != nil {
			return fmt.Errorf("%w: %w", errSpoiled, err)
		}
	}
	conn, err := c.root.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errSpoiled, err)
	}
	defer conn.Release()
	ours := 0
	for _, pool := range c.pools() {
		ours += int(pool.Stat().TotalConns())
	}
	if o == nil {
		if o, err = originalOf(ctx, conn.Conn()); err != nil {
			return err
		}
	}
	if err := o.check(ctx, conn.Conn(), ours); err != nil {
		return err
	}
	return o.restore(ctx, conn.Conn())
}

// reset resets the connections of a pool.
func reset(ctx context.Context, pool *pgxpool.Pool) (failed error) {
	for _, conn := range pool.AcquireAllIdle(ctx) {
		if _, err := conn.Conn().PgConn().Exec(ctx, sayNothing).ReadAll(); err != nil {
			failed = err
		}
		conn.Release()
	}
	return failed
}

// check compares a clone that only these connections may use.
func (o *original) check(ctx context.Context, conn *pgx.Conn, ours int) error {
	var all int
	err := conn.QueryRow(ctx, "select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend'").Scan(&all)
	if err != nil {
		return err
	}
	if all > ours {
		return fmt.Errorf("%w: %d connections, %d of them known", errSpoiled, all, ours)
	}
	text, err := fingerprint(ctx, conn)
	if err != nil {
		return err
	}
	if text != o.fingerprint {
		return fmt.Errorf("%w: another schema: %s, not %s", errSpoiled, text, o.fingerprint)
	}
	for table, want := range o.filled {
		hash, _, err := hashOf(ctx, conn, table)
		if err != nil {
			return err
		}
		if hash != want {
			return fmt.Errorf("%w: other rows in %s", errSpoiled, table)
		}
	}
	return nil
}

// restore deletes the rows and sets the sequences back.
func (o *original) restore(ctx context.Context, conn *pgx.Conn) error {
	tables, err := sizes(ctx, conn)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("begin; set local session_replication_role = replica; ")
	for name, size := range tables {
		if _, filled := o.filled[name]; filled {
			continue
		}
		if size > sizeMost {
			return fmt.Errorf("%w: %s has %d bytes", errSpoiled, name, size)
		}
		b.WriteString("delete from " + name + "; ")
	}
	sequences, err := sequencesOf(ctx, conn)
	if err != nil {
		return err
	}
	for _, s := range sequences {
		if want := o.sequences[s.name]; want != s.last {
			fmt.Fprintf(&b, "select setval('%s', %d, %t); ", s.name, max(want, s.start), want > 0)
		}
	}
	b.WriteString("commit; select pg_stat_reset()")
	_, err = conn.PgConn().Exec(ctx, b.String()).ReadAll()
	return err
}
