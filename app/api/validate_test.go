package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// validate lists where a value does not fit its schema. It knows the keywords that the document uses, and fails on one
// that it does not know.
func (d *document) validate(s object, v any, at string) (out []string) {
	say := func(format string, args ...any) { out = append(out, at+": "+fmt.Sprintf(format, args...)) }
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		target := dig[object](d.root, "components", "schemas", name)
		if target == nil {
			return []string{at + ": no schema " + name}
		}
		return d.validate(target, v, at)
	}
	for keyword := range s {
		if !slices.Contains(keywords, keyword) {
			say("the validator does not know %q", keyword)
		}
	}
	if options, ok := anyOf(s); ok {
		return d.validateAny(options, v, at)
	}
	if !isType(s["type"], v) {
		say("%T is no %v", v, s["type"])
		return out
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, v) {
		say("%v is none of %v", v, list)
	}
	switch v := v.(type) {
	case object:
		out = append(out, d.validateObject(s, v, at)...)
	case []any:
		for i, item := range v {
			out = append(out, d.validate(dig[object](s, "items"), item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case string:
		if p := textProblem(s, v); p != "" {
			say("%q %s", v, p)
		}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") { // A17: money, and every other number here, is an integer
			say("%v is no integer", v)
		}
	}
	return out
}

var keywords = []string{
	"$ref", "type", "format", "description", "enum", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf",
	"pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "examples", "default",
	"propertyNames",
}

func anyOf(s object) ([]any, bool) {
	for _, k := range []string{"anyOf", "oneOf"} {
		if list, ok := s[k].([]any); ok {
			return list, true
		}
	}
	return nil, false
}

func (d *document) validateAny(options []any, v any, at string) []string {
	var all []string
	for _, o := range options {
		p := d.validate(o.(object), v, at)
		if len(p) == 0 {
			return nil
		}
		all = append(all, p...)
	}
	return all
}

// validateObject wants every required member and no other than the listed ones: all objects are closed, but for the
// details of a refusal. A22.
func (d *document) validateObject(s, v object, at string) (out []string) {
	members := dig[object](s, "properties")
	if s["additionalProperties"] != false && !strings.HasSuffix(at, ".details") {
		out = append(out, at+": the schema is open")
	}
	for _, name := range dig[[]any](s, "required") {
		if _, there := v[name.(string)]; !there {
			out = append(out, at+": no "+name.(string))
		}
	}
	for name, value := range v {
		member, known := members[name].(object)
		switch {
		case known:
			out = append(out, d.validate(member, value, at+"."+name)...)
		case s["additionalProperties"] == false:
			out = append(out, at+": "+name+" is not described")
		}
	}
	return out
}

func isType(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return isType(w, v) })
	}
	switch v := v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case object:
		return want == "object"
	case json.Number:
		n, err := v.Float64()
		return err == nil && (want == "number" || want == "integer" && n == math.Trunc(n))
	}
	return false
}

// textProblem says why a text does not fit its format, pattern or length.
func textProblem(s object, v string) string {
	switch s["format"] {
	case "uuid":
		if id, err := uuid.Parse(v); err != nil || id.String() != v {
			return "is no UUID"
		}
	case "date-time":
		if t, err := time.Parse(time.RFC3339Nano, v); err != nil || !strings.HasSuffix(v, "Z") || t.Nanosecond()%1e6 != 0 || t.Year() < 2000 {
			return "is no UTC time to the millisecond"
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, v); err != nil {
			return "is no date"
		}
	}
	if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(v) {
		return "does not match " + p
	}
	return ""
}

// number is a JSON number.
func number(n string) json.Number { return json.Number(n) }

// asText writes a scalar of decoded JSON.
func asText(v any) string { return fmt.Sprint(v) }
