package migrate_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"foyer/app/apptest"
	"foyer/migrate"
)

// TestManyBootstrapAtOnce: programs beside one server of our own, as "foyer invite" many times, make its roles at the same time. Without
// a lock one of them was told "tuple concurrently updated".
func TestManyBootstrapAtOnce(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	look, err := pgx.Connect(t.Context(), d.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	var name string
	if err := look.QueryRow(t.Context(), "select current_database()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	if err := look.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	const programs, times = 8, 5
	done := make(chan error, programs)
	for range programs {
		go func() {
			var err error
			for range times {
				if err == nil {
					err = migrate.Bootstrap(context.Background(), func(string) string { return d.URL("postgres") }, name)
				}
			}
			done <- err
		}()
	}
	for range programs {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
