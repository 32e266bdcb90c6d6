package migrate_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestMigrationsGiveWay: a migration that wants a table on which somebody works does not stand in everybody's way until that one has
// ended. It gives up, comes again, and in the end everything is applied. K2.
func TestMigrationsGiveWay(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	const before = 4 // the next one wants every table of a tenant
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), before); err != nil {
		t.Fatal(err)
	}
	connect := func() *pgx.Conn {
		c, err := pgx.Connect(t.Context(), d.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(t.Context()) })
		return c
	}
	inTheWay, look := connect(), connect()
	if _, err := inTheWay.Exec(t.Context(), "begin; lock table customers in access share mode"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var applied migrate.Result
	go func() {
		var err error
		applied, err = migrate.Up(t.Context(), d.URL("foyer_owner"), nil)
		done <- err
	}()
	waits := func(want bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			var somebody bool
			err := look.QueryRow(t.Context(), "select exists (select from pg_locks where relation = 'customers'::regclass and not granted)").Scan(&somebody)
			if err != nil {
				t.Fatal(err)
			}
			if somebody == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("after a minute, waiting for the table: %v", somebody)
			}
		}
	}
	waits(true)
	waits(false) // it gave way, though nobody has let go of the table
	waits(true)  // and it comes again
	if _, err := inTheWay.Exec(t.Context(), "rollback"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if latest, err := migrate.Latest(); err != nil || applied.Version != latest || applied.Applied == 0 {
		t.Errorf("applied %+v, the last one is %d: %v", applied, latest, err)
	}
}
