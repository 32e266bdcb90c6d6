package web_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

func itoa(n int) string { return strconv.Itoa(n) }

// patched returns the fields of a PATCH as fields of a row.
func patched(in *patchRowIn) mapRow {
	said := func(set, null bool) string {
		switch {
		case !set:
			return "left out"
		case null:
			return "null"
		}
		return "value"
	}
	text := "tax " + said(in.Body.TaxRateID.Set, in.Body.TaxRateID.Value == nil) +
		", account " + said(in.Body.Account.Set, in.Body.Account.Value == nil)
	row := mapRow{Category: "income.class", LastError: &text, Confirmed: op.NullableOf(in.Body.Account.Value), Price: in.Body.Price, PostedAt: start}
	return row
}

// TestNullable: a PATCH distinguishes a member that was left out from null, and an object may be null in both
// directions.
func TestNullable(t *testing.T) {
	w := documentWorld(t)
	acc := `{"id":"` + uptown.String() + `","name":"Sales <b>"}`
	for body, want := range map[string]string{
		`{"price":1,"version":1}`:                                       "tax left out, account left out",
		`{"price":1,"version":1,"taxRateId":null,"account":null}`:       "tax null, account null",
		`{"price":1,"version":1,"taxRateId":"` + uptown.String() + `"}`: "tax value, account left out",
		`{"price":1,"version":1,"account":` + acc + `}`:                 "tax left out, account value",
	} {
		r := w.do(req{method: "PATCH", path: "/businesses/" + studio.String() + "/rows/" + uptown.String(), token: ownerToken, body: body})
		var row map[string]any
		r.data(t, 200, &row)
		if row["lastError"] != want {
			t.Errorf("%s: %v", body, row["lastError"])
		}
		if list, ok := row["accounts"].([]any); !ok || len(list) != 0 {
			t.Errorf("a nil list is %v", row["accounts"])
		}
		if row["taxRateId"] != nil {
			t.Errorf("taxRateId %v", row["taxRateId"])
		}
		if strings.Contains(r.body, `\u003c`) || (strings.Contains(want, "account value") && !strings.Contains(r.body, "<b>")) {
			t.Errorf("escaped: %s", r.body)
		}
	}
}

// TestInput is A18, A67 and the closed request schemas: invalid input is 400 with its position.
func TestInput(t *testing.T) {
	w := documentWorld(t)
	at := "/businesses/" + studio.String() + "/rows/" + uptown.String()
	for body, field := range map[string]string{
		`{"price":1,"version":1,"extra":1}`:                            "body.extra",
		`{"Price":1,"version":1}`:                                      "body.Price",
		`{"version":1}`:                                                "body.price",
		`{"price":"22.00","version":1}`:                                "body.price",
		`{"price":22.5,"version":1}`:                                   "body.price",
		`{"price":22.0,"version":1}`:                                   "body.price",
		`{"price":-1,"version":1}`:                                     "body.price",
		`{"price":null,"version":1}`:                                   "body.price",
		`{"price":99999999999999999999,"version":1}`:                   "body.price",
		`{"price":1,"version":1,"taxRateId":"x"}`:                      "body.taxRateId",
		`{"price":1,"version":1,"name":""}`:                            "body.name",
		`{"price":1,"version":1,"account":{"name":"no id"}}`:           "body.account.id",
		`{"price":1,"version":1,"account":{"id":"x","name":"bad id"}}`: "body.account.id",
		`{"price":1,"price":2,"version":1}`:                            "body.price",
		`[]`:                                                           "body",
		`null`:                                                         "body",
		`"text"`:                                                       "body",
	} {
		e := w.do(req{method: "PATCH", path: at, token: ownerToken, body: body}).refused(t, 400)
		found := false
		for _, f := range e.fields() {
			found = found || f == field
		}
		if !found {
			t.Errorf("%s: fields %v, want %s", body, e.fields(), field)
		}
	}
	secret := "hunter2-" + strings.Repeat("x", 300)
	r := w.do(req{method: "PATCH", path: at, token: ownerToken, body: `{"price":"` + secret + `","version":1}`})
	if r.refused(t, 400); strings.Contains(r.body, "hunter2") || strings.Contains(r.body, "Go struct") {
		t.Errorf("the answer repeats the input: %s", r.body)
	}
}

// TestOptionalBody: a Body that is a pointer may be left out, also of an operation that is quoted.
func TestOptionalBody(t *testing.T) {
	w := documentWorld(t)
	at := "/locations/" + uptown.String() + "/closures"
	var c closure
	w.do(req{method: "POST", path: at, token: ownerToken, body: `{"date":"2026-01-02"}`}).data(t, 201, &c)
	w.do(req{method: "POST", path: at, token: ownerToken}).data(t, 201, &c)
	w.do(req{method: "POST", path: at, token: ownerToken, body: `{"date":"yesterday"}`}).refused(t, 400)
}

// TestNoContentAndRaw: a 204 is empty (A21), and other media are sent as they are.
func TestNoContentAndRaw(t *testing.T) {
	w := documentWorld(t)
	w.do(req{method: "DELETE", path: "/assets/" + unknown.String(), token: ownerToken}).refused(t, 404)
	gone := w.do(req{method: "DELETE", path: "/assets/" + uptown.String(), token: ownerToken})
	if gone.status != 204 || gone.body != "" || gone.header("X-Request-Id") == "" {
		t.Errorf("%d %q", gone.status, gone.body)
	}
	r := w.do(req{path: "/storefront/locations/" + uptown.String() + "/calendar"})
	if r.status != 200 || r.body != "BEGIN:VCALENDAR" || r.header("Content-Type") != "text/calendar" ||
		r.header("Content-Disposition") != "attachment; filename=classes.ics" || r.header("Cache-Control") != "no-store" {
		t.Errorf("%d %q %s %s", r.status, r.body, r.header("Content-Type"), r.header("Content-Disposition"))
	}
	w.do(req{path: "/storefront/locations/" + unknown.String() + "/calendar"}).refused(t, 404)
}

// TestDetails: a fault's reason, fields and further members all stand in details. A66, A74.
func TestDetails(t *testing.T) {
	w := newWorld(t)
	err := fault.New(fault.Conflict, "stale_version", "Somebody changed it.").With("version", 7)
	op.Declare(w.srv.Operations, spec("conflict", "GET", "/businesses/{businessId}/conflict", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{401, 403, 404, 409},
	}), func(context.Context, tenancy.Scope, *none) (seen, error) { return seen{}, err })
	e := w.do(req{path: "/businesses/" + studio.String() + "/conflict", token: ownerToken}).refused(t, 409)
	if e.Error.Message != "Somebody changed it." || e.Error.Details["reason"] != "stale_version" || e.Error.Details["version"] != 7.0 || len(e.Error.Details) != 2 {
		t.Errorf("%+v", e)
	}
	f := w.do(req{path: "/businesses/" + studio.String() + "/conflict", token: viewerToken}).refused(t, 403)
	if f.Error.Details["reason"] != "feature_missing" || f.Error.Details["feature"] != "catalog.manage" {
		t.Errorf("%+v", f)
	}
	if b, _ := json.Marshal(w.do(req{path: "/x"}).refused(t, 404).Error.Details); string(b) != "{}" {
		t.Errorf("empty details are %s", b)
	}
}
