package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Object is a decoded JSON object.
type Object = map[string]any

// Document is an OpenAPI document. It is read only: one may be shared by all tests of a process.
type Document struct {
	Root  Object
	Paths map[string]Object // by template: operations by method, in lower case
	Build string            // v of every answer; any build when empty

	templates map[int][]template // by the number of their segments
	roots     map[string]bool    // first segments
}

// template is a path template, cut once.
type template struct {
	text     string
	segments []string
}

// Read decodes a document.
func Read(body []byte) (*Document, error) {
	root, err := decode(body)
	if err != nil {
		return nil, fmt.Errorf("contract: openapi.json: %w", err)
	}
	d := &Document{Root: Dig[Object](root), Paths: map[string]Object{}, templates: map[int][]template{}, roots: map[string]bool{}}
	for text := range Dig[Object](root, "paths") {
		d.Paths[text] = Dig[Object](root, "paths", text)
		cut := strings.Split(text, "/")
		d.templates[len(cut)] = append(d.templates[len(cut)], template{text, cut})
		d.roots[firstSegment(text)] = true
	}
	return d, nil
}

// decode keeps numbers as they are written.
func decode(body []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// Dig walks into decoded JSON; the zero value when something on the way is missing.
func Dig[T any](v any, keys ...string) T {
	for _, k := range keys {
		m, _ := v.(Object)
		v = m[k]
	}
	out, _ := v.(T)
	return out
}

// Operation returns the operation of a request: literal segments before parameters. It returns nil if none is
// described.
func (d *Document) Operation(method, path string) (op Object, template string) {
	path, _, _ = strings.Cut(path, "?")
	got, method := strings.Split(path, "/"), strings.ToLower(method)
	best := -1
	for _, t := range d.templates[len(got)] {
		if literal := t.matches(got); literal > best && d.Paths[t.text][method] != nil {
			best, template = literal, t.text
		}
	}
	if best < 0 {
		return nil, ""
	}
	return Dig[Object](d.Paths[template], method), template
}

// matches counts the literal segments in which a template agrees with a path that has as many; -1 when it does not
// match.
func (t template) matches(got []string) int {
	literal := 0
	for i, seg := range t.segments {
		switch {
		case seg == got[i]:
			literal++
		case !strings.HasPrefix(seg, "{") || got[i] == "":
			return -1
		}
	}
	return literal
}

// Covers reports whether an address is the API's: below one of the roots of the document.
func (d *Document) Covers(path string) bool { return d.roots[firstSegment(path)] }

func firstSegment(path string) string {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/"), "?")
	first, _, _ := strings.Cut(path, "/")
	return first
}

// Transport is a transport to the API that fails a call if the answer violates the document. Other addresses, such as
// pages, pass unchecked.
type Transport struct {
	Document *Document
	Next     http.RoundTripper
}

// RoundTrip is http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.Next.RoundTrip(r)
	if err != nil || !t.Document.Covers(r.URL.Path) {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	problems := t.Document.Problems(Answer{
		Method: r.Method, Path: r.URL.EscapedPath(), Status: res.StatusCode, Header: res.Header.Get, Body: body,
	})
	if len(problems) > 0 {
		return nil, fmt.Errorf("contract: %s %s: %d %.300s: %s", r.Method, r.URL.Path, res.StatusCode, body, strings.Join(problems, "; "))
	}
	return res, nil
}

// Answer is an answer with its request.
type Answer struct {
	Method, Path string
	Status       int
	Header       func(name string) string
	Body         []byte
}

// codes is the pairing of statuses and codes.
var codes = map[int]string{
	400: "validation", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 429: "too_many_requests",
	500: "internal_error",
}

// anywhere are the answers allowed without an operation: not found, or an unreadable request.
var anywhere = Object{"400": refusal, "404": refusal}

var refusal = Object{"content": Object{"application/json": Object{"schema": Object{"$ref": "#/components/schemas/Error"}}}}

// Problems lists the violations of the document in an answer: its status, its headers, every member of its body, and
// the properties that all answers have in common. An address without an operation may only refuse.
func (d *Document) Problems(a Answer) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	op, template := d.Operation(a.Method, a.Path)
	responses := Dig[Object](op, "responses")
	if op == nil {
		responses = anywhere
	}
	response := d.response(responses, a.Status)
	if response == nil {
		say("%s %s does not list this status", a.Method, template)
		return out
	}
	if a.Status == http.StatusNoContent {
		if len(a.Body) != 0 {
			say("204 has a body")
		}
		return out
	}
	media, content := a.Header("Content-Type"), Dig[Object](response, "content")
	if content[media] == nil || a.Header("X-Request-Id") == "" {
		say("headers: %q %q", media, a.Header("X-Request-Id"))
	}
	if media != "application/json" {
		return out
	}
	body, err := decode(a.Body)
	if err != nil {
		say("not JSON: %v", err)
		return out
	}
	out = append(out, d.misfits(Dig[Object](content, media, "schema"), body, "")...)
	if a.Status >= http.StatusBadRequest {
		if reason := Dig[string](body, "error", "details", "reason"); reason != "" && op != nil && !slices.Contains(d.Reasons(op, a.Status), reason) {
			say("details.reason %q is not declared for this status", reason)
		}
		return append(out, refusalProblems(a, body)...)
	}
	if m := Dig[Object](body); len(m) != 2 || Dig[string](m, "v") == "" || d.Build != "" && m["v"] != d.Build {
		say("not exactly {data, v}")
	}
	return out
}

// response returns the description of a status, inline or from the components.
func (d *Document) response(responses Object, status int) Object {
	return d.Resolve(Dig[Object](responses, strconv.Itoa(status)))
}

// Resolve returns the target of a reference into the components, or the object itself.
func (d *Document) Resolve(o Object) Object {
	ref, ok := o["$ref"].(string)
	if !ok {
		return o
	}
	return Dig[Object](d.Root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
}

// ByID is the operation of that id; nil when there is none.
func (d *Document) ByID(id string) Object {
	for _, item := range d.Paths {
		for _, op := range item {
			if Dig[string](op, "operationId") == id {
				return op.(Object)
			}
		}
	}
	return nil
}

// Reasons are the values of details.reason that an operation declares for a status.
func (d *Document) Reasons(op Object, status int) (out []string) {
	schema := Dig[Object](d.response(Dig[Object](op, "responses"), status), "content", "application/json", "schema")
	for _, part := range Dig[[]any](schema, "allOf") {
		reason := Dig[Object](part, "properties", "error", "properties", "details", "properties", "reason")
		for _, v := range Dig[[]any](reason, "enum") {
			out = append(out, v.(string))
		}
	}
	return out
}

func refusalProblems(a Answer, body any) (out []string) {
	e := Dig[Object](body, "error")
	if len(Dig[Object](body)) != 1 || len(e) != 3 || e["code"] != codes[a.Status] || Dig[Object](e, "details") == nil {
		out = append(out, "not exactly {error: {code, message, details}}, or the wrong code")
	}
	if a.Status == http.StatusTooManyRequests {
		if n, err := strconv.Atoi(a.Header("Retry-After")); err != nil || n < 1 {
			out = append(out, fmt.Sprintf("Retry-After %q", a.Header("Retry-After")))
		}
	}
	for _, leak := range []string{"SQLSTATE", "goroutine", ".go:", "select ", "pgx"} {
		if strings.Contains(string(a.Body), leak) {
			out = append(out, fmt.Sprintf("shows %q", leak))
		}
	}
	return out
}
