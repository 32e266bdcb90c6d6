package web_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"foyer/app/fault"
	"foyer/app/tenancy"

	"foyer/app/web"
	"foyer/app/web/op"
)

var errFull = fault.New(fault.Conflict, "full", "This time is full.")

// refusalsWorld has three operations that change something: two with common refusals only, and one with a refusal of
// its own, shown by examples.
func refusalsWorld(t testing.TB) *world {
	w := newWorld(t, func(o *web.Options) {
		o.Refusals = map[string][]*fault.Error{"bookSeat": {errFull}}
		o.Examples = []byte(`{"bookSeat": {"answers": {"200": {"data": {"note": "shown"}, "v": "1"}},
			"refusals": {"409 full": {"error": {"code": "conflict"}}, "404": {"error": {"code": "not_found"}}}}}`)
	})
	for _, id := range []string{"bookSeat", "renameSeat", "moveSeat"} {
		op.Declare(w.srv.Operations, spec(id, "POST", "/businesses/{businessId}/"+id, op.Spec{
			Access: op.Operator, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404, 409},
		}), func(context.Context, tenancy.Scope, *none) (seen, error) { return seen{}, nil })
	}
	return w
}

// TestRefusalsInTheDocument: a refusal of many operations is one component; an operation's own reasons are listed
// with it, with their messages; examples are at their operations.
func TestRefusalsInTheDocument(t *testing.T) {
	doc := refusalsWorld(t).document()
	responses := func(id string) map[string]any {
		return at(doc, "paths", "/businesses/{businessId}/"+id, "post", "responses").(map[string]any)
	}
	for code, name := range map[string]string{
		"400": "Invalid", "401": "Unauthorized", "403": "OperatorForbidden", "404": "NotFound", "409": "Conflict", "500": "InternalError",
	} {
		if got := at(responses("moveSeat")[code], "$ref"); got != "#/components/responses/"+name {
			t.Errorf("%s: %v", code, got)
		}
	}
	reasons := func(r any) (out []string) {
		for _, part := range at(r, "content", "application/json", "schema", "allOf").([]any)[1:] {
			for _, v := range at(part, "properties", "error", "properties", "details", "properties", "reason", "enum").([]any) {
				out = append(out, v.(string))
			}
		}
		return out
	}
	own := responses("bookSeat")["409"]
	if got := reasons(own); !slices.Equal(got, []string{"full", "idempotency_key_reused"}) || !strings.Contains(at(own, "description").(string), "`full`: This time is full.") {
		t.Errorf("own reasons: %v", own)
	}
	if got := reasons(at(doc, "components", "responses", "Conflict")); !slices.Equal(got, []string{"idempotency_key_reused"}) {
		t.Errorf("shared reasons: %v", got)
	}
	if got := reasons(at(doc, "components", "responses", "OperatorForbidden")); !slices.Equal(got, []string{"feature_missing", "missing_feature", "no_role"}) {
		t.Errorf("reasons of 403: %v", got)
	}
	if at(own, "content", "application/json", "examples", "full", "value") == nil ||
		at(doc, "components", "responses", "NotFound", "content", "application/json", "examples", "refused", "value") == nil ||
		at(responses("bookSeat")["200"], "content", "application/json", "example", "v") != "1" {
		t.Errorf("examples: %v", own)
	}
}
