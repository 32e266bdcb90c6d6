package pg_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// TestDue: once in so long, for each database and each thing by itself; and always, where tests do not want to wait.
func TestDue(t *testing.T) {
	w := apptest.Open(t)
	one, two := w.DB.Again(pg.Config{Clock: w.Clock}), w.DB.Again(pg.Config{Clock: w.Clock})
	due := func(db *pg.DB, what string, at time.Time) (yes bool) {
		t.Helper()
		if err := pg.Do(t.Context(), db, uuid.Nil, func(tx *pg.Tx) error { yes = tx.Due(what, at, time.Second); return nil }); err != nil {
			t.Fatal(err)
		}
		return yes
	}
	now := apptest.Start
	for i, c := range []struct {
		db   *pg.DB
		what string
		at   time.Time
		want bool
	}{
		{one, "mail", now, true}, {one, "mail", now, false}, {one, "mail", now.Add(999 * time.Millisecond), false},
		{one, "money", now, true}, {two, "mail", now, true}, {one, "mail", now.Add(time.Second), true},
		{w.DB, "mail", now, true}, {w.DB, "mail", now, true},
	} {
		if got := due(c.db, c.what, c.at); got != c.want {
			t.Errorf("%d: %s after %s: %t", i, c.what, c.at.Sub(now), got)
		}
	}
}
