package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// shownInTheContract are the operations of the contract, by method and path, each parameter as {}.
var shownInTheContract = strings.Fields(`
	POST/auth/challenges POST/auth/verify GET/me/profile POST/businesses POST/businesses/{}/api-keys
	GET/businesses/{}/accounting/connect POST/businesses/{}/accounting/connect/complete GET/businesses/{}/accounting/connection
	PATCH/businesses/{}/accounting/connection DELETE/businesses/{}/accounting/connection GET/businesses/{}/accounting/map
	PUT/businesses/{}/accounting/map POST/businesses/{}/accounting/map/{}/create GET/businesses/{}/accounting/postings
	POST/businesses/{}/accounting/postings/{}/retry
	GET/locations/{}/agreements POST/locations/{}/agreements PATCH/locations/{}/agreements/{} POST/locations/{}/agreements/{}/archive
	GET/storefront/carts/{}/agreements GET/storefront/offerings/{}/agreements GET/businesses/{}/customers/{}/agreements
	POST/businesses/{}/customers/{}/agreements/{}/mark-signed
	GET/businesses/{}/assets POST/businesses/{}/assets GET/assets/{} PATCH/assets/{} DELETE/assets/{} POST/assets/{}/archive
	GET/businesses/{}/customers GET/storefront/locations/{}/offerings GET/businesses/{}/products GET/products/{}/variants/{}/stock`)

// ownFields are those with fields of our own: they may have a version.
var ownFields = []string{"POST/businesses", "GET/me/profile", "GET/businesses/{}/customers", "GET/storefront/locations/{}/offerings", "GET/businesses/{}/products"}

// TestFrozenAsTheContractShows: exactly the operations of the contract are declared as frozen, or accept no
// Idempotency-Key at all; none of them is versioned, and no closed object of them has a version, in any success.
// A231.
func TestFrozenAsTheContractShows(t *testing.T) {
	h := open(t)
	built := 0
	for _, op := range h.operations {
		path := op.Path
		for _, p := range params(path) {
			path = strings.Replace(path, "{"+p+"}", "{}", 1)
		}
		name := op.Method + path
		shown := slices.Contains(shownInTheContract, name)
		if op.Frozen && !shown {
			t.Errorf("%s is frozen, and the contract does not show it", op.ID)
		}
		if !shown {
			continue
		}
		built++
		if op.Method != http.MethodGet && !op.Frozen && !op.NoReplay {
			t.Errorf("%s is shown in the contract and not frozen: a repeated key could be a 409", op.ID)
		}
		if op.Versioned {
			t.Errorf("%s is versioned", op.ID)
		}
		d, _ := h.doc.Operation(op.Method, op.Path)
		for status, r := range dig[object](d, "responses") {
			schema := dig[object](r, "content", "application/json", "schema")
			if status[0] == '2' && schema != nil && !slices.Contains(ownFields, name) && h.named(schema, "version", 0) {
				t.Errorf("%s: %s has a version", op.ID, status)
			}
		}
	}
	if built < 7 {
		t.Errorf("only %d operations of the contract are there", built)
	}
}

// named reports whether a schema has a member of that name at any depth.
func (h *house) named(s object, name string, deep int) bool {
	s = h.resolve(s)
	if deep > 12 {
		return false
	}
	members, _ := s["properties"].(object)
	for n, m := range members {
		if n == name || h.named(m.(object), name, deep+1) {
			return true
		}
	}
	if items, ok := s["items"].(object); ok && h.named(items, name, deep+1) {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := s[key].([]any)
		for _, o := range list {
			if h.named(o.(object), name, deep+1) {
				return true
			}
		}
	}
	return false
}
