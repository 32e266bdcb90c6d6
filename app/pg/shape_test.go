package pg_test

import (
	"slices"
	"testing"

	"foyer/app/apptest"
	"foyer/app/pg"
)

func TestShape(t *testing.T) {
	t.Parallel()
	given := []any{"a", 2}
	s := pg.NewShape("select x from t where a = $1 and b = $2", given...)
	s.AndIf(false, "c = ?", 3)
	s.AndIf(true, "(d, e) < (?, ?)", 4, 5)
	s.And("f > $2")
	s.Add(" limit ?", 6)
	if got, want := s.SQL(), "select x from t where a = $1 and b = $2 and (d, e) < ($3, $4) and f > $2 limit $5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if want := []any{"a", 2, 4, 5, 6}; !slices.Equal(s.Args(), want) {
		t.Errorf("%v, want %v", s.Args(), want)
	}
	if len(given) != 2 {
		t.Errorf("what was given has become %v", given)
	}
}

// A view that keeps plans has Postgres make one from the first execution on, and leaves the connection as it was.
func TestKept(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	s := w.Studio(t)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	plans := func(v *pg.View, mark string) (generic, custom int64) {
		t.Helper()
		text := "select /* " + mark + " */ count(*) from customers where business_id = $1 limit $2"
		for range 3 {
			if _, err := pg.One[int](t.Context(), v, text, v.Business(), 1); err != nil {
				t.Fatal(err)
			}
		}
		type row struct{ Generic, Custom int64 }
		r, err := pg.One[row](t.Context(), v, `select generic_plans as generic, custom_plans as custom from pg_prepared_statements
			where statement = $1`, text)
		if err != nil {
			t.Fatal(err)
		}
		return r.Generic, r.Custom
	}
	v := db.View(s.Business.ID)
	if generic, custom := plans(v, "plain"); generic != 0 || custom != 3 {
		t.Errorf("a view: %d generic plans and %d others", generic, custom)
	}
	if generic, custom := plans(v.Kept(), "kept"); generic != 3 || custom != 0 {
		t.Errorf("one that keeps plans: %d generic plans and %d others", generic, custom)
	}
	if generic, custom := plans(v, "after"); generic != 0 || custom != 3 {
		t.Errorf("a view after it: %d generic plans and %d others", generic, custom)
	}
	b := v.Kept().Batch()
	var mode, business string
	var found bool
	pg.QueueOne(b, &mode, &found, "select current_setting('plan_cache_mode')")
	pg.QueueOne(b, &business, &found, "select current_setting('app.business_id')")
	if err := b.Send(t.Context()); err != nil || mode != "force_generic_plan" || business != s.Business.ID.String() {
		t.Errorf("in a batch: %q for business %q (%v)", mode, business, err)
	}
}
