package pg_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// TestUUIDs sends ids in every shape that the product uses and reads them back.
func TestUUIDs(t *testing.T) {
	w := apptest.Open(t)
	v, a, b := w.DB.View(uuid.Nil), pg.NewID(), pg.NewID()
	type shapes struct {
		One     uuid.UUID
		Some    *uuid.UUID
		None    *uuid.UUID
		List    []uuid.UUID
		Maybe   []*uuid.UUID
		Text    string
		Without []uuid.UUID
	}
	got, err := pg.One[shapes](t.Context(), v, `select $1::uuid as one, $2::uuid as some, $3::uuid as none, $4::uuid[] as list,
		$5::uuid[] as maybe, ($1::uuid)::text as text, $6::uuid[] as without`,
		a, &b, (*uuid.UUID)(nil), []uuid.UUID{a, b}, []*uuid.UUID{&a, nil}, []uuid.UUID{})
	if err != nil {
		t.Fatal(err)
	}
	if got.One != a || got.Some == nil || *got.Some != b || got.None != nil || !slices.Equal(got.List, []uuid.UUID{a, b}) ||
		len(got.Maybe) != 2 || *got.Maybe[0] != a || got.Maybe[1] != nil || got.Text != a.String() || len(got.Without) != 0 {
		t.Errorf("read back as %+v", got)
	}
	if id, err := pg.One[uuid.UUID](t.Context(), v, "select $1::uuid", b); err != nil || id != b {
		t.Errorf("alone: %v, %v", id, err)
	}
	if _, err := pg.One[uuid.UUID](t.Context(), v, "select null::uuid"); err == nil {
		t.Error("a null became an id")
	}
	if same, err := pg.One[bool](t.Context(), v, "select $1 = $2::uuid::text", a.String(), a); err != nil || !same {
		t.Errorf("as text: %v, %v", same, err)
	}
}
