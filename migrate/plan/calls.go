package plan

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	entschema "entgo.io/ent/dialect/sql/schema"
	"github.com/jackc/pgx/v5/pgtype"

	"foyer/schema"
)

// state is what the catalog says of a table that the procedures of 00001_ground.sql do.
type state struct {
	walled   bool     // app.tenant_table
	served   bool     // the serving roles may insert
	mutable  bool     // and update
	lookedUp bool     // app.lookup
	lookup   []string // the columns it names, sorted
	audited  bool     // app.audited, or a trigger by hand
	silent   []string // the columns it names
}

// states reads the catalog.
func states(ctx context.Context, db *sql.DB) (map[string]state, error) {
	rows, err := db.QueryContext(ctx, `
		select c.relname::text,
			exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant'),
			has_table_privilege('foyer_app', c.oid, 'insert'), has_table_privilege('foyer_app', c.oid, 'update'),
			exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'lookup'),
			array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
				and has_column_privilege('foyer_lookup', c.oid, a.attnum, 'select') order by 1),
			t.oid is not null,
			case when t.tgnargs > 0 then string_to_array(rtrim(encode(t.tgargs, 'escape'), '\000'), '\000') else '{}' end
		from pg_class c left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'audit'
		where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'goose_db_version'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m, all := pgtype.NewMap(), map[string]state{}
	for rows.Next() {
		var name string
		var s state
		if err := rows.Scan(&name, &s.walled, &s.served, &s.mutable, &s.lookedUp, m.SQLScanner(&s.lookup), &s.audited,
			m.SQLScanner(&s.silent)); err != nil {
			return nil, err
		}
		all[name] = s
	}
	return all, rows.Err()
}

// strangers drops the tables that package schema does not know.
func strangers(ctx context.Context, db *sql.DB) ([]string, error) {
	all, err := states(ctx, db)
	if err != nil {
		return nil, err
	}
	known := allNotes()
	var drops []string
	for name := range all {
		if _, ok := known[name]; !ok {
			drops = append(drops, fmt.Sprintf("DROP TABLE %q", name))
		}
	}
	slices.Sort(drops)
	return drops, nil
}

// missingCalls lists the calls that tables lack, and with drops also what takes back those they have too many.
func missingCalls(ctx context.Context, db *sql.DB, tables []*entschema.Table, all map[string]notes, drops bool) ([]string, error) {
	have, err := states(ctx, db)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range tables {
		add, drop := calls(t.Name, t.HasColumn(tenant), all[t.Name], have[t.Name])
		out = append(out, add...)
		if drops {
			out = append(out, drop...)
		}
	}
	return out, nil
}

// calls compares one table with its state.
func calls(table string, isTenant bool, n notes, s state) (add, drop []string) {
	name := "'" + table + "'"
	switch {
	case isTenant && !s.walled:
		add = append(add, "CALL app.tenant_table("+name+")")
		s.served, s.mutable = true, true
	case !isTenant && !s.served:
		add = append(add, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON %q TO foyer_app, foyer_job", table))
		s.mutable = true
	case !s.served:
		drop = append(drop, fmt.Sprintf("GRANT SELECT, INSERT ON %q TO foyer_app, foyer_job", table))
	}
	if n.appendOnly && s.mutable {
		add = append(add, "CALL app.append_only("+name+")")
	}
	if !n.appendOnly && !s.mutable {
		drop = append(drop, fmt.Sprintf("GRANT UPDATE, DELETE ON %q TO foyer_app, foyer_job", table))
	}
	more, less := lookupCalls(table, n.lookup, s)
	add, drop = append(add, more...), append(drop, less...)
	more, less = auditCalls(table, n, s)
	return append(add, more...), append(drop, less...)
}

func lookupCalls(table string, want schema.Lookup, s state) (add, drop []string) {
	missing := slices.DeleteFunc(slices.Clone(want), func(c string) bool { return slices.Contains(s.lookup, c) })
	surplus := slices.DeleteFunc(slices.Clone(s.lookup), func(c string) bool { return slices.Contains(want, c) })
	switch {
	case len(want) > 0 && !s.lookedUp:
		add = append(add, fmt.Sprintf("CALL app.lookup('%s', '%s')", table, strings.Join(want, ", ")))
	case len(missing) > 0:
		add = append(add, fmt.Sprintf("GRANT SELECT (%s) ON %q TO foyer_lookup", strings.Join(missing, ", "), table))
	case len(want) == 0 && s.lookedUp:
		drop = append(drop, fmt.Sprintf("DROP POLICY lookup ON %q", table))
	}
	if len(surplus) > 0 {
		drop = append(drop, fmt.Sprintf("REVOKE SELECT (%s) ON %q FROM foyer_lookup", strings.Join(surplus, ", "), table))
	}
	return add, drop
}

func auditCalls(table string, n notes, s state) (add, drop []string) {
	trigger := fmt.Sprintf("DROP TRIGGER audit ON %q", table)
	switch {
	case n.byHand && !s.audited:
		drop = append(drop, fmt.Sprintf("CREATE TRIGGER audit ON %q -- as a hand-written file has it", table))
	case n.byHand || n.audited == nil && !s.audited:
	case n.audited == nil:
		drop = append(drop, trigger)
	default:
		call := "CALL app.audited('" + strings.Join(append([]string{table}, *n.audited...), "', '") + "')"
		if !s.audited {
			add = append(add, call)
		} else if !slices.Equal(s.silent, *n.audited) {
			add = append(add, trigger, call)
		}
	}
	return add, drop
}
