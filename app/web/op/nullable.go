package op

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"foyer/app/fault"
	"foyer/app/patch"
)

// Nullable is a member that may be null. In a request, Set distinguishes a member that was left out (false) from one
// that was null (true), as a PATCH requires; the json option omitzero makes the member optional there. In a response
// only Value counts.
type Nullable[T any] struct {
	patch.Field[T]
}

// Some returns a Nullable with a value.
func Some[T any](v T) Nullable[T] { return Nullable[T]{patch.Some(v)} }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{patch.None[T]()} }

// NullableOf returns null for a nil pointer, and otherwise the value of v.
func NullableOf[T any](v *T) Nullable[T] { return Nullable[T]{patch.Field[T]{Set: true, Value: v}} }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return plainJSON(n.Value) }

// UnmarshalJSON decodes a value or null, and sets Set.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	n.Set, n.Value = true, nil
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	n.Value = new(T)
	return json.Unmarshal(data, n.Value)
}

// Schema returns the schema of the value with null allowed. huma has no such schema for objects.
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

// refuseNulls refuses null for a member that is not nullable. huma treats it as "left out", so a caller that means to
// remove a value would get a success without effect. Nullable members are those of type Nullable, and required
// pointers.
func refuseNulls(body []byte, t reflect.Type) error {
	if !bytes.Contains(body, []byte("null")) {
		return nil
	}
	var v any
	if json.Unmarshal(body, &v) != nil { // reported by another check
		return nil
	}
	if path, found := findNull(v, deref(t), "body"); found {
		return fault.Invalid(path, "is null: leave it out, or send a value")
	}
	return nil
}

func findNull(v any, t reflect.Type, path string) (string, bool) {
	switch x := v.(type) {
	case nil:
		return path, true
	case []any:
		if t.Kind() != reflect.Slice {
			return "", false
		}
		for i, item := range x {
			if at, found := findNull(item, deref(t.Elem()), path+"["+strconv.Itoa(i)+"]"); found {
				return at, true
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return "", false
		}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			value, sent := x[name]
			if !sent || name == "" || nullable(f.Type, options) {
				continue
			}
			if at, found := findNull(value, deref(f.Type), path+"."+name); found {
				return at, true
			}
		}
	}
	return "", false
}

// nullable reports whether a member of that type, with those options of its json tag, accepts null.
func nullable(t reflect.Type, options string) bool {
	if t.Kind() == reflect.Pointer {
		return !strings.Contains(options, "omit")
	}
	return t.Kind() == reflect.Interface || implements(t, schemaProvider)
}
