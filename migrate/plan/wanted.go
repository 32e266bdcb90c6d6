package plan

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	entschema "entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"github.com/jackc/pgx/v5/pgtype"

	"foyer/schema"
)

// tenant is the column that makes a table a tenant's.
const tenant = "business_id"

// notes are the annotations of one table that ent does not know.
type notes struct {
	key         schema.Key
	references  schema.References
	expressions schema.Expressions
	generated   schema.Generated
	audited     *schema.Audited
	byHand      bool
	appendOnly  bool
	lookup      schema.Lookup
}

// entTables are the tables as ent understands them.
func entTables() ([]*entschema.Table, error) {
	storage, err := gen.NewStorage("sql")
	if err != nil {
		return nil, err
	}
	var loaded []*load.Schema
	for _, s := range schema.All {
		body, err := load.MarshalSchema(s)
		if err != nil {
			return nil, err
		}
		l, err := load.UnmarshalSchema(body)
		if err != nil {
			return nil, err
		}
		loaded = append(loaded, l)
	}
	graph, err := gen.NewGraph(&gen.Config{Package: "foyer/ent", Schema: "foyer/schema", Storage: storage}, loaded...)
	if err != nil {
		return nil, err
	}
	return graph.Tables()
}

// allNotes are the notes of every table, by name.
func allNotes() map[string]notes {
	all := map[string]notes{}
	for _, s := range schema.All {
		name, n := notesOf(s)
		all[name] = n
	}
	return all
}

func notesOf(s ent.Interface) (table string, n notes) {
	for _, a := range s.Annotations() {
		switch a := a.(type) {
		case entsql.Annotation:
			table = a.Table
		case schema.Key:
			n.key = a
		case schema.References:
			n.references = a
		case schema.Expressions:
			n.expressions = a
		case schema.Generated:
			n.generated = a
		case schema.Audited:
			n.audited = &a
		case schema.AuditedByHand:
			n.byHand = true
		case schema.AppendOnly:
			n.appendOnly = true
		case schema.Lookup:
			n.lookup = a
		}
	}
	return table, n
}

// complete gives ent's tables what the notes say.
func complete(want *atlas.Schema, all map[string]notes) error {
	for _, t := range want.Tables {
		n := all[t.Name]
		if err := addGenerated(t, n.generated); err != nil {
			return err
		}
		slices.SortStableFunc(t.Columns, func(a, b *atlas.Column) int { return place(a.Name) - place(b.Name) })
		if err := setKey(t, n.key); err != nil {
			return err
		}
		for _, i := range t.Indexes {
			if err := finishIndex(t, i, n.expressions[i.Name]); err != nil {
				return err
			}
		}
	}
	for _, t := range want.Tables {
		for _, r := range all[t.Name].references {
			if err := addReference(want, t, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// place sorts columns: what finds the row, what the type says, what every row has.
func place(column string) int {
	return map[string]int{"id": -2, tenant: -1, "version": 1, "created_at": 2, "updated_at": 3}[column]
}

// addGenerated adds the columns that Postgres computes.
func addGenerated(t *atlas.Table, generated schema.Generated) error {
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		from, err := columnsOf(t, []string{generated[name].From})
		if err != nil {
			return err
		}
		t.AddColumns(atlas.NewNullColumn(name).SetType(from[0].Type.Type).
			SetGeneratedExpr(&atlas.GeneratedExpr{Expr: generated[name].SQL, Type: "STORED"}))
	}
	return nil
}

// setKey makes the primary key. A studio's rows lie together, and one index finds a row and is what foreign keys point at.
func setKey(t *atlas.Table, own schema.Key) error {
	columns := []string(own)
	if len(columns) == 0 {
		for _, part := range t.PrimaryKey.Parts {
			columns = append(columns, part.C.Name)
		}
		if _, ok := t.Column(tenant); ok && columns[0] != tenant {
			columns = append([]string{tenant}, columns...)
		}
	}
	key, err := columnsOf(t, columns)
	if err != nil {
		return err
	}
	t.SetPrimaryKey(atlas.NewPrimaryKey(key...))
	return nil
}

// finishIndex puts expressions where they belong. A unique index that a constraint can say is a constraint.
func finishIndex(t *atlas.Table, i *atlas.Index, expressions map[string]string) error {
	for column, expr := range expressions {
		at := slices.IndexFunc(i.Parts, func(p *atlas.IndexPart) bool { return p.C != nil && p.C.Name == column })
		if at < 0 {
			return fmt.Errorf("index %s of %s has no column %s to replace", i.Name, t.Name, column)
		}
		i.Parts[at].C, i.Parts[at].X = nil, &atlas.RawExpr{X: expr}
	}
	partial := slices.ContainsFunc(i.Attrs, func(a atlas.Attr) bool { _, ok := a.(*postgres.IndexPredicate); return ok })
	if i.Unique && !partial && len(expressions) == 0 {
		i.AddAttrs(postgres.UniqueConstraint(i.Name))
	}
	return nil
}

// addReference makes a foreign key, led by business_id where both tables have one.
func addReference(all *atlas.Schema, t *atlas.Table, r schema.Reference) error {
	other, ok := all.Table(r.To)
	if !ok {
		return fmt.Errorf("%s refers to %s, which is no table", t.Name, r.To)
	}
	last := r.By[len(r.By)-1]
	by, to := slices.Clone(r.By), append(slices.Clone(r.By[:len(r.By)-1]), idOf(other))
	_, ours := t.Column(tenant)
	_, theirs := other.Column(tenant)
	if ours && theirs && idOf(other) != tenant {
		by, to = append([]string{tenant}, by...), append([]string{tenant}, to...)
	}
	columns, err := columnsOf(t, by)
	if err != nil {
		return err
	}
	targets, err := columnsOf(other, to)
	if err != nil {
		return err
	}
	name := r.Name
	if name == "" {
		name = t.Name + "_" + strings.TrimSuffix(last, "_id") + "_fkey"
	}
	key := atlas.NewForeignKey(name).AddColumns(columns...).SetRefTable(other).AddRefColumns(targets...)
	if r.Weak {
		key.SetOnDelete(atlas.SetNull)
	}
	if r.Part {
		key.SetOnDelete(atlas.Cascade)
	}
	t.AddForeignKeys(key)
	return nil
}

// idOf is the column that tells the rows of a table apart: the last of its key.
func idOf(t *atlas.Table) string { return t.PrimaryKey.Parts[len(t.PrimaryKey.Parts)-1].C.Name }

func columnsOf(t *atlas.Table, names []string) ([]*atlas.Column, error) {
	var columns []*atlas.Column
	for _, name := range names {
		c, ok := t.Column(name)
		if !ok {
			return nil, fmt.Errorf("%s has no column %s", t.Name, name)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

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
