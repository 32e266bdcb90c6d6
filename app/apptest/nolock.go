//go:build nolock

package apptest

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// Guarded is false: such builds prove that the race tests can fail: the guarded statements count and then insert, and the database
// has no check left that would save them.
const Guarded = false

func dropBackstops(t testing.TB, d Database) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `alter table occurrences
		drop constraint occurrences_seats, drop constraint occurrences_offered;
		alter table claims drop constraint claims_member_once, drop constraint claims_space_once`); err != nil {
		t.Fatal(err)
	}
}
