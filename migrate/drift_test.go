package migrate_test

import (
	"bytes"
	"database/sql"
	"strings"
	"testing"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"foyer/app/apptest"
	entmigrate "foyer/ent/migrate"
	"foyer/migrate"
)

// TestSchemaAgrees: the tables that ent believes in are the tables that the SQL makes, column by column. Keys, checks,
// foreign keys and indexes are the SQL's alone, so differences in those do not count.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	if diff := drift(t, w); diff != "" {
		t.Errorf("package schema and migrate/sql differ; to make the database like the schema one would run:\n%s", diff)
	}
	w.SQL(t, "alter table offerings add column extra text, drop column heading, alter column name type bigint using 0")
	for _, want := range []string{"DROP COLUMN \"extra\"", "ADD COLUMN \"heading\"", "ALTER COLUMN \"name\" TYPE"} {
		if !strings.Contains(drift(t, w), want) {
			t.Errorf("the test does not see %s", want)
		}
	}
}

func drift(t *testing.T, w *apptest.World) string {
	t.Helper()
	db, err := sql.Open("pgx", w.URL("foyer_owner"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	columnsOnly := schema.WithDiffHook(func(next schema.Differ) schema.Differ {
		return schema.DiffFunc(func(current, desired *atlas.Schema) ([]atlas.Change, error) {
			changes, err := next.Diff(current, desired)
			return columnChanges(changes), err
		})
	})
	var out bytes.Buffer
	err = entmigrate.NewSchema(entsql.OpenDB(dialect.Postgres, db)).WriteTo(t.Context(), &out,
		columnsOnly, schema.WithDropColumn(true))
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func columnChanges(changes []atlas.Change) []atlas.Change {
	var kept []atlas.Change
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.AddTable:
			kept = append(kept, c)
		case *atlas.ModifyTable:
			var columns []atlas.Change
			for _, cc := range c.Changes {
				switch cc.(type) {
				case *atlas.AddColumn, *atlas.DropColumn, *atlas.ModifyColumn:
					columns = append(columns, cc)
				}
			}
			if len(columns) > 0 {
				c.Changes = columns
				kept = append(kept, c)
			}
		}
	}
	return kept
}

// TestSumHolds: atlas.sum knows every file as it is.
func TestSumHolds(t *testing.T) {
	if err := migrate.CheckSum(); err != nil {
		t.Fatal(err)
	}
}

// TestThreeReplicasMigrateOnce: processes that start together apply each migration once and all succeed.
func TestThreeReplicasMigrateOnce(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	type outcome struct {
		r   migrate.Result
		err error
	}
	done := make(chan outcome, 3)
	for range 3 {
		go func() {
			r, err := migrate.Up(t.Context(), d.URL("foyer_owner"), nil)
			done <- outcome{r, err}
		}()
	}
	applied := 0
	for range 3 {
		o := <-done
		if o.err != nil {
			t.Fatal(o.err)
		}
		applied += o.r.Applied
	}
	if want := 7; applied != want {
		t.Errorf("applied %d migrations in all, want %d", applied, want)
	}
	if err := migrate.Check(t.Context(), d.URL("foyer_app")); err != nil {
		t.Error(err)
	}
}
