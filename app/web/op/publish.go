package op

import (
	"maps"
	"slices"
	"strings"
)

// Requests are validated against the schemas as huma generates them. The published document is equivalent, in a form
// that is easier to read and to generate code from; publish rewrites the decoded document.

// enumMark stands in the schema of a domain's enum, with its name, until the document is published.
const enumMark = "x-enum"

func (r *Registry) schemas() *schemas { return r.api.OpenAPI().Components.Schemas.(*schemas) }

func (r *Registry) publish(doc map[string]any) {
	s := r.schemas()
	s.nameEnums(doc)
	examples := readExamples(r.examples)
	r.publishRefusals(doc, examples)
	r.publishExamples(doc, examples)
	components := doc["components"].(map[string]any)
	named := components["schemas"].(map[string]any)
	for name := range s.used {
		named[s.enumName(name)] = map[string]any{"type": "string", "enum": s.enums[name], "description": s.words[name]}
	}
	dropUnreferred(doc, named)
}

// dropUnreferred removes the named schemas without a reference: the JSON of an operation whose body is a form.
func dropUnreferred(doc, named map[string]any) {
	reached := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, item := range v {
				walk(item)
			}
		case string: // a $ref, or a discriminator's
			if name, ok := strings.CutPrefix(v, schemaPrefix); ok && !reached[name] {
				reached[name] = true
				walk(named[name])
			}
		}
	}
	components := doc["components"].(map[string]any)
	delete(components, "schemas")
	walk(doc)
	components["schemas"] = named
	maps.DeleteFunc(named, func(name string, _ any) bool { return !reached[name] })
}

// nameEnums replaces every enum of a domain by a reference to the component of its name. Empty text and null are
// options beside it: no value of an enum.
func (s *schemas) nameEnums(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			s.nameEnums(item)
		}
	case map[string]any:
		for _, item := range v {
			s.nameEnums(item)
		}
		if values, ok := v["enum"].([]any); ok && v["type"] != nil {
			s.nameEnum(v, values)
		}
	}
}

// enumName returns the name of an enum whose own name is used by a record.
func (s *schemas) enumName(name string) string {
	if s.Map()[name] != nil {
		return name + "Name"
	}
	return name
}

func (s *schemas) nameEnum(schema map[string]any, values []any) {
	name, _ := schema[enumMark].(string)
	delete(schema, enumMark)
	if schema["type"] == "null" {
		delete(schema, "enum")
		return
	}
	plain := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil || v == "" })
	one := map[string]any{"type": "string", "enum": plain}
	if whole := s.enums[name]; name != "" && slices.Equal(plain, whole) {
		one = map[string]any{"$ref": schemaPrefix + s.enumName(name)}
		s.used[name] = true
	} else if len(plain) == len(values) {
		return
	}
	delete(schema, "type")
	delete(schema, "enum")
	if len(plain) == len(values) {
		schema["$ref"] = one["$ref"]
		return
	}
	options := []any{one}
	if slices.Contains(values, any("")) {
		options = append(options, map[string]any{"type": "string", "const": ""})
	}
	if slices.Contains(values, nil) {
		options = append(options, map[string]any{"type": "null"})
	}
	schema["anyOf"] = options
}
