package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/apptest/contract"
)

// printed is the published document, made once.
var printed = sync.OnceValues(func() (*contract.Document, error) {
	text, err := api.Document(api.DocumentURL)
	if err != nil {
		return nil, err
	}
	return contract.Read(text)
})

func description(t *testing.T) *contract.Document {
	t.Helper()
	doc, err := printed()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// visit shows every object of a document's schemas with where it stands; examples are no schemas.
func visit(at string, v any, show func(at string, s object)) {
	switch v := v.(type) {
	case object:
		show(at, v)
		for name, child := range v {
			if name != "example" && name != "examples" {
				visit(at+"/"+name, child, show)
			}
		}
	case []any:
		for i, child := range v {
			visit(fmt.Sprintf("%s/%d", at, i), child, show)
		}
	}
}

// TestEveryMemberIsDescribed: the document describes every member, parameter and enum, and no enum lists the empty
// text or null. A9.
func TestEveryMemberIsDescribed(t *testing.T) {
	doc := description(t)
	members, parameters := 0, 0
	visit("#", doc.Root, func(at string, s object) {
		if list, ok := s["enum"].([]any); ok && (slices.Contains(list, any("")) || slices.Contains(list, nil)) {
			t.Errorf("%s lists %v", at, list)
		}
		for name, m := range dig[object](s, "properties") {
			members++
			if dig[string](m, "description") == "" && !strings.Contains(at, "/allOf/") { // it narrows a described member
				t.Errorf("%s: %s is not described", at, name)
			}
		}
		for _, p := range dig[[]any](s, "parameters") {
			parameters++
			if dig[string](p, "description") == "" {
				t.Errorf("%s: parameter %v is not described", at, dig[string](p, "name"))
			}
		}
	})
	if members < 1500 || parameters < 200 {
		t.Errorf("only %d members and %d parameters", members, parameters)
	}
	for name := range api.Words {
		schema, member, own := strings.Cut(name, ".")
		if own && dig[object](doc.Root, "components", "schemas", schema, "properties", member) == nil && doc.ByID(schema) == nil {
			t.Errorf("words describe %s, which is not there", name)
		}
	}
}

// TestEnumsAreNamed: the values of a domain's enum stand in the document once, under a name.
func TestEnumsAreNamed(t *testing.T) {
	doc := description(t)
	named := map[string]string{}
	for name, s := range dig[object](doc.Root, "components", "schemas") {
		if list := dig[[]any](s, "enum"); list != nil {
			named[fmt.Sprint(list)] = name
			if dig[string](s, "description") == "" {
				t.Errorf("%s is not described", name)
			}
		}
	}
	if len(named) < 30 || named["[class appointment rental]"] != "CatalogKind" {
		t.Errorf("%d named: %v", len(named), named)
	}
	visit("#", doc.Root, func(at string, s object) {
		name := named[fmt.Sprint(dig[[]any](s, "enum"))]
		if name != "" && at != "#/components/schemas/"+name {
			t.Errorf("%s repeats %s", at, name)
		}
	})
}

// TestQuoteOrDone: if a response is one of two, the closed schemas differ in a member that one requires and the other
// lacks.
func TestQuoteOrDone(t *testing.T) {
	doc, found := description(t), 0
	visit("#", doc.Root, func(at string, s object) {
		options := dig[[]any](s, "oneOf")
		if options == nil {
			return
		}
		found++
		quotes := 0
		for _, o := range options {
			option := doc.Resolve(o.(object))
			has := dig[object](option, "properties")["quoteId"] != nil
			requires := slices.Contains(dig[[]any](option, "required"), any("quoteId"))
			if has != requires || option["additionalProperties"] != false {
				t.Errorf("%s: %v", at, o)
			}
			if has {
				quotes++
			}
		}
		if len(options) != 2 || quotes != 1 || !strings.Contains(dig[string](s, "description"), "quoteId") {
			t.Errorf("%s: %d quotes among %d", at, quotes, len(options))
		}
	})
	if found == 0 {
		t.Error("nothing answers a quote")
	}
}

// TestExamples: every operation has an example of a request, if it accepts one, and of a response, if it has one;
// every example fits its schema, and every refusal with a reason is listed under that reason. A11.
func TestExamples(t *testing.T) {
	if *update {
		return // they are being written: TestMain does it when all tests have made their calls
	}
	doc, refusals := description(t), 0
	for template, item := range doc.Paths {
		for method, op := range item {
			where := strings.ToUpper(method) + " " + template
			if media := dig[object](op, "requestBody", "content", "application/json"); media != nil {
				fits(t, doc, where+": request", media["schema"], media["example"])
			}
			for code := range dig[object](op, "responses") {
				media := dig[object](doc.Resolve(dig[object](op, "responses", code)), "content", "application/json")
				switch {
				case media == nil:
				case code < "4":
					fits(t, doc, where+": "+code, media["schema"], media["example"])
				default:
					for reason, e := range dig[object](media, "examples") {
						refusals++
						value := dig[any](e, "value")
						fits(t, doc, where+": "+code, media["schema"], value)
						if said := dig[string](value, "error", "details", "reason"); said != reason && (said != "" || reason != "refused") {
							t.Errorf("%s: %s shows the reason %q as %q", where, code, said, reason)
						}
					}
				}
			}
		}
	}
	if refusals < 100 {
		t.Errorf("only %d refusals are shown", refusals)
	}
}

func fits(t *testing.T, doc *contract.Document, where string, schema, example any) {
	t.Helper()
	if example == nil {
		t.Errorf("%s has no example", where)
		return
	}
	for _, p := range doc.Misfits(schema.(object), example) {
		t.Errorf("%s: the example: %s", where, p)
	}
}

// TestRefusalsAreOperations: an entry for a nonexistent operation describes nothing, and a reason has one meaning in
// a list.
func TestRefusalsAreOperations(t *testing.T) {
	doc := description(t)
	for id, list := range api.Refusals {
		if doc.ByID(id) == nil {
			t.Errorf("there is no operation %s", id)
		}
		for _, f := range list {
			if f.Reason == "" || f.Message == "" {
				t.Errorf("%s: %v has no reason", id, f)
			}
		}
	}
	hold := doc.ByID("holdCart")
	if got := doc.Reasons(hold, 409); !slices.Contains(got, "full") || !slices.Contains(got, "idempotency_key_reused") {
		t.Errorf("holdCart: %v", got)
	}
	if got := doc.Reasons(doc.ByID("updateBusiness"), 409); !slices.Contains(got, "stale_version") || slices.Contains(got, "full") {
		t.Errorf("updateBusiness: %v", got)
	}
}

// TestDryRuns: a dry run returns a quote and changes nothing. The document shows these.
func TestDryRuns(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	const written = "select coalesce(max(seq), 0) from audit_events"
	before := apptest.Value[int64](t, h.World, written)
	for _, op := range h.operations {
		if !slices.Contains([]string{"createSeries", "createBooking", "addTimeOff", "addBlock", "addClosure"}, op.ID) {
			continue
		}
		quote := h.expect(200, call{method: op.Method, path: s.fill(op, ""), token: s.owner, body: js(with(s.bodies(op.ID), "dryRun", true))})
		if quote.text("quoteId") == "" || quote.data()["effects"] == nil {
			t.Errorf("%s: %s", op.ID, quote.body)
		}
	}
	if after := apptest.Value[int64](t, h.World, written); after != before {
		t.Errorf("dry runs have written %d events", after-before)
	}
	hold := h.expect(200, call{method: "POST", path: "/storefront/carts/" + s.cart("occurrence++") + "/hold", token: rosa, body: js(object{"quotedTotal": 0})})
	if hold.text("holdId") == "" {
		t.Errorf("%s", hold.body)
	}
}

// TestMyBooking: a customer reads one booking of their own as in their list, and no other person's.
func TestMyBooking(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	s.furnish(rosa, ben)
	first := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]
	one := h.expect(200, call{path: "/me/bookings/" + first["id"].(string), token: rosa})
	if one.text("id") != first["id"] || one.text("offeringName") != first["offeringName"] {
		t.Errorf("%s", one.body)
	}
	h.expect(404, call{path: "/me/bookings/" + first["id"].(string), token: ben})
}

// TestExamplesAreSettled: examples contain nothing that differs from run to run.
func TestExamplesAreSettled(t *testing.T) {
	id, token := "01a20973-1b33-70a4-ba5f-524000682e4c", "kZt0aGVyZSBpcyBub3RoaW5nIGhlcmU"
	got := settled([]byte(`{"offeringId":"`+id+`"}`), []byte(`{"data":{"id":"`+id+`","token":"`+token+`","url":"/r/`+token+`","other":"01a20973-1b33-70a4-ba5f-524000682e4d"}}`))
	const first = "0190a1b2-0000-7000-8000-000000000001"
	if got.request != `{"offeringId":"`+first+`"}` || !strings.HasPrefix(got.answer, `{"data":{"id":"`+first+`","token":"example-token","url":"/r/example-token","other":"0190a1b2-`) {
		t.Errorf("%+v", got)
	}
	if !json.Valid([]byte(got.answer)) || strings.Contains(got.answer, token) || strings.Contains(got.answer, "01a20973") {
		t.Errorf("%s", got.answer)
	}
}
