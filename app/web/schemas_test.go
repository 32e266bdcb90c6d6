package web

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// Actor has the name of a type of another package.
type Actor struct {
	Name string `json:"name"`
}

type pair[A, B any] struct {
	A A `json:"a"`
	B B `json:"b"`
}

type tree struct {
	Children []tree   `json:"children"`
	Names    []string `json:"names"`
}

// TestSchemaNames: readable, and no two types under one name.
func TestSchemaNames(t *testing.T) {
	s := newSchemas()
	for _, c := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[tenancy.Actor](), "Actor"},
		{reflect.TypeFor[Actor](), "WebActor"},
		{reflect.TypeFor[*Actor](), "WebActor"},
		{reflect.TypeFor[List[Actor]](), "ActorList"},
		{reflect.TypeFor[List[pair[int, Actor]]](), "ActorIntPairList"},
		{reflect.TypeFor[tree](), "Tree"},
		{reflect.TypeFor[refusal](), "Error"},
	} {
		if got := s.Schema(c.t, true, "").Ref; got != schemaPrefix+c.want {
			t.Errorf("%v is %s, want %s", c.t, got, c.want)
		}
		if s.SchemaFromRef(schemaPrefix+c.want) == nil || s.TypeFromRef(schemaPrefix+c.want) != deref(c.t) {
			t.Errorf("%s is not found again", c.want)
		}
	}
	if id := s.Schema(reflect.TypeFor[uuid.UUID](), true, ""); id.Format != "uuid" || id.Nullable {
		t.Errorf("%+v", id)
	}
	if id := s.Schema(reflect.TypeFor[*uuid.UUID](), true, ""); id.Format != "uuid" || !id.Nullable {
		t.Errorf("%+v", id)
	}
}

// TestEmptyLists fills nil slices wherever they stand, also in recursive types, and leaves the rest alone.
func TestEmptyLists(t *testing.T) {
	type deep struct {
		Inner *pair[[]int, string]          `json:"inner"`
		Maybe Nullable[pair[[]int, []byte]] `json:"maybe"`
		Tree  tree                          `json:"tree"`
		Gone  *pair[[]int, string]          `json:"gone,omitempty"`
	}
	v := deep{Inner: &pair[[]int, string]{}, Maybe: Some(pair[[]int, []byte]{}), Tree: tree{Children: []tree{{}}}}
	emptyLists(reflect.TypeFor[deep]())(reflect.ValueOf(&v).Elem())
	got, err := plainJSON(v)
	want := `{"inner":{"a":[],"b":""},"maybe":{"a":[],"b":null},"tree":{"children":[{"children":[],"names":[]}],"names":[]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
	if emptyLists(reflect.TypeFor[Actor]()) != nil {
		t.Error("a type without lists is walked")
	}
	if null, err := plainJSON(Null[int]()); err != nil || string(null) != "null" {
		t.Errorf("null is %s", null)
	}
	var none []int
	emptyLists(reflect.TypeFor[[]int]())(reflect.ValueOf(&none).Elem())
	if none == nil {
		t.Error("a nil list stays nil")
	}
}
