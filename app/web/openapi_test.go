package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/app/web/op"
)

var update = flag.Bool("update", false, "rewrite the golden document")

// The small registry of the golden document uses every shape of the document.

type account struct {
	ID      uuid.UUID `json:"id"`
	Name    string    `json:"name" maxLength:"80"`
	SubType string    `json:"subType,omitempty"`
}

type mapRow struct {
	Category  string               `json:"category" enum:"income.class,income.other"`
	TaxRateID *uuid.UUID           `json:"taxRateId"`
	LastError *string              `json:"lastError"`
	Skipped   *string              `json:"skipped" enum:"disconnected,before_start_date"`
	Confirmed op.Nullable[account] `json:"confirmed"`
	Accounts  []account            `json:"accounts"`
	Price     int64                `json:"price" doc:"Minor units."`
	PostedAt  time.Time            `json:"postedAt"`
}

type patchRow struct {
	TaxRateID op.Nullable[uuid.UUID] `json:"taxRateId,omitzero"`
	Account   op.Nullable[account]   `json:"account,omitzero"`
	Name      *string                `json:"name,omitempty" minLength:"1"`
	Price     int64                  `json:"price" minimum:"0"`
	Version   int64                  `json:"version"`
}

type patchRowIn struct {
	RowID uuid.UUID `path:"rowId" doc:"The row."`
	Body  patchRow
}

type closureBody struct {
	Date string `json:"date" format:"date"`
	op.Quote
}
type closureIn struct{ Body *closureBody }
type closure struct {
	Date string `json:"date"`
}
type closureEffects struct {
	Hits []string `json:"hits"`
}

func documentWorld(t testing.TB) *world {
	w := newWorld(t)
	r := w.srv.Operations
	full := []int{400, 401, 403, 404, 409}
	numbers := numbersSpec()
	op.Declare(r, numbers, func(context.Context, tenancy.Scope, *numbersIn) (op.List[mapRow], error) {
		return op.List[mapRow]{Items: []mapRow{{Category: "income.class"}}}, nil
	})
	op.Declare(r, spec("updateRow", "PATCH", "/businesses/{businessId}/rows/{rowId}", op.Spec{
		Access: op.OperatorSession, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: full, Versioned: true,
	}), func(_ context.Context, _ tenancy.Scope, in *patchRowIn) (mapRow, error) { return patched(in), nil })
	op.Declare(r, spec("createClosure", "POST", "/locations/{id}/closures", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InLocation("id"), Errors: full, Success: 201,
		Quoted: true,
	}), func(_ context.Context, _ tenancy.Scope, in *closureIn) (op.Quoted[closure, closureEffects], error) {
		c := closure{Date: "2026-01-01"}
		if in.Body != nil {
			c.Date = in.Body.Date
		}
		return op.Quoted[closure, closureEffects]{Done: c}, nil
	})
	op.Declare(r, spec("deletePhoto", "DELETE", "/assets/{id}", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InOffering("id"), Errors: gated, Frozen: true,
	}), func(context.Context, tenancy.Scope, *none) (op.NoContent, error) { return op.NoContent{}, nil })
	op.Declare(r, spec("getCalendar", "GET", "/storefront/locations/{id}/calendar", op.Spec{
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{404}, Media: "text/calendar", Tag: "storefront",
	}), func(context.Context, tenancy.Scope, *none) (op.Raw, error) {
		return op.Download("classes.ics", []byte("BEGIN:VCALENDAR")), nil
	})
	return w
}

func numbersSpec() op.Spec {
	return spec("listRows", "GET", "/businesses/{businessId}/rows", op.Spec{
		Access: op.Operator, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404}, Compact: true,
	})
}

// TestGoldenDocument compares the whole document of the tiny registry. Run with -update after a change that is meant.
func TestGoldenDocument(t *testing.T) {
	w := documentWorld(t)
	got, err := w.srv.Operations.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/openapi.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the document changed; see the diff after go test ./app/web -run TestGoldenDocument -update")
	}
	served := w.do(req{path: "/openapi.json"})
	if served.body != string(got) || served.header("Content-Type") != "application/json" || served.header("ETag") == "" {
		t.Errorf("served: %s %s", served.header("Content-Type"), served.header("ETag"))
	}
	if d := w.do(req{path: "/openapi.json", headers: []string{"If-None-Match", served.header("ETag")}}); d.status != 304 {
		t.Errorf("conditional GET: %d", d.status)
	}
}

// document decodes /openapi.json.
func (w *world) document() map[string]any {
	var doc map[string]any
	if err := json.Unmarshal([]byte(w.do(req{path: "/openapi.json"}).body), &doc); err != nil {
		w.t.Fatal(err)
	}
	return doc
}

// at walks into a decoded document.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// TestDocumentRules is A9, A10, A22, A78 and A218 on both registries of these tests.
func TestDocumentRules(t *testing.T) {
	for _, w := range []*world{documentWorld(t), limitsWorld(t)} {
		doc := w.document()
		if at(doc, "openapi") != "3.1.0" || at(doc, "info", "version") != "2.0.0" || at(doc, "info", "title") != "Foyer" {
			t.Errorf("%v %v", at(doc, "openapi"), at(doc, "info"))
		}
		described := 0
		for _, item := range at(doc, "paths").(map[string]any) {
			described += len(item.(map[string]any))
		}
		specs := w.srv.Operations.Operations()
		if described != len(specs) {
			t.Errorf("%d operations described, %d declared", described, len(specs))
		}
		for _, s := range specs {
			spec := at(doc, "paths", s.Path, strings.ToLower(s.Method))
			if got, want := at(spec, "x-feature"), string(s.Feature); got != want && (got != nil || want != "") {
				t.Errorf("%s: x-feature %v", s.ID, got)
			}
			checkDocumentedStatuses(t, s, resolved(doc, at(spec, "responses").(map[string]any)))
			if _, hasKey := findParam(spec, "Idempotency-Key"); hasKey != (s.Method != http.MethodGet && !s.NoReplay) {
				t.Errorf("%s: Idempotency-Key described: %v", s.ID, hasKey)
			}
		}
		checkClosed(t, "#", doc["components"])
		checkClosed(t, "#", doc["paths"])
	}
}

// resolved are the responses of an operation with those of the components in their places.
func resolved(doc, responses map[string]any) map[string]any {
	out := map[string]any{}
	for code, r := range responses {
		if ref, ok := at(r, "$ref").(string); ok {
			r = at(doc, "components", "responses", strings.TrimPrefix(ref, "#/components/responses/"))
		}
		out[code] = r
	}
	return out
}

func checkDocumentedStatuses(t *testing.T, s op.Spec, responses map[string]any) {
	want := map[string]bool{"500": true}
	for _, code := range append(s.Errors, s.Success) {
		want[itoa(code)] = true
	}
	if s.Rate != op.RateNone {
		want["429"] = true
		if at(responses, "429", "headers", "Retry-After") == nil {
			t.Errorf("%s: 429 without Retry-After", s.ID)
		}
	}
	if s.Quoted {
		want["200"] = true
	}
	for code := range responses {
		if !want[code] {
			t.Errorf("%s: %s is described and not declared", s.ID, code)
		}
		delete(want, code)
	}
	if len(want) > 0 {
		t.Errorf("%s: not described: %v", s.ID, want)
	}
	if s.Success == 204 && at(responses, "204", "content") != nil {
		t.Errorf("%s: 204 with content", s.ID)
	}
}

func findParam(spec any, name string) (map[string]any, bool) {
	list, _ := at(spec, "parameters").([]any)
	for _, p := range list {
		if m := p.(map[string]any); m["name"] == name {
			return m, true
		}
	}
	return nil, false
}

// checkClosed finds objects that allow additional members; only details of errors may. A part of an allOf narrows a
// closed one.
func checkClosed(t *testing.T, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, isObject := v["properties"]; isObject && v["type"] == "object" && v["additionalProperties"] != false && !strings.HasSuffix(path, "/details") {
			t.Errorf("%s is open", path)
		}
		for k, child := range v {
			if k != "allOf" {
				checkClosed(t, path+"/"+k, child)
			}
		}
	case []any:
		for _, child := range v {
			checkClosed(t, path, child)
		}
	}
}
