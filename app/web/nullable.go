package web

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"foyer/app/patch"
)

// Nullable is a member that may be null. In a request it tells a member that was left out (Set is false) from one that
// was null, which a PATCH needs; mark it omitzero in the json tag to make it optional there. In a response only Value
// counts.
type Nullable[T any] struct {
	patch.Field[T]
}

// Some is a Nullable with a value.
func Some[T any](v T) Nullable[T] { return Nullable[T]{patch.Some(v)} }

// Null is a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{patch.None[T]()} }

// NullableOf is null for a nil pointer, and else what v points to.
func NullableOf[T any](v *T) Nullable[T] { return Nullable[T]{patch.Field[T]{Set: true, Value: v}} }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return plainJSON(n.Value) }

// UnmarshalJSON remembers that the member was there.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	n.Set, n.Value = true, nil
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	n.Value = new(T)
	return json.Unmarshal(data, n.Value)
}

// Schema is the value's schema with null allowed. huma has no such schema for objects.
func (Nullable[T]) Schema(r huma.Registry) *huma.Schema {
	s := r.Schema(reflect.TypeFor[T](), true, "")
	if s.Ref == "" && s.Type != "" {
		scalar := *s
		scalar.Nullable = true
		return &scalar
	}
	return &huma.Schema{AnyOf: []*huma.Schema{s, {Type: "null", Enum: []any{nil}}}}
}

func (*Nullable[T]) holdsData() {}
