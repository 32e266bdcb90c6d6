package plan

import (
	"fmt"
	"slices"
	"strings"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	entschema "entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"

	"foyer/schema"
)

// tenant is the column that makes a table a tenant's.
const tenant = "business_id"

// notes are the annotations of one table that ent does not know.
type notes struct {
	key         schema.Key
	references  schema.References
	expressions schema.Expressions
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
	t.AddForeignKeys(atlas.NewForeignKey(name).AddColumns(columns...).SetRefTable(other).AddRefColumns(targets...))
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
