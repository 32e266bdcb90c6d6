package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
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
