package op

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

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
	s := newSchemas(nil)
	for _, c := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[tenancy.Actor](), "Actor"},
		{reflect.TypeFor[Actor](), "OpActor"},
		{reflect.TypeFor[*Actor](), "OpActor"},
		{reflect.TypeFor[List[Actor]](), "ActorList"},
		{reflect.TypeFor[List[pair[int, Actor]]](), "ActorIntPairList"},
		{reflect.TypeFor[tree](), "Tree"},
		{reflect.TypeFor[Refusal](), "Error"},
	} {
		if got := s.Schema(c.t, true, "").Ref; got != schemaPrefix+c.want {
			t.Errorf("%v is %s, want %s", c.t, got, c.want)
		}
		if s.SchemaFromRef(schemaPrefix+c.want) == nil {
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

// TestEnums: the values of a domain's enum are listed at each use; a tag narrows them, blank adds the empty text, and
// nullable ones list null.
func TestEnums(t *testing.T) {
	type shown struct {
		Plain  tone   `json:"plain"`
		Many   []tone `json:"many"`
		Maybe  *tone  `json:"maybe"`
		Blank  tone   `json:"blank" blank:"true"`
		Narrow tone   `json:"narrow" enum:"high"`
		Text   string `json:"text"`
	}
	got := newSchemas(nil).Schema(reflect.TypeFor[shown](), false, "").Properties
	for name, want := range map[string][]any{
		"plain": {"low", "high"}, "maybe": {"low", "high", nil}, "blank": {"", "low", "high"}, "narrow": {"high"}, "text": nil,
	} {
		if !slices.Equal(got[name].Enum, want) {
			t.Errorf("%s: %v, want %v", name, got[name].Enum, want)
		}
	}
	if many := got["many"].Items.Enum; !slices.Equal(many, []any{"low", "high"}) {
		t.Errorf("many: %v", many)
	}
}

type tone string

func (tone) All() []tone { return []tone{"low", "high"} }

// TestNamedEnums: a whole enum of a domain is published as a component; empty text and null are options beside it,
// and a part of an enum is inline. Enums without a doc are described by Words.
func TestNamedEnums(t *testing.T) {
	type toned struct {
		Plain  tone   `json:"plain"`
		Many   []tone `json:"many"`
		Maybe  *tone  `json:"maybe"`
		Blank  tone   `json:"blank" blank:"true"`
		Narrow tone   `json:"narrow" enum:"high" doc:"High alone."`
	}
	s := newSchemas(map[string]string{"plain": "How it sounds.", "Toned.many": "All of them."})
	text, err := json.Marshal(s.Schema(reflect.TypeFor[toned](), false, ""))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	s.nameEnums(got)
	const ref = schemaPrefix + "OpTone"
	for name, want := range map[string]any{
		"plain":  map[string]any{"$ref": ref, "description": "How it sounds."},
		"many":   map[string]any{"type": "array", "items": map[string]any{"$ref": ref}, "description": "All of them."},
		"maybe":  map[string]any{"anyOf": []any{map[string]any{"$ref": ref}, map[string]any{"type": "null"}}},
		"blank":  map[string]any{"anyOf": []any{map[string]any{"$ref": ref}, map[string]any{"type": "string", "const": ""}}},
		"narrow": map[string]any{"type": "string", "enum": []any{"high"}, "description": "High alone."},
	} {
		if member := got["properties"].(map[string]any)[name]; !reflect.DeepEqual(member, want) {
			t.Errorf("%s\n got %v\nwant %v", name, member, want)
		}
	}
	if !s.used["OpTone"] {
		t.Error("the component is not published")
	}
}

// TestEmptyLists fills nil slices everywhere, also in recursive types, and changes nothing else.
func TestEmptyLists(t *testing.T) {
	type deep struct {
		Inner *pair[[]int, string]          `json:"inner"`
		Maybe Nullable[pair[[]int, []byte]] `json:"maybe"`
		Tree  tree                          `json:"tree"`
		Gone  *pair[[]int, string]          `json:"gone,omitempty"`
	}
	v := deep{Inner: &pair[[]int, string]{}, Maybe: Some(pair[[]int, []byte]{}), Tree: tree{Children: []tree{{}}}}
	finish(reflect.TypeFor[deep]())(reflect.ValueOf(&v).Elem())
	got, err := plainJSON(v)
	want := `{"inner":{"a":[],"b":""},"maybe":{"a":[],"b":null},"tree":{"children":[{"children":[],"names":[]}],"names":[]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
	berlin := time.FixedZone("", 2*60*60)
	at := time.Date(2026, 6, 10, 14, 0, 0, 123456789, berlin)
	own := at
	type stamped struct {
		At    time.Time           `json:"at"`
		Maybe *time.Time          `json:"maybe"`
		None  *time.Time          `json:"none"`
		Null  Nullable[time.Time] `json:"null"`
		List  []time.Time         `json:"list"`
	}
	s := stamped{At: at, Maybe: &own, Null: Some(at), List: []time.Time{at}}
	finish(reflect.TypeFor[stamped]())(reflect.ValueOf(&s).Elem())
	const utc = `"2026-06-10T12:00:00.123Z"`
	if got, err := plainJSON(s); err != nil || string(got) != `{"at":`+utc+`,"maybe":`+utc+`,"none":null,"null":`+utc+`,"list":[`+utc+`]}` {
		t.Errorf("A19: %v %s", err, got)
	}
	if !own.Equal(at) || own.Nanosecond() != 123456789 {
		t.Errorf("a time that the handler may share was changed: %v", own)
	}
	if finish(reflect.TypeFor[Actor]()) != nil {
		t.Error("a type without lists is walked")
	}
	if null, err := plainJSON(Null[int]()); err != nil || string(null) != "null" {
		t.Errorf("null is %s", null)
	}
	var none []int
	finish(reflect.TypeFor[[]int]())(reflect.ValueOf(&none).Elem())
	if none == nil {
		t.Error("a nil list stays nil")
	}
}
