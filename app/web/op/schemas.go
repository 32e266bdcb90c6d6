package op

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// schemaPrefix is where the document keeps named schemas.
const schemaPrefix = "#/components/schemas/"

// schemas is the registry of the document's named schemas. Unlike huma's own it supports UUIDs, and two types of one
// name in different packages get different names instead of a panic.
type schemas struct {
	huma.Registry // keeps them by name
	names         map[reflect.Type]string
	enums         map[string][]any  // the values of named enums
	used          map[string]bool   // those that the document refers to, once it is published
	words         map[string]string // see Options.Words
}

func newSchemas(words map[string]string) *schemas {
	s := &schemas{
		Registry: huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer),
		names:    map[reflect.Type]string{reflect.TypeFor[Refusal](): errorSchemaName},
		enums:    map[string][]any{},
		used:     map[string]bool{},
		words:    words,
	}
	s.Map()[errorSchemaName] = errorSchema()
	return s
}

// Schema returns the schema of a type: a reference to a named one for structs, if allowed.
func (s *schemas) Schema(t reflect.Type, allowRef bool, _ string) *huma.Schema {
	base := deref(t)
	if base == reflect.TypeFor[uuid.UUID]() {
		return &huma.Schema{Type: huma.TypeString, Format: "uuid", Nullable: t.Kind() == reflect.Pointer}
	}
	if base.Kind() == reflect.String {
		schema := huma.SchemaFromType(s, t)
		if schema.Enum = valuesOf(base); schema.Enum != nil {
			schema.Extensions = map[string]any{enumMark: s.enum(base, schema.Enum)}
		}
		return schema
	}
	if base.Kind() == reflect.Slice {
		return huma.SchemaFromType(s, base)
	}
	if base.Kind() != reflect.Struct || base == reflect.TypeFor[time.Time]() ||
		implements(base, schemaProvider) || implements(base, textUnmarshaler) {
		return huma.SchemaFromType(s, t)
	}
	name, known := s.names[base]
	if !known {
		name = s.name(base)
		s.names[base] = name
		s.Map()[name] = &huma.Schema{} // a recursive type refers to it while it is being made
		schema := huma.SchemaFromType(s, base)
		allowBlank(schema, base)
		for member, of := range schema.Properties {
			allowNull(of)
			if of.Description == "" {
				of.Description = s.meaning(name, member)
			}
		}
		s.Map()[name] = schema
	}
	if allowRef {
		return &huma.Schema{Ref: schemaPrefix + name}
	}
	return s.Map()[name]
}

// valuesOf returns the values of a domain's enum, from its method All; nil for any other string. An enum tag on a
// member narrows them.
func valuesOf(t reflect.Type) []any {
	all, ok := t.MethodByName("All")
	if !ok {
		return nil
	}
	list := all.Func.Call([]reflect.Value{reflect.Zero(t)})[0]
	out := make([]any, list.Len())
	for i := range out {
		out[i] = list.Index(i).String()
	}
	return out
}

// enum is the name of a domain's enum in the document: its package and its type, BookingState, so that no other one
// of that name ever changes it.
func (s *schemas) enum(t reflect.Type, values []any) string {
	name := domainOf(t) + capital(t.Name())
	s.enums[name] = slices.Clone(values)
	return name
}

// parts are packages with a part of a domain, by their path. Enums have the name of the domain, so that no client sees
// how its code is divided.
var parts = map[string]string{
	"foyer/billing/processor": "billing",
	"foyer/billing/balance":   "billing",
	"foyer/billing/dispute":   "billing",
	"foyer/app/plan/rules":    "plan",
}

func domainOf(t reflect.Type) string {
	if domain, ok := parts[t.PkgPath()]; ok {
		return capital(domain)
	}
	return capital(path.Base(t.PkgPath()))
}

// meaning returns the description of a member: its own, or the common one of its name.
func (s *schemas) meaning(schema, member string) string {
	if own := s.words[schema+"."+member]; own != "" {
		return own
	}
	return s.words[member]
}

// allowBlank adds the empty text to the values of an enum whose member is tagged blank:"true".
func allowBlank(schema *huma.Schema, t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("blank") == "true" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			member := schema.Properties[name]
			member.Enum = slices.Insert(member.Enum, 0, any(""))
		}
	}
}

// allowNull lists null among the values of an enum that may be null: JSON Schema reads type and enum each by itself.
func allowNull(member *huma.Schema) {
	if member.Nullable && len(member.Enum) > 0 && !slices.Contains(member.Enum, nil) {
		member.Enum = append(member.Enum, nil)
	}
}

// name is the type's own name, with its package in front when another type has it already. Generic types are named
// after their parameters: List[Booking] is BookingList.
func (s *schemas) name(t reflect.Type) string {
	name := typeName(t.Name())
	if name == "" {
		panic(fmt.Sprintf("op: %v: an anonymous struct has no schema name", t))
	}
	if s.Map()[name] != nil {
		name = capital(path.Base(t.PkgPath())) + name
	}
	if s.Map()[name] != nil {
		panic(fmt.Sprintf("op: %v has the schema name %s of another type", t, name))
	}
	return name
}

// typeName turns "List[foyer/app/api.Booking]" into "BookingList".
func typeName(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[],* ", r) })
	slices.Reverse(parts)
	for i, part := range parts {
		parts[i] = capital(part[strings.LastIndexAny(part, "./")+1:])
	}
	return strings.Join(parts, "")
}

func capital(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return ""
}

// MarshalJSON encodes components.schemas.
func (s *schemas) MarshalJSON() ([]byte, error) { return json.Marshal(s.Map()) }

const errorSchemaName = "Error"

// errorSchema is the error envelope. A66.
func errorSchema() *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	field := closed("An invalid field.", map[string]*huma.Schema{
		"field":   text("Position in the request, for example body.items[0].quantity."),
		"message": text("Error message for people."),
	})
	details := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true,
		Description: "Details of the error; may be empty. Other members depend on the reason.",
		Properties: map[string]*huma.Schema{
			"reason": text("Stable machine-readable code of the error."),
			"fields": {Type: huma.TypeArray, Items: field, Description: "Invalid fields, for validation errors."},
		},
	}
	code := text("Stable code; each belongs to one status.")
	for _, status := range []int{400, 401, 403, 404, 409, 429, 500} {
		code.Enum = append(code.Enum, string(kindOf[status]))
	}
	return closed("An error response.", map[string]*huma.Schema{
		"error": closed("The error.", map[string]*huma.Schema{
			"code": code, "message": text("Error message for people."), "details": details,
		}),
	})
}

// envelopeSchema is the schema of {data, v}. A13, A14.
func envelopeSchema(data *huma.Schema) *huma.Schema {
	if data.Description == "" {
		told := *data // the schema may be that of a component
		told.Description = "The result."
		data = &told
	}
	return closed("", map[string]*huma.Schema{
		"data": data,
		"v":    {Type: huma.TypeString, Pattern: `^(\d+|dev)$`, Description: "Build number of the deployment."},
	})
}

// closed is an object with exactly these members.
func closed(doc string, members map[string]*huma.Schema) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeObject, Description: doc, AdditionalProperties: false, Properties: members,
		Required: sortedKeys(members),
	}
	s.PrecomputeMessages()
	return s
}
