package pg_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// TestRowsAreTheirOwn: nothing of one row shows in another, whatever kind of column it is in.
func TestRowsAreTheirOwn(t *testing.T) {
	w := apptest.Open(t)
	type row struct {
		N     int
		Note  *string
		Tags  []string
		Bytes []byte
		Doc   map[string]int
	}
	text := func(s string) *string { return &s }
	got, err := pg.All[row](t.Context(), w.DB.View(uuid.Nil), `select * from (values
		(1, 'one', array['a', 'b'], '\x0102'::bytea, '{"a": 1}'::jsonb), (2, null, null, null, null), (3, 'two', array['c'], '\x03', '{"b": 2}')
		) as v (n, note, tags, bytes, doc) order by n`)
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{1, text("one"), []string{"a", "b"}, []byte{1, 2}, map[string]int{"a": 1}}, {N: 2},
		{3, text("two"), []string{"c"}, []byte{3}, map[string]int{"b": 2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
