package bench

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// TestTap: bytes pass unchanged, a batch is one trip of many statements, and a long one does not stop it.
func TestTap(t *testing.T) {
	w := apptest.Open(t)
	tapped, address, err := openTap(t.TempDir(), w.URL("foyer_app"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tapped.close() })
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	long := strings.Repeat("x", 1<<20)
	batch := func() error {
		b := &pgx.Batch{}
		b.Queue("select set_config('app.business_id', $1, true)", uuid.Nil.String())
		b.Queue("select length($1::text)", long)
		b.Queue("select 3")
		return conn.SendBatch(t.Context(), b).Close()
	}
	one := func() error {
		var n int
		return conn.QueryRow(t.Context(), "select length($1::text)", long).Scan(&n)
	}
	for _, c := range []struct {
		name              string
		do                func() error
		trips, statements int64
	}{{"a query", one, 1, 1}, {"a batch", batch, 1, 3}, {"a command", func() error { _, err := conn.Exec(t.Context(), "begin; commit"); return err }, 1, 1}} {
		if err := c.do(); err != nil { // prepares
			t.Fatal(err)
		}
		trips, statements := tapped.trips.Load(), tapped.statements.Load()
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if got, sent := tapped.trips.Load()-trips, tapped.statements.Load()-statements; got != c.trips || sent != c.statements {
			t.Errorf("%s: %d trips, %d statements", c.name, got, sent)
		}
	}
}

// TestTapHearsTheProduct: a transaction of the product is counted like any client's.
func TestTapHearsTheProduct(t *testing.T) {
	w := apptest.Open(t)
	tapped, address, err := openTap(t.TempDir(), w.URL("foyer_app"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tapped.close() })
	db, err := pg.Open(t.Context(), pg.Config{URL: address, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	act := func() {
		t.Helper()
		if err := pg.Do(t.Context(), db, uuid.New(), func(tx *pg.Tx) error {
			_, err := tx.Exec(t.Context(), "select id from carts")
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	act()
	trips, statements := tapped.trips.Load(), tapped.statements.Load()
	act()
	if got, sent := tapped.trips.Load()-trips, tapped.statements.Load()-statements; got != 2 || sent != 4 { // begin, set, select; commit
		t.Errorf("%d trips, %d statements", got, sent)
	}
}
