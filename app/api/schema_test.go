package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// document is /openapi.json as a client sees it: a second reading of the schemas, by nothing that wrote them.
type document struct {
	root  object
	paths map[string]object // by template
}

type object = map[string]any

func readDocument(t testing.TB, body []byte) *document {
	t.Helper()
	var root object
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		t.Fatalf("openapi.json: %v", err)
	}
	d := &document{root: root, paths: map[string]object{}}
	for template, item := range dig[object](root, "paths") {
		d.paths[template] = item.(object)
	}
	return d
}

// dig walks into decoded JSON; the zero value when something on the way is missing.
func dig[T any](v any, keys ...string) T {
	for _, k := range keys {
		m, _ := v.(object)
		v = m[k]
	}
	out, _ := v.(T)
	return out
}

// operation finds what answers a request: literal segments before parameters. Nil when nothing is described there.
func (d *document) operation(method, path string) (op object, template string) {
	path, _, _ = strings.Cut(path, "?")
	best := -1
	for t, item := range d.paths {
		if literal := matches(t, path); literal > best && item[strings.ToLower(method)] != nil {
			best, template = literal, t
		}
	}
	if best < 0 {
		return nil, ""
	}
	return d.paths[template][strings.ToLower(method)].(object), template
}

// matches counts the literal segments in which a template agrees with a path; -1 when it does not match.
func matches(template, path string) int {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return -1
	}
	literal := 0
	for i, seg := range want {
		switch {
		case seg == got[i]:
			literal++
		case !strings.HasPrefix(seg, "{") || got[i] == "":
			return -1
		}
	}
	return literal
}

// codes is the contract's pairing. A67, A68, A69, A70, A71, A72, A73.
var codes = map[int]string{
	400: "validation", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 429: "too_many_requests",
	500: "internal_error",
}

// check holds an answer against the document. A11, A13, A14, A15, A16, A19, A21, A22, A66, A75, A78.
func (d *document) check(t testing.TB, a answer) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s", a, fmt.Sprintf(format, args...))
	}
	if a.call.path == "/openapi.json" {
		return
	}
	op, template := d.operation(a.call.method, a.call.path)
	responses := dig[object](op, "responses")
	if op == nil {
		responses = object{"404": errorResponse, "400": errorResponse} // nothing is there, or the request cannot be read
	}
	response, listed := responses[strconv.Itoa(a.status)].(object)
	if !listed {
		fail("%s does not list this status", template)
		return
	}
	if a.status == http.StatusNoContent {
		if len(a.body) != 0 {
			fail("204 has a body")
		}
		return
	}
	if a.header("Content-Type") != "application/json" || a.header("X-Request-Id") == "" {
		fail("headers: %q %q", a.header("Content-Type"), a.header("X-Request-Id"))
	}
	var body any
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.UseNumber()
	if err := dec.Decode(&body); err != nil {
		fail("not JSON: %v", err)
		return
	}
	for _, p := range d.validate(dig[object](response, "content", "application/json", "schema"), body, "") {
		fail("%s", p)
	}
	if a.status >= http.StatusBadRequest {
		checkRefusal(a, body, fail)
	} else if m, _ := body.(object); len(m) != 2 || m["v"] != build {
		fail("not exactly {data, v}")
	}
}

var errorResponse = object{"content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}}}}

func checkRefusal(a answer, body any, fail func(string, ...any)) {
	e := dig[object](body, "error")
	if m, _ := body.(object); len(m) != 1 || len(e) != 3 || e["code"] != codes[a.status] || dig[object](e, "details") == nil {
		fail("not exactly {error: {code, message, details}}, or the wrong code")
	}
	if a.status == http.StatusTooManyRequests {
		if n, err := strconv.Atoi(a.header("Retry-After")); err != nil || n < 1 {
			fail("Retry-After %q", a.header("Retry-After"))
		}
	}
	for _, leak := range []string{"SQLSTATE", "goroutine", ".go:", "select ", "pgx"} {
		if strings.Contains(string(a.body), leak) {
			fail("shows %q", leak)
		}
	}
}

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
