package op

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"foyer/app/fault"
)

// Tool is an operation as an assistant calls it: with one closed object of its path, query and body.
type Tool struct {
	Spec
	// Schema is the JSON Schema of the arguments, with all definitions it needs.
	Schema json.RawMessage
	// Replays reports whether the call can be repeated under an idempotency key (argument keyArgument).
	Replays bool

	path, query, body []string
	withBody          bool
}

// keyArgument is the argument of a tool that is sent as Idempotency-Key.
const keyArgument = "idempotencyKey"

// Tools returns the operations that JSON can carry, in order of declaration: not those with a file only, and not those
// that answer in another format. The schemas are those of the document.
func (r *Registry) Tools() ([]Tool, error) {
	text, err := r.OpenAPI()
	if err != nil {
		return nil, err
	}
	var doc toolDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("op: tools: %w", err)
	}
	var out []Tool
	for _, d := range r.declared {
		if d.Media != "" || d.File != nil && !d.File.OrJSON {
			continue
		}
		t, err := doc.tool(d)
		if err != nil {
			return nil, fmt.Errorf("op: tool %s: %w", d.ID, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// toolDocument is the part of the document that tools are made of.
type toolDocument struct {
	Paths      map[string]map[string]toolOperation
	Components struct{ Schemas map[string]map[string]any }
}

type toolOperation struct {
	Parameters []struct {
		Name, In, Description string
		Required              bool
		Schema                map[string]any
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]any }
	}
}

func (doc *toolDocument) tool(d *declared) (Tool, error) {
	t := Tool{Spec: d.Spec, Replays: d.replays()}
	o := doc.Paths[d.Path][strings.ToLower(d.Method)]
	properties, required := map[string]any{}, []string{}
	add := func(name string, schema map[string]any, needed bool) error {
		if properties[name] != nil {
			return fmt.Errorf("two inputs are called %s", name)
		}
		properties[name] = schema
		if needed {
			required = append(required, name)
		}
		return nil
	}
	for _, p := range o.Parameters {
		schema := p.Schema
		if p.Description != "" {
			schema["description"] = p.Description
		}
		switch p.In {
		case "path":
			t.path = append(t.path, p.Name)
		case "query":
			t.query = append(t.query, p.Name)
		default:
			continue
		}
		if err := add(p.Name, schema, p.Required); err != nil {
			return t, err
		}
	}
	if o.RequestBody != nil {
		body := doc.resolve(o.RequestBody.Content[JSONType].Schema)
		members, _ := body["properties"].(map[string]any)
		needed, _ := body["required"].([]any)
		t.withBody = o.RequestBody.Required
		for name, schema := range members {
			t.body = append(t.body, name)
			if err := add(name, schema.(map[string]any), slices.Contains(needed, any(name))); err != nil {
				return t, err
			}
		}
		slices.Sort(t.body)
	}
	if t.Replays {
		key := map[string]any{
			"type": "string", "maxLength": 255,
			"description": "Send the same key to repeat a call whose answer was lost: it takes effect once.",
		}
		if err := add(keyArgument, key, false); err != nil {
			return t, err
		}
	}
	slices.Sort(required)
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	defs := map[string]any{}
	schema = doc.inline(schema, defs).(map[string]any)
	if len(defs) > 0 {
		schema["$defs"] = defs
	}
	var err error
	t.Schema, err = json.Marshal(schema)
	return t, err
}

// resolve returns the schema that a reference names.
func (doc *toolDocument) resolve(schema map[string]any) map[string]any {
	for {
		ref, _ := schema["$ref"].(string)
		if ref == "" {
			return schema
		}
		schema = doc.Components.Schemas[strings.TrimPrefix(ref, schemaPrefix)]
	}
}

// inline returns a copy of a schema whose references lead to defs, and adds what they name to defs.
func (doc *toolDocument) inline(v any, defs map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, child := range v {
			if ref, ok := child.(string); ok && name == "$ref" {
				named := strings.TrimPrefix(ref, schemaPrefix)
				if _, known := defs[named]; !known {
					defs[named] = nil // a recursive schema refers to it while it is being copied
					defs[named] = doc.inline(any(doc.Components.Schemas[named]), defs)
				}
				out[name] = "#/$defs/" + named
				continue
			}
			if name == "example" || name == "examples" {
				continue
			}
			out[name] = doc.inline(child, defs)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = doc.inline(child, defs)
		}
		return out
	}
	return v
}

// Sent is a call of a tool as a request.
type Sent struct {
	Method, Target string // Target is the path with the query
	Body           []byte // nil: none
	Key            string // of Idempotency-Key
	File           *File  // beside Body, where the operation takes one; nil: none
}

// Send makes the request of a call. An argument that the tool does not have, and one that cannot stand in an address,
// is a validation error; the operation checks everything else.
func (t *Tool) Send(arguments json.RawMessage) (s Sent, err error) {
	s.Method = t.Method
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 {
		if err := strictJSON(arguments); err != nil {
			return s, err
		}
		if json.Unmarshal(arguments, &given) != nil {
			return s, fault.Invalid("arguments", "must be an object")
		}
	}
	path, query, body := t.Path, url.Values{}, map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		raw := given[name]
		switch {
		case slices.Contains(t.path, name):
			text, ok := scalar(raw)
			if !ok {
				return s, fault.Invalid("path."+name, "must be a text")
			}
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(text))
		case slices.Contains(t.query, name):
			list, ok := scalars(raw)
			if !ok {
				return s, fault.Invalid("query."+name, "must be a text, a number, or a list of them")
			}
			query[name] = list
		case slices.Contains(t.body, name):
			body[name] = raw
		case name == keyArgument && t.Replays:
			var ok bool
			if s.Key, ok = scalar(raw); !ok {
				return s, fault.Invalid("header."+keyHeader, "must be a text")
			}
		default:
			return s, fault.Invalid(name, "is not an argument of this tool")
		}
	}
	for _, name := range t.path {
		if _, ok := given[name]; !ok {
			return s, fault.Invalid("path."+name, "is required")
		}
	}
	s.Target = path
	if len(query) > 0 {
		s.Target += "?" + query.Encode()
	}
	if t.withBody || len(body) > 0 {
		s.Body, err = json.Marshal(body)
	}
	return s, err
}

// scalar returns a JSON text, number or truth value as text.
func scalar(raw json.RawMessage) (string, bool) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

// scalars is scalar for a list of them as well. A null is no value.
func scalars(raw json.RawMessage) ([]string, bool) {
	if string(raw) == "null" {
		return nil, true
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		text, ok := scalar(raw)
		return []string{text}, ok
	}
	out := make([]string, len(list))
	for i, item := range list {
		var ok bool
		if out[i], ok = scalar(item); !ok {
			return nil, false
		}
	}
	return out, true
}
