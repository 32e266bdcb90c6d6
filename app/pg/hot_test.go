package pg_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	_ "foyer/app/schedule" // declares hot statements
)

var hotProbe = pg.Hot("select slug from businesses where business_id = @business::uuid and status <> @status")

type prepared struct {
	Statement                 string
	GenericPlans, CustomPlans int64
}

// preparedOn returns the prepared statements of a database's single connection.
func preparedOn(t *testing.T, db *pg.DB) map[string]prepared {
	t.Helper()
	list, err := pg.All[prepared](t.Context(), db.View(uuid.Nil), "select statement, generic_plans, custom_plans from pg_prepared_statements")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]prepared{}
	for _, p := range list {
		out[p.Statement] = p
	}
	return out
}

// A warm connection has the hot statements prepared before its first request, and so has the one that replaces it.
func TestConnectionsAreWarm(t *testing.T) {
	w := apptest.Open(t)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 1, Warm: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.AllWarm(t.Context()); err != nil {
		t.Fatal(err)
	}
	missing := func() (list []string) {
		got := preparedOn(t, db)
		for _, sql := range pg.HotTexts() {
			if _, ok := got[sql]; !ok {
				list = append(list, sql)
			}
		}
		return list
	}
	if list := missing(); len(list) > 0 {
		t.Errorf("not prepared: %q", list)
	}
	db.Pool().Reset()
	for deadline := time.Now().Add(time.Minute); len(missing()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not prepared on the connection that came after: %q", missing())
		}
	}
}

// A hot statement runs on a plan that is kept, in a view, in a batch and in a transaction that begins with it; others
// do not.
func TestHotStatementsKeepTheirPlans(t *testing.T) {
	w := apptest.Open(t)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 1, Warm: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.AllWarm(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, business := t.Context(), uuid.New()
	args := pg.Named{"business": business, "status": "closed"}
	cold := "select name from businesses where business_id = $1"
	sends := map[string]func(r pg.Reader) error{
		"alone": func(r pg.Reader) error { _, err := pg.All[string](ctx, r, hotProbe, args); return err },
		"in a batch": func(r pg.Reader) error {
			var list []string
			b := r.Batch()
			pg.QueueAll(b, &list, hotProbe, args)
			return b.Send(ctx)
		},
	}
	if err := sends["alone"](db.View(business)); err != nil {
		t.Fatal(err)
	}
	if err := sends["in a batch"](db.View(business)); err != nil {
		t.Fatal(err)
	}
	if err := pg.Do(ctx, db, business, func(tx *pg.Tx) error { return sends["alone"](tx) }); err != nil {
		t.Fatal(err)
	}
	if _, err := pg.All[string](ctx, db.View(business), cold, business); err != nil {
		t.Fatal(err)
	}
	got := preparedOn(t, db)
	if p := got["select slug from businesses where business_id = $1::uuid and status <> $2"]; p.CustomPlans != 0 || p.GenericPlans < 3 {
		t.Errorf("hot: %d generic and %d custom plans", p.GenericPlans, p.CustomPlans)
	}
	if p := got[cold]; p.CustomPlans != 1 || p.GenericPlans != 0 {
		t.Errorf("not hot: %d generic and %d custom plans", p.GenericPlans, p.CustomPlans)
	}
}

// Without warm connections there is no wait, and a pool closes while one is being warmed.
func TestWarmWaitsForNothingElse(t *testing.T) {
	w := apptest.Open(t)
	if err := w.DB.AllWarm(t.Context()); err != nil {
		t.Error(err)
	}
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 2, Warm: 2})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := db.AllWarm(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
