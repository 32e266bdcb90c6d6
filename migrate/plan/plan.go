package plan

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"strings"

	"ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	entschema "entgo.io/ent/dialect/sql/schema"
)

// Missing lists the statements that give a migrated database what package schema says. empty is a second database of the
// same server with nothing in it. It drops no table, column or index.
func Missing(ctx context.Context, migrated, empty *sql.DB) ([]string, error) {
	return statements(ctx, migrated, empty, false)
}

// Drift lists the statements that would make a migrated database exactly what package schema says.
func Drift(ctx context.Context, migrated, empty *sql.DB) ([]string, error) {
	strangers, err := strangers(ctx, migrated)
	if err != nil {
		return nil, err
	}
	rest, err := statements(ctx, migrated, empty, true)
	return append(strangers, rest...), err
}

func statements(ctx context.Context, migrated, empty *sql.DB, drops bool) ([]string, error) {
	tables, err := entTables()
	if err != nil {
		return nil, err
	}
	all := allNotes()
	d := differ{ctx: ctx, empty: empty, notes: all}
	seen := &collector{}
	m, err := entschema.NewMigrate(entsql.OpenDB(dialect.Postgres, migrated),
		entschema.WithDir(&migrate.MemDir{}), entschema.WithFormatter(seen), entschema.WithMigrationMode(entschema.ModeInspect),
		entschema.WithDiffHook(d.hook), entschema.WithDiffOptions(atlas.DiffNormalized()), entschema.WithErrNoPlan(true), entschema.WithIndent("\t"),
		entschema.WithDropColumn(drops), entschema.WithDropIndex(drops))
	if err != nil {
		return nil, err
	}
	if err := m.NamedDiff(ctx, "next", tables...); err != nil && !errors.Is(err, migrate.ErrNoPlan) {
		return nil, err
	}
	calls, err := missingCalls(ctx, migrated, tables, all, drops)
	if err != nil {
		return nil, err
	}
	return append(behindTheWall(seen.statements), calls...), nil
}

// collector takes the statements of a plan instead of writing a file.
type collector struct{ statements []string }

// tidy mends the plan's indents.
var tidy = strings.NewReplacer("\n\t ", "\n\t", "ADD\n", "ADD ", ", ADD ", ",\n\tADD ")

// Format implements migrate.Formatter.
func (c *collector) Format(p *migrate.Plan) ([]migrate.File, error) {
	for _, change := range p.Changes {
		c.statements = append(c.statements, tidy.Replace(change.Cmd))
	}
	return nil, nil
}

var addsReference = regexp.MustCompile(`(?s)^ALTER TABLE.*FOREIGN KEY`)

// behindTheWall lets a new foreign key look at all businesses' rows of a table that has some.
func behindTheWall(statements []string) []string {
	for _, s := range statements {
		if addsReference.MatchString(s) {
			return append(append([]string{"CALL app.wall(false)"}, statements...), "CALL app.wall(true)")
		}
	}
	return statements
}

// differ compares what is with what is wanted.
type differ struct {
	ctx   context.Context
	empty *sql.DB
	notes map[string]notes
}

// hook is the DiffHook: before ent's comparison the wanted tables get what our annotations say and are spelled as Postgres
// spells them; after it, what is new is written as package schema has it.
func (d differ) hook(next entschema.Differ) entschema.Differ {
	return entschema.DiffFunc(func(current, want *atlas.Schema) ([]atlas.Change, error) {
		if err := complete(want, d.notes); err != nil {
			return nil, err
		}
		spelled, err := d.spelled(want)
		if err != nil {
			return nil, err
		}
		for _, t := range current.Tables {
			t.Indexes = withoutExclusions(t.Indexes)
		}
		changes, err := next.Diff(current, spelled)
		for _, c := range changes {
			asWritten(c, want)
		}
		return changes, err
	})
}

// spelled makes the tables in the empty database and reads them back: "state in ('a', 'b')" is stored as something else.
func (d differ) spelled(want *atlas.Schema) (*atlas.Schema, error) {
	driver, err := postgres.Open(d.empty)
	if err != nil {
		return nil, err
	}
	spelled, err := driver.(atlas.Normalizer).NormalizeSchema(d.ctx, want)
	if err != nil {
		return nil, err
	}
	spelled.Name, spelled.Attrs = want.Name, want.Attrs
	return spelled, nil
}

// withoutExclusions leaves out what hand-written files add: to ent an exclusion constraint is an index it does not know.
func withoutExclusions(indexes []*atlas.Index) []*atlas.Index {
	return slices.DeleteFunc(indexes, func(i *atlas.Index) bool {
		return slices.ContainsFunc(i.Attrs, func(a atlas.Attr) bool {
			c, ok := a.(*postgres.Constraint)
			return ok && c.T == "x"
		})
	})
}

// asWritten puts what is new back into the words of package schema.
func asWritten(c atlas.Change, want *atlas.Schema) {
	switch c := c.(type) {
	case *atlas.AddTable:
		if t, ok := want.Table(c.T.Name); ok {
			c.T = t
		}
	case *atlas.ModifyTable:
		t, ok := want.Table(c.T.Name)
		if !ok {
			return
		}
		for _, cc := range c.Changes {
			switch cc := cc.(type) {
			case *atlas.AddColumn:
				if column, ok := t.Column(cc.C.Name); ok {
					cc.C = column
				}
			case *atlas.AddCheck:
				cc.C = checkOf(t, cc.C)
			case *atlas.ModifyCheck:
				cc.To = checkOf(t, cc.To)
			case *atlas.AddIndex:
				if i, ok := t.Index(cc.I.Name); ok {
					cc.I = i
				}
			case *atlas.AddForeignKey:
				if k, ok := t.ForeignKey(cc.F.Symbol); ok {
					cc.F = k
				}
			}
		}
	}
}

func checkOf(t *atlas.Table, spelled *atlas.Check) *atlas.Check {
	for _, a := range t.Attrs {
		if written, ok := a.(*atlas.Check); ok && written.Name == spelled.Name {
			return written
		}
	}
	return spelled
}
