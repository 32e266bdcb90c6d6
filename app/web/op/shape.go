package op

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// inputShape describes an operation's input struct for admission, before huma reads it.
type inputShape struct {
	body     reflect.Type // nil when the operation takes none
	optional bool         // the body is optional
	path     []string     // parameters that the struct takes
	ids      []string     // path parameters that are UUIDs, whether the struct takes them or not
	queries  []string     // query parameters that the struct takes
	times    []string     // query parameters that are times
	headers  []string     // headers that the struct takes

	file       bool // a file comes beside the body
	bodyQuote  bool // the body embeds Quote
	queryQuote bool // the struct embeds QueryQuote
}

// quotePlace is where it takes them.
func (s *inputShape) quotePlace() string {
	if s.queryQuote {
		return "query"
	}
	return "body"
}

// shapeOf reads the tags of an input struct.
func shapeOf(d *declared, in reflect.Type) inputShape {
	if in.Kind() != reflect.Struct {
		panic(fmt.Sprintf("op: operation %q: the input is a struct", d.ID))
	}
	s := inputShape{file: d.File != nil}
	plain := map[string]bool{} // path parameters that are not UUIDs
	for _, f := range reflect.VisibleFields(in) {
		if name := f.Tag.Get("path"); name != "" {
			s.path = append(s.path, name)
			plain[name] = f.Type != reflect.TypeFor[uuid.UUID]()
		}
		if name, _, _ := strings.Cut(f.Tag.Get("query"), ","); name != "" {
			s.queries = append(s.queries, name)
			if deref(f.Type) == reflect.TypeFor[time.Time]() {
				s.times = append(s.times, name)
			}
		}
		if f.Anonymous && f.Type == reflect.TypeFor[QueryQuote]() {
			s.queryQuote = true
		}
		if name := f.Tag.Get("header"); name != "" {
			s.headers = append(s.headers, name)
		}
		if f.Name == "RawBody" {
			panic(fmt.Sprintf("op: operation %q: RawBody is not supported", d.ID))
		}
		if f.Name == "Body" && len(f.Index) == 1 {
			s.body, s.optional = f.Type, f.Type.Kind() == reflect.Pointer
			if err := lintType(f.Type, map[reflect.Type]bool{}); err != nil {
				panic(fmt.Sprintf("op: operation %q: body: %v", d.ID, err))
			}
			if body := deref(f.Type); body.Kind() == reflect.Struct {
				q, named := body.FieldByName("Quote")
				s.bodyQuote = named && q.Anonymous && q.Type == reflect.TypeFor[Quote]()
			}
		}
	}
	for _, seg := range segments(d.Path) {
		name, ok := paramName(seg)
		if ok && isIDName(name) && !plain[name] && (name != d.Target.param || slices.Contains(s.path, name)) {
			s.ids = append(s.ids, name)
		}
	}
	return s
}

// place returns the position in the request of a field that a verb names: "limit" is "query.limit" if the input has
// it in the query. A field that is not in the request keeps its name: the state of a record, or a field that this
// package refused with its position before a verb saw it.
func (s *inputShape) place(field string) string {
	first := field
	if end := strings.IndexAny(field, ".["); end >= 0 {
		first = field[:end]
	}
	switch {
	case first == "body": // a member of that name is named with its position by its handler
		return field
	case s.has(first), s.file && first == filePart:
		return "body." + field
	case slices.Contains(s.queries, first):
		return "query." + field
	case slices.Contains(s.path, first):
		return "path." + field
	}
	return field
}

// isIDName reports whether a path parameter holds a UUID, by the contract's naming.
func isIDName(name string) bool { return name == "id" || strings.HasSuffix(name, "Id") }

// has reports whether the body has a member of that name.
func (s *inputShape) has(member string) bool {
	if s.body == nil || deref(s.body).Kind() != reflect.Struct {
		return false
	}
	for _, f := range reflect.VisibleFields(deref(s.body)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == member {
			return true
		}
	}
	return false
}

var (
	schemaProvider  = reflect.TypeFor[huma.SchemaProvider]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
)

func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func implements(t, iface reflect.Type) bool {
	return t.Implements(iface) || reflect.PointerTo(t).Implements(iface)
}

// opaque reports whether a type has its own JSON encoding, so that its fields do not matter.
func opaque(t reflect.Type) bool {
	return implements(t, schemaProvider) || implements(t, textUnmarshaler) || implements(t, jsonMarshaler)
}

// lintType refuses types whose document and encoding would differ: fields without a json name, anonymous structs, and
// undeclared nullable pointers to objects.
func lintType(t reflect.Type, seen map[reflect.Type]bool) error {
	t = deref(t)
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Array {
		t = deref(t.Elem())
	}
	if t.Kind() != reflect.Struct || seen[t] || opaque(t) {
		return nil
	}
	seen[t] = true
	if t.Name() == "" {
		return fmt.Errorf("%v: an anonymous struct has no schema name", t)
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if name == "-" {
			continue
		}
		if name == "" {
			return fmt.Errorf("%v.%s has no json name", t, f.Name)
		}
		object := f.Type.Kind() == reflect.Pointer && deref(f.Type).Kind() == reflect.Struct && !opaque(deref(f.Type))
		if object && !strings.Contains(options, "omit") {
			return fmt.Errorf("%v.%s may be null: use Nullable, or omitempty", t, f.Name)
		}
		if err := lintType(f.Type, seen); err != nil {
			return err
		}
	}
	return nil
}
