package contract_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"foyer/app/apptest/contract"
)

// described is a document with one operation, which answers 200, 404 or 204.
const described = `{"paths": {"/things/{id}": {"get": {"responses": {
	"200": {"content": {"application/json": {"schema": {"type": "object", "additionalProperties": false, "required": ["data", "v"],
		"properties": {"data": {"$ref": "#/components/schemas/Thing"}, "v": {"type": "string"}}}}}},
	"204": {"description": "gone"},
	"404": {"$ref": "#/components/responses/NotFound"},
	"409": {"content": {"application/json": {"schema": {"allOf": [{"$ref": "#/components/schemas/Error"}, {"type": "object", "properties":
		{"error": {"type": "object", "properties": {"details": {"type": "object", "properties": {"reason": {"enum": ["full"], "type": "string"}}}}}}}]}}}}
}}}, "/things/{id}/calendar": {"get": {"responses": {"200": {"content": {"text/calendar": {}}}}}}}, "components": {
"responses": {"NotFound": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}},
"schemas": {
	"Thing": {"type": "object", "additionalProperties": false, "required": ["id", "price", "note"], "properties": {
		"id": {"type": "string", "format": "uuid"}, "price": {"type": "integer", "minimum": 0, "maximum": 100},
		"note": {"type": ["string", "null"], "maxLength": 5}, "kind": {"type": "string", "enum": ["class", "rental"]},
		"at": {"type": "string", "format": "date-time"}, "loose": {"type": "object"}, "list": {"type": "array", "maxItems": 1, "items": {"type": "boolean"}},
		"either": {"oneOf": [{"type": "boolean"}, {"type": "null"}]},
		"blank": {"anyOf": [{"type": "string", "enum": ["on"]}, {"type": "string", "const": ""}]}}},
	"Error": {"type": "object", "additionalProperties": false, "required": ["error"], "properties": {"error":
		{"type": "object", "additionalProperties": false, "required": ["code", "message", "details"], "properties":
			{"code": {"type": "string"}, "message": {"type": "string"}, "details": {"type": "object"}}}}}
}}}`

const thing = `"id":"0190a1b2-0000-7000-8000-0000000000ff","price":1,"note":null`

func conflict(details string) string {
	return `{"error":{"code":"conflict","message":"No.","details":{` + details + `}}}`
}

func read(t *testing.T) *contract.Document {
	t.Helper()
	d, err := contract.Read([]byte(described))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func data(members string) string { return `{"data":{` + members + `},"v":"1"}` }

// TestProblems: an answer that keeps the document's promises has none; every way to break one is seen. A11.
func TestProblems(t *testing.T) {
	d := read(t)
	missing := `{"error":{"code":"not_found","message":"Not found.","details":{"anything":[1.5]}}}`
	for name, c := range map[string]struct {
		path    string
		status  int
		body    string
		problem string // a part of it; "" for none
	}{
		"right":               {"/things/1", 200, data(thing), ""},
		"right, with a query": {"/things/1?x=/y", 200, data(thing + `,"kind":"class","either":null,"list":[true],"at":"2026-06-10T12:00:00Z"`), ""},
		"refused":             {"/things/1", 404, missing, ""},
		"gone":                {"/things/1", 204, "", ""},
		"nothing there":       {"/things", 404, missing, ""},

		"blank":     {"/things/1", 200, data(thing + `,"blank":""`), ""},
		"full":      {"/things/1", 409, conflict(`"reason":"full"`), ""},
		"no reason": {"/things/1", 409, conflict(``), ""},

		"neither on nor blank":     {"/things/1", 200, data(thing + `,"blank":"off"`), "off is not"},
		"another reason":           {"/things/1", 409, conflict(`"reason":"late"`), `"late" is not declared`},
		"and by its schema":        {"/things/1", 409, conflict(`"reason":"late"`), "late is none of"},
		"a reason for a 404":       {"/things/1", 404, strings.Replace(missing, `"anything":[1.5]`, `"reason":"full"`, 1), `"full" is not declared`},
		"a member beside error":    {"/things/1", 409, strings.Replace(conflict(``), `{"error"`, `{"more":1,"error"`, 1), "more is not described"},
		"undeclared status":        {"/things/1", 403, strings.Replace(missing, "not_found", "forbidden", 1), "does not list"},
		"undeclared success":       {"/things/1", 201, data(thing), "does not list"},
		"a success out of nowhere": {"/things", 200, data(thing), "does not list"},
		"undeclared member":        {"/things/1", 200, data(thing + `,"more":1`), "more is not described"},
		"member of the envelope":   {"/things/1", 200, `{"data":{` + thing + `},"v":"1","more":1}`, "more is not described"},
		"missing member":           {"/things/1", 200, data(`"price":1,"note":null`), "no id"},
		"null":                     {"/things/1", 200, data(strings.Replace(thing, `1,`, `null,`, 1)), ".data.price"},
		"text for a number":        {"/things/1", 200, data(strings.Replace(thing, `:1,`, `:"1",`, 1)), "is no integer"},
		"fraction":                 {"/things/1", 200, data(strings.Replace(thing, `:1,`, `:1.0,`, 1)), "is no integer"},
		"too much":                 {"/things/1", 200, data(strings.Replace(thing, `:1,`, `:101,`, 1)), "out of bounds"},
		"too long":                 {"/things/1", 200, data(strings.Replace(thing, `null`, `"äöüäöü"`, 1)), "too long"},
		"too many":                 {"/things/1", 200, data(thing + `,"list":[true,false]`), "2 items"},
		"wrong item":               {"/things/1", 200, data(thing + `,"list":[1]`), ".data.list[0]"},
		"no UUID":                  {"/things/1", 200, data(strings.Replace(thing, "0190a1b2", "0190A1B2", 1)), "no UUID"},
		"unknown kind":             {"/things/1", 200, data(thing + `,"kind":"party"`), "none of"},
		"local time":               {"/things/1", 200, data(thing + `,"at":"2026-06-10T12:00:00+02:00"`), "no UTC time"},
		"too fine a time":          {"/things/1", 200, data(thing + `,"at":"2026-06-10T12:00:00.0001Z"`), "no UTC time"},
		"neither":                  {"/things/1", 200, data(thing + `,"either":1`), ".data.either"},
		"open schema":              {"/things/1", 200, data(thing + `,"loose":{}`), "schema is open"},
		"wrong code":               {"/things/1", 404, strings.Replace(missing, "not_found", "conflict", 1), "wrong code"},
		"bare refusal":             {"/things/1", 404, `{"error":"no"}`, ".error"},
		"leak":                     {"/things/1", 404, strings.Replace(missing, "Not found.", "pgx: no rows", 1), "shows"},
		"body of a 204":            {"/things/1", 204, "{}", "has a body"},
		"no JSON":                  {"/things/1", 200, "OK", "not JSON"},
		"two values":               {"/things/1", 200, data(thing) + "{}", "not JSON"},
	} {
		problems := strings.Join(d.Problems(contract.Answer{
			Method: "GET", Path: c.path, Status: c.status, Header: header("application/json").Get, Body: []byte(c.body),
		}), "; ")
		if (problems == "") != (c.problem == "") || !strings.Contains(problems, c.problem) {
			t.Errorf("%s: %q, want %q", name, problems, c.problem)
		}
	}
	d.Build = "2"
	a := contract.Answer{Method: "GET", Path: "/things/1", Status: 200, Header: header("text/html").Get, Body: []byte(data(thing))}
	if p := d.Problems(a); len(p) != 1 || !strings.Contains(p[0], "headers") {
		t.Errorf("another type: %v", p)
	}
	a.Header = header("application/json").Get
	if p := d.Problems(a); len(p) != 1 || !strings.Contains(p[0], "{data, v}") {
		t.Errorf("another build: %v", p)
	}
	a.Path, a.Body, a.Header = "/things/1/calendar", []byte("BEGIN:VCALENDAR"), header("text/calendar").Get
	if p := d.Problems(a); len(p) != 0 {
		t.Errorf("a calendar: %v", p)
	}
}

func header(contentType string) http.Header {
	return http.Header{"Content-Type": {contentType}, "X-Request-Id": {"1"}}
}

// trip is a server as a client sees it.
type trip func(r *http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestTransport: a call fails if its answer violates the document, and arrives whole otherwise. Other addresses than
// the API's pass. A11.
func TestTransport(t *testing.T) {
	for _, c := range []struct {
		path, body string
		fails      bool
	}{
		{"/things/1", data(thing), false}, {"/things/1", data(thing + `,"more":1`), true}, {"/things", data(thing), true},
		{"/thingswhatever", "a page", false}, {"/", "a page", false},
	} {
		client := &http.Client{Transport: contract.Transport{Document: read(t), Next: trip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: header("application/json"), Body: io.NopCloser(strings.NewReader(c.body)), Request: r}, nil
		})}}
		res, err := client.Get("http://studio.example" + c.path)
		if c.fails != (err != nil) {
			t.Errorf("%s: %v", c.path, err)
		}
		if err != nil {
			continue
		}
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != c.body {
			t.Errorf("%s: %q, %v", c.path, got, err)
		}
	}
}
