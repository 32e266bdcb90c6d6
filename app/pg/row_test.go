package pg_test

import (
	"reflect"
	"testing"
	"time"

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

// TestNullIsNothing: with the tag's option NULL is the zero value, also after a row with a value, and without it an
// error.
func TestNullIsNothing(t *testing.T) {
	w := apptest.Open(t)
	type inner struct {
		Note string `db:"words,null"`
	}
	type row struct {
		inner
		At time.Time `db:",null"`
		ID uuid.UUID `db:",null"`
	}
	at, id := apptest.Start, pg.NewID()
	got, err := pg.All[row](t.Context(), w.DB.View(uuid.Nil), `select * from (values (1, 'one', $1::timestamptz, $2::uuid), (2, null, null, null))
		as v (n, words, at, id) order by n`, at, id)
	if err == nil {
		t.Errorf("a column without a field is let go: %+v", got)
	}
	got, err = pg.All[row](t.Context(), w.DB.View(uuid.Nil), `select words, at, id from (values (1, 'one', $1::timestamptz, $2::uuid),
		(2, null, null, null)) as v (n, words, at, id) order by n`, at, id)
	if err != nil || !reflect.DeepEqual(got, []row{{inner{"one"}, at, id}, {}}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := pg.One[struct{ Words string }](t.Context(), w.DB.View(uuid.Nil), "select null::text as words"); err == nil {
		t.Error("NULL fits where nothing says so")
	}
}

// TestFind reports whether there is a row, and returns other errors as they are.
func TestFind(t *testing.T) {
	v := apptest.Open(t).DB.View(uuid.Nil)
	if n, found, err := pg.Find[int](t.Context(), v, "select 1"); n != 1 || !found || err != nil {
		t.Errorf("%d %v %v", n, found, err)
	}
	if n, found, err := pg.Find[int](t.Context(), v, "select 1 where false"); n != 0 || found || err != nil {
		t.Errorf("%d %v %v", n, found, err)
	}
	if _, found, err := pg.Find[int](t.Context(), v, "select 1 / 0"); found || err == nil {
		t.Errorf("%v %v", found, err)
	}
}
