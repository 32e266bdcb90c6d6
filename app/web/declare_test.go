package web_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type queryIn struct {
	Sort string `query:"sort" enum:"recent,used,name"`
}
type idQueryIn struct {
	OfferingID uuid.UUID `path:"offeringId"`
}
type otherPathIn struct {
	Nope string `path:"nope"`
}
type badBody struct{ Note string }
type badBodyIn struct{ Body badBody }
type rawIn struct{ RawBody []byte }
type maybeNull struct {
	Inner *noteBody `json:"inner"`
}

func declareWith[I, O any](s op.Spec) func(*op.Registry) {
	return func(r *op.Registry) {
		op.Declare(r, s, func(context.Context, tenancy.Scope, *I) (o O, err error) { return o, nil })
	}
}

// TestDenyByDefault: an incomplete or contradictory declaration stops the program at start, with the reason.
func TestDenyByDefault(t *testing.T) {
	good := spec("getThing", "GET", "/businesses/{businessId}/things", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: gated,
	})
	with := func(change func(*op.Spec)) op.Spec { s := good; change(&s); return s }
	post := func(change func(*op.Spec)) op.Spec {
		return with(func(s *op.Spec) { s.Method, s.Errors = "POST", []int{400, 401, 403, 404, 409}; change(s) })
	}
	shop := func(change func(*op.Spec)) op.Spec {
		s := spec("getShop", "GET", "/storefront/offerings/{offeringId}", op.Spec{Access: op.Public, Target: op.InOffering("offeringId"), Rate: op.RateStorefront, Errors: []int{404}})
		change(&s)
		return s
	}
	plain := declareWith[none, seen]
	body := declareWith[bodyIn, seen]
	declareWith[none, seen](good)(newWorld(t).srv.Operations)

	for _, c := range []struct {
		name    string
		declare func(*op.Registry)
		says    string
	}{
		{"no access", plain(with(func(s *op.Spec) { s.Access = 0 })), "no Access"},
		{"no feature", plain(with(func(s *op.Spec) { s.Feature = "" })), "no Feature"},
		{"unknown feature", plain(with(func(s *op.Spec) { s.Feature = "catalog.mange" })), "does not exist"},
		{"no target", plain(with(func(s *op.Spec) { s.Target = op.Target{} })), "no Target"},
		{"target not in the path", plain(with(func(s *op.Spec) { s.Target = op.InBusiness("id") })), "Target names {id}"},
		{"secret as target", plain(with(func(s *op.Spec) { s.Target = op.InCart("businessId") })), "secret"},
		{"feature for a session", plain(spec("x1x", "GET", "/me/things", op.Spec{Access: op.Session, Feature: "crm.view", Errors: []int{401, 403}})), "Feature needs"},
		{"no errors", plain(with(func(s *op.Spec) { s.Errors = nil })), "no Errors"},
		{"403 missing", plain(with(func(s *op.Spec) { s.Errors = []int{401, 404} })), "can answer 403"},
		{"500 listed", plain(with(func(s *op.Spec) { s.Errors = []int{401, 403, 404, 500} })), "come by themselves"},
		{"422 listed", plain(with(func(s *op.Spec) { s.Errors = []int{401, 403, 404, 422} })), "Errors lists 422"},
		{"success", plain(with(func(s *op.Spec) { s.Success = 206 })), "Success 206"},
		{"summary", plain(with(func(s *op.Spec) { s.Summary = "" })), "Summary"},
		{"tag", plain(with(func(s *op.Spec) { s.Tag = "catalogue" })), "Options.Tags"},
		{"id", plain(with(func(s *op.Spec) { s.ID = "Get-Thing" })), "lowerCamelCase"},
		{"method", plain(with(func(s *op.Spec) { s.Method = "FETCH" })), "unknown method"},
		{"path", plain(with(func(s *op.Spec) { s.Path = "/businesses/{businessId}/things.{ext}" })), "whole {parameter}"},
		{"path twice", plain(with(func(s *op.Spec) { s.Path = "/businesses/{businessId}/{businessId}" })), "twice"},
		{"root", plain(with(func(s *op.Spec) { s.Path = "/things/{businessId}" })), "not a root"},
		{"public operator route", plain(with(func(s *op.Spec) { s.Access, s.Feature = op.Public, "" })), "operator routes"},
		{"rated operator route", plain(with(func(s *op.Spec) { s.Rate = op.RateStorefront })), "no rate limit"},
		{"me for keys", plain(with(func(s *op.Spec) { s.Path = "/me/{businessId}" })), "/me takes Session"},
		{"storefront without rate", plain(shop(func(s *op.Spec) { s.Rate = op.RateNone })), "storefront Rate"},
		{"storefront for operators", plain(shop(func(s *op.Spec) { s.Access, s.Target, s.Errors = op.Session, op.Target{}, gated })), "the storefront takes"},
		{"read in the write class", plain(shop(func(s *op.Spec) { s.Rate = op.RateStorefrontWrite })), "write allowance"},
		{"id without 404", declareWith[idQueryIn, seen](shop(func(s *op.Spec) { s.Errors = []int{401} })), "{offeringId} can be malformed"},
		{"query without 400", declareWith[queryIn, seen](shop(func(s *op.Spec) { s.Errors = []int{401} })), "a parameter can be malformed"},
		{"key without 400", plain(shop(func(s *op.Spec) { s.Method, s.Errors = "POST", []int{401} })), "NoReplay"},
		{"body of a GET", body(with(func(s *op.Spec) { s.Errors = []int{400, 401, 403, 404} })), "has no body"},
		{"body without 400", body(post(func(s *op.Spec) { s.Errors = gated })), "list 400"},
		{"no version", body(post(func(s *op.Spec) { s.Versioned = true })), "has no version"},
		{"media", declareWith[none, op.Raw](good), "needs Media"},
		{"204", declareWith[none, op.NoContent](with(func(s *op.Spec) { s.Success = 200 })), "NoContent is 204"},
		{"field without a name", declareWith[badBodyIn, seen](post(func(*op.Spec) {})), "no json name"},
		{"raw body", declareWith[rawIn, seen](post(func(*op.Spec) {})), "RawBody"},
		{"object that may be null", declareWith[none, maybeNull](good), "Nullable"},
		{"anonymous object", declareWith[none, struct{ A struct{} }](good), "anonymous"},
		{"objects, each once", declareWith[uniqueObjectsIn, seen](post(func(*op.Spec) {})), "plain values"},
		{"parameter that is not there", declareWith[otherPathIn, seen](good), "{nope}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, c.says) {
					t.Errorf("panic %q, want %q", p, c.says)
				}
			}()
			c.declare(newWorld(t).srv.Operations)
		})
	}
}

// TestDeclareTwice refuses a second declaration of unique properties.
func TestDeclareTwice(t *testing.T) {
	base := op.Spec{Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: gated}
	first := spec("getThing", "GET", "/businesses/{businessId}/things", base)
	for name, c := range map[string]struct {
		second op.Spec
		says   string
	}{
		"id":       {spec("getThing", "GET", "/businesses/{businessId}/others", base), "ID is taken"},
		"address":  {spec("getThings", "GET", "/businesses/{businessId}/things", base), "same address"},
		"template": {spec("putThing", "PUT", "/businesses/{id}/things", op.Spec{Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("id"), Errors: gated}), "differently"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newWorld(t).srv.Operations
			declareWith[none, seen](first)(r)
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, c.says) {
					t.Errorf("panic %q, want %q", p, c.says)
				}
			}()
			declareWith[none, seen](c.second)(r)
		})
	}
	w := newWorld(t)
	w.do(req{path: "/x"})
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "after the server started") {
			t.Errorf("panic %q", p)
		}
	}()
	declareWith[none, seen](first)(w.srv.Operations)
}

// TestLiteralWins in any order of declaration.
func TestLiteralWins(t *testing.T) {
	w := newWorld(t)
	s := op.Spec{Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: gated}
	say := func(id, path, name string) {
		op.Declare(w.srv.Operations, spec(id, "GET", path, s), func(context.Context, tenancy.Scope, *none) (seen, error) { return seen{Actor: name}, nil })
	}
	say("getOne", "/businesses/{businessId}/customers/{customerId}", "one")
	say("getDuplicates", "/businesses/{businessId}/customers/duplicates", "duplicates")
	say("getPlans", "/businesses/{businessId}/customers/{customerId}/plans", "plans")
	at := "/businesses/" + studio.String() + "/customers/"
	for path, want := range map[string]string{unknown.String(): "one", "duplicates": "duplicates", unknown.String() + "/plans": "plans"} {
		var got seen
		w.do(req{path: at + path, token: ownerToken}).data(t, 200, &got)
		if got.Actor != want {
			t.Errorf("%s: %s", path, got.Actor)
		}
	}
	w.do(req{path: at + "duplicates/plans", token: ownerToken}).refused(t, 404)
}

// TestUndeclaredStatuses is A78: a status that the operation does not list never leaves, and is reported.
func TestUndeclaredStatuses(t *testing.T) {
	of := func(kind fault.Kind) error { return fault.New(kind, "why", "words") }
	for _, c := range []struct {
		name     string
		errors   []int
		frozen   bool
		err      error
		status   int
		reported bool
	}{
		{"listed", gated, false, of(fault.NotFound), 404, false},
		{"input error without 400", gated, false, fault.Invalid("query.cursor", "no"), 404, false},
		{"conflict", []int{400, 401, 403, 404, 409}, false, of(fault.Conflict), 409, false},
		{"conflict without 409", []int{400, 401, 403, 404}, false, of(fault.Conflict), 400, true},
		{"conflict with neither", gated, false, of(fault.Conflict), 404, true},
		{"limit without a rate", gated, false, of(fault.TooMany), 404, true},
		{"not a fault", gated, false, errors.New("disk full"), 500, false},
		{"wrapped", gated, false, fmt.Errorf("store: %w", of(fault.Forbidden)), 403, false},
		{"reused key", []int{400, 401, 403, 404, 409}, false, pg.ErrKeyReused, 409, false},
		{"reused key, in the contract", []int{400, 401, 403, 404}, true, pg.ErrKeyReused, 400, false},
		{"reused key, in the contract, with 409", []int{400, 401, 403, 404, 409}, true, pg.ErrKeyReused, 400, false},
		{"reused key, in the contract, without 400", gated, true, pg.ErrKeyReused, 404, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			op.Declare(w.srv.Operations, spec("act", "POST", "/locations/{id}/act", op.Spec{
				Access: op.Operator, Feature: "catalog.manage", Target: op.InLocation("id"), Errors: c.errors, Frozen: c.frozen,
			}), func(context.Context, tenancy.Scope, *none) (seen, error) { return seen{}, c.err })
			w.do(req{method: "POST", path: "/locations/" + uptown.String() + "/act", token: ownerToken}).refused(t, c.status)
			if (len(w.undeclared) > 0) != c.reported {
				t.Errorf("reported %v", w.undeclared)
			}
		})
	}
}
