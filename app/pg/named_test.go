package pg_test

import (
	"strings"
	"testing"

	"foyer/app/pg"
)

// Names become numbers in the order of their first use; quoted texts and operators stay.
func TestNamed(t *testing.T) {
	const text = `select @b::int, @a, @b, '@a', array[1] @> array[1] where "@b" = @a`
	for range 2 { // the second time from memory
		sql, args, err := pg.Named{"a": "x", "b": 7}.RewriteQuery(t.Context(), nil, text, nil)
		if want := `select $1::int, $2, $1, '@a', array[1] @> array[1] where "@b" = $2`; err != nil || sql != want || len(args) != 2 || args[0] != 7 || args[1] != "x" {
			t.Errorf("%q %v %v", sql, args, err)
		}
	}
	for name, n := range map[string]pg.Named{
		"missing": {"a": 1}, "another": {"a": 1, "c": 2}, "too many": {"a": 1, "b": 2, "c": 3}, "none": {},
	} {
		for _, sql := range []string{text, strings.ToUpper(name) + " @a @b"} { // known already, and new
			if _, _, err := n.RewriteQuery(t.Context(), nil, sql, nil); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
	}
}
