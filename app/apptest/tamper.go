package apptest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/integrity"
)

// Tampering is a change behind the product's back, and the difference that a data check has to find after it: Expected
// and Found are how its texts begin.
type Tampering struct{ Check, SQL, Record, Expected, Found string }

// Finds fails the test unless the data checks of a business find each change, and nothing before and after it. A change
// is undone with a copy of the tables.
func (w *World) Finds(t *testing.T, business uuid.UUID, tables string, list []Tampering) {
	t.Helper()
	var kept, back strings.Builder
	for _, name := range strings.Fields(tables) {
		kept.WriteString("drop table if exists kept." + name + "; create table kept." + name + " as table " + name + ";")
		columns := Value[string](t, w, `select string_agg(column_name, ', ') from information_schema.columns
			where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`, name)
		back.WriteString("delete from " + name + "; insert into " + name + " (" + columns + ") select " + columns +
			" from kept." + name + ";")
	}
	const unguarded = "set session_replication_role = replica; "
	w.SQL(t, "create schema if not exists kept; "+kept.String())
	look := func() []integrity.Difference {
		t.Helper()
		r, err := integrity.CheckBusiness(t.Context(), w.DB.View(business), assembly.Checks()...)
		if err != nil {
			t.Fatal(err)
		}
		return r.Differences
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("healthy: %+v", d)
	}
	for _, c := range list {
		w.SQL(t, unguarded+c.SQL)
		found := look()
		if !slices.ContainsFunc(found, func(d integrity.Difference) bool {
			return d.Check == c.Check && d.Record == c.Record && strings.HasPrefix(d.Expected, c.Expected) &&
				strings.HasPrefix(d.Found, c.Found) && d.Expected != d.Found
		}) {
			t.Errorf("%s is silent about: %s (%+v)", c.Check, c.SQL, found)
		}
		w.SQL(t, unguarded+back.String())
	}
	if d := look(); len(d) != 0 {
		t.Fatalf("undone: %+v", d)
	}
}
