package contract

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Misfits lists where a value does not fit a schema of the document.
func (d *Document) Misfits(schema Object, v any) []string { return d.misfits(schema, v, "") }

// misfits lists the violations of a schema by a value at a position of the answer. It supports the keywords that the
// document uses, and reports any other.
func (d *Document) misfits(s Object, v any, at string) (out []string) {
	say := func(format string, args ...any) { out = append(out, at+": "+fmt.Sprintf(format, args...)) }
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		target := Dig[Object](d.Root, "components", "schemas", name)
		if target == nil {
			return []string{at + ": no schema " + name}
		}
		return d.misfits(target, v, at)
	}
	for keyword := range s {
		if !slices.Contains(keywords, keyword) {
			say("the validator does not know %q", keyword)
		}
	}
	if parts, ok := s["allOf"].([]any); ok {
		return d.misfitsAll(parts, v, at)
	}
	if options, ok := anyOf(s); ok {
		return d.misfitsAny(options, v, at)
	}
	if !IsType(s["type"], v) {
		say("%T is no %v", v, s["type"])
		return out
	}
	if only, ok := s["const"]; ok && v != only {
		say("%v is not %v", v, only)
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, v) {
		say("%v is none of %v", v, list)
	}
	switch v := v.(type) {
	case Object:
		out = append(out, d.misfitsObject(s, v, at)...)
	case []any:
		if !within(s, "minItems", "maxItems", float64(len(v))) {
			say("%d items", len(v))
		}
		for i, item := range v {
			out = append(out, d.misfits(Dig[Object](s, "items"), item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case string:
		if p := textProblem(s, v); p != "" {
			say("%q %s", v, p)
		}
	case json.Number:
		if p := numberProblem(s, v); p != "" {
			say("%v %s", v, p)
		}
	}
	return out
}

var keywords = []string{
	"$ref", "type", "format", "description", "enum", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf",
	"pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "examples", "default",
	"propertyNames", "allOf", "const",
}

func anyOf(s Object) ([]any, bool) {
	for _, k := range []string{"anyOf", "oneOf"} {
		if list, ok := s[k].([]any); ok {
			return list, true
		}
	}
	return nil, false
}

func (d *Document) misfitsAny(options []any, v any, at string) []string {
	var all []string
	for _, o := range options {
		p := d.misfits(Dig[Object](o), v, at)
		if len(p) == 0 {
			return nil
		}
		all = append(all, p...)
	}
	return all
}

// misfitsAll requires a value to fit every part. The first lists the members; those after it narrow some of them, and
// may be open.
func (d *Document) misfitsAll(parts []any, v any, at string) (out []string) {
	for i, part := range parts {
		for _, p := range d.misfits(Dig[Object](part), v, at) {
			if i == 0 || !strings.HasSuffix(p, schemaOpen) {
				out = append(out, p)
			}
		}
	}
	return out
}

const schemaOpen = ": the schema is open"

// misfitsObject wants every required member and no other than the listed ones: all objects are closed, but for the
// details of a refusal.
func (d *Document) misfitsObject(s, v Object, at string) (out []string) {
	members := Dig[Object](s, "properties")
	if s["additionalProperties"] != false && !strings.HasSuffix(at, ".details") {
		out = append(out, at+schemaOpen)
	}
	for _, name := range Dig[[]any](s, "required") {
		if _, there := v[name.(string)]; !there {
			out = append(out, at+": no "+name.(string))
		}
	}
	for name, value := range v {
		member, known := members[name].(Object)
		switch {
		case known:
			out = append(out, d.misfits(member, value, at+"."+name)...)
		case s["additionalProperties"] == false:
			out = append(out, at+": "+name+" is not described")
		}
	}
	return out
}

// IsType reports whether a value is of a schema's type, which may be a list of types.
func IsType(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return IsType(w, v) })
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
	case Object:
		return want == "object"
	case json.Number:
		n, err := v.Float64()
		return err == nil && (want == "number" || want == "integer" && n == math.Trunc(n))
	}
	return false
}

// textProblem returns the reason why a text does not fit its format, pattern or length.
func textProblem(s Object, v string) string {
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
	if p, ok := s["pattern"].(string); ok && !compiled(p).MatchString(v) {
		return "does not match " + p
	}
	if !within(s, "minLength", "maxLength", float64(utf8.RuneCountInString(v))) {
		return "is too short or too long"
	}
	return ""
}

// patterns are those of documents, each compiled once a process.
var patterns sync.Map

func compiled(pattern string) *regexp.Regexp {
	if p, ok := patterns.Load(pattern); ok {
		return p.(*regexp.Regexp)
	}
	p := regexp.MustCompile(pattern)
	patterns.Store(pattern, p)
	return p
}

// numberProblem wants an integer, as money and every other number here is, within its bounds.
func numberProblem(s Object, v json.Number) string {
	n, err := v.Float64()
	switch {
	case err != nil || strings.ContainsAny(v.String(), ".eE"):
		return "is no integer"
	case !within(s, "minimum", "maximum", n):
		return "is out of bounds"
	}
	return ""
}

// within reports whether a number is within the bounds that a schema has under two names.
func within(s Object, least, most string, n float64) bool {
	low, err := Dig[json.Number](s, least).Float64()
	if err == nil && n < low {
		return false
	}
	high, err := Dig[json.Number](s, most).Float64()
	return err != nil || n <= high
}
