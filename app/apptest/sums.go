package apptest

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Sums returns checksums of the rows of every table that survives a crash, by table: two databases with the same sums
// have the same rows.
func Sums(t testing.TB, d Database) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'river')`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		var sum string
		err := conn.QueryRow(t.Context(), fmt.Sprintf(`select count(*) || ' rows, ' || coalesce(sum(hashtextextended(r::text, 0)), 0) from %s r`, name)).Scan(&sum)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = sum
	}
	return out
}
