package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest/contract"
	"foyer/app/web/op"
)

// TestBadInput sends every operation with a body invalid input: 400 in the envelope, never 500, and nothing is
// written. A18, A67, A77.
func TestBadInput(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	before := h.checksum()
	tried := 0
	for _, spec := range h.operations {
		schema := h.bodySchema(spec)
		if schema == nil {
			continue
		}
		c := call{method: spec.Method, path: s.fill(spec, ""), token: s.owner}
		for name, bad := range h.badBodies(spec, schema, s.bodies(spec.ID)) {
			tried++
			c.body, c.contentType = bad.body, bad.contentType
			a := h.do(c)
			if a.status != 400 || len(a.fields()) == 0 {
				t.Errorf("%s, %s: %s", spec.ID, name, a)
			}
		}
	}
	if after := h.checksum(); after != before {
		t.Error("a wrong request changed something")
	}
	if tried < 500 {
		t.Errorf("only %d bodies", tried)
	}
}

func (h *house) bodySchema(spec op.Spec) object {
	d, _ := h.doc.Operation(spec.Method, spec.Path)
	return h.resolve(dig[object](d, "requestBody", "content", "application/json", "schema"))
}

func (h *house) resolve(s object) object {
	if ref, ok := s["$ref"].(string); ok {
		return dig[object](h.doc.Root, "components", "schemas", strings.TrimPrefix(ref, "#/components/schemas/"))
	}
	return s
}

type badBody struct{ body, contentType string }

// badBodies are the invalid bodies of one operation, made from its schema and a valid body.
func (h *house) badBodies(spec op.Spec, schema, good object) map[string]badBody {
	right := js(good)
	out := map[string]badBody{
		"broken JSON":       {body: right[:len(right)-1]},
		"two values":        {body: right + right},
		"a list":            {body: "[" + right + "]"},
		"null":              {body: "null"},
		"a member twice":    {body: `{"x":1,"x":1}`},
		"invalid UTF-8":     {body: "{\"x\":\"\xff\"}"},
		"too large":         {body: `{"x":"` + strings.Repeat("y", 1<<20) + `"}`},
		"too deep":          {body: strings.Repeat("[", 100) + strings.Repeat("]", 100)},
		"text":              {body: right, contentType: "text/plain"},
		"a form":            {body: right, contentType: "multipart/form-data; boundary=x"},
		"another charset":   {body: right, contentType: "application/json; charset=utf-16"},
		"an unknown member": {body: js(with(good, "surprise", 1))},
	}
	required := dig[[]any](schema, "required")
	for name, member := range dig[object](schema, "properties") {
		for what, value := range h.wrongValues(member.(object)) {
			if value == nil && !slices.Contains(required, any(name)) {
				continue // null stands for an absent optional member
			}
			out[name+": "+what] = badBody{body: strings.ReplaceAll(js(with(good, name, value)), `"NUL"`, `"a\u0000b"`)}
		}
	}
	for _, name := range required {
		out["without "+name.(string)] = badBody{body: js(without(good, name.(string)))}
	}
	return out
}

// wrongValues are values that violate a member's schema.
func (h *house) wrongValues(s object) map[string]any {
	s = h.resolve(s)
	nullable := false
	if options, ok := s["anyOf"].([]any); ok {
		nullable = slices.ContainsFunc(options, func(o any) bool { return o.(object)["type"] == "null" })
		s = h.resolve(options[0].(object))
	}
	out := map[string]any{}
	takes := func(v any) bool { return v == nil && nullable || contract.IsType(s["type"], v) }
	for name, v := range map[string]any{
		"an object": object{"a": 1}, "a list": []any{object{}}, "a number": json.Number("7"), "a fraction": json.Number("22.5"),
		"a truth": true, "text": "text", "null": nil,
	} {
		if !takes(v) {
			out[name] = v
		}
	}
	if takes("") && s["enum"] == nil {
		out["NUL"] = "NUL"
		if n, ok := s["maxLength"].(json.Number); ok {
			most, _ := n.Int64()
			out["too long"] = strings.Repeat("x", int(most)+1)
		}
	}
	if s["enum"] != nil {
		out["none of the list"] = "no-such-choice"
	}
	for _, bound := range []string{"minimum", "maximum"} {
		if n, ok := s[bound].(json.Number); ok {
			v, _ := n.Int64()
			out["past the "+bound] = v + map[string]int64{"minimum": -1, "maximum": 1}[bound]
		}
	}
	if takes(json.Number("1")) {
		out["money as text"], out["money as a fraction"], out["huge"] = "22.00", json.Number("22.0"), json.Number("99999999999999999999")
	}
	return out
}

func with(m object, name string, value any) object {
	out := object{}
	for k, v := range m {
		out[k] = v
	}
	out[name] = value
	return out
}

func without(m object, name string) object {
	out := with(m, name, nil)
	delete(out, name)
	return out
}

// TestBadQuery sends invalid values of every parameter of every read. A89.
func TestBadQuery(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	tried := 0
	for _, spec := range h.operations {
		d, _ := h.doc.Operation(spec.Method, spec.Path)
		for _, p := range dig[[]any](d, "parameters") {
			if dig[string](p, "in") != "query" {
				continue
			}
			for _, bad := range badParams(h.resolve(dig[object](p, "schema"))) {
				tried++
				path, first := s.fill(spec, ""), "?"
				if strings.Contains(path, first) {
					path, first = regexp.MustCompile(dig[string](p, "name")+"=[^&]*").ReplaceAllString(path, "given="), "&"
				}
				path = fmt.Sprintf("%s%s%s=%s", path, first, dig[string](p, "name"), bad)
				a := h.do(call{method: spec.Method, path: path, token: s.owner})
				if !slices.Contains(spec.Errors, 400) && a.status == 404 { // the contract lists no other
					continue
				}
				if a.status != 400 || !slices.Contains(a.fields(), "query."+dig[string](p, "name")) {
					t.Errorf("%s: %v %s", spec.ID, a.fields(), a)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d", tried)
	}
}

func badParams(s object) []string {
	var out []string
	switch {
	case s["enum"] != nil, s["format"] != nil && s["type"] == "string", s["type"] == "boolean":
		out = append(out, "no-such-thing")
	case s["type"] == "integer":
		out = append(out, "many", "1.5", "-1", "99999999999")
	}
	if s["type"] == "string" {
		out = append(out, "%00", "%ff")
	}
	if n, ok := s["maxLength"].(json.Number); ok {
		v, _ := n.Int64()
		out = append(out, strings.Repeat("x", int(v)+1))
	}
	return out
}
