package api_test

import (
	"slices"
	"testing"
	"time"
)

// TestOfferingStates walks an offering from draft to published and archived: one response lists everything that is
// missing, and an offering with upcoming bookings cannot be archived. A71, A74.
func TestOfferingStates(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	o := s.add("offering", "/locations/{location}/offerings", object{
		"kind": "class", "name": "Flow", "durationMinutes": 60, "capacity": 2, "taxRateId": nil,
	})
	if o.text("state") != "draft" || o.data()["price"] != nil || o.number("onlineCapacity") != 2 || o.text("word") != "Classes" {
		t.Errorf("%s", o)
	}
	at := s.at("/offerings/{offering}")
	missing := h.expect(400, call{method: "POST", path: at + "/publish", token: s.owner})
	if missing.reason() != "incomplete" || !slices.Equal(missing.fields(), []string{"price", "dates"}) {
		t.Errorf("%v %s", missing.fields(), missing)
	}
	h.expect(404, call{path: s.at("/storefront/offerings/{offering}")})
	h.expect(200, call{method: "PATCH", path: at, token: s.owner, body: `{"version":1,"price":0}`})
	s.add("series", "/offerings/{offering}/series", object{"weekdays": []int{0, 3}, "start": "2026-06-11", "at": "18:30"})
	h.post(at+"/publish", s.owner, nil)
	h.expect(200, call{path: s.at("/storefront/offerings/{offering}")})
	dates := h.expect(200, call{path: at + "/occurrences?limit=3", token: s.owner}).list("items")
	if dates[0]["startsAt"] != "2026-06-14T22:30:00Z" || dates[0]["localDate"] != "2026-06-14" { // half past six in New York
		t.Errorf("%v", dates[0])
	}
	s.ids["occurrence"] = dates[0]["id"].(string)
	s.book(h.signIn("rosa@example.com"), "occurrence")
	if a := h.expect(409, call{method: "POST", path: at + "/archive", token: s.owner}); a.reason() != "future_bookings" {
		t.Errorf("%s", a)
	}
	h.post(at+"/unpublish", s.owner, nil)
	h.expect(404, call{path: s.at("/storefront/offerings/{offering}")})
	h.Clock.Set(time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC))
	s.owner = h.signIn(s.ownerEmail)
	if a := h.post(at+"/archive", s.owner, nil); a.text("state") != "archived" {
		t.Errorf("%s", a)
	}
	if a := h.expect(409, call{method: "PATCH", path: at, token: s.owner, body: `{"version":5,"name":"New"}`}); a.reason() != "offering_archived" && a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	if a := h.post(at+"/restore", s.owner, nil); a.text("state") != "draft" {
		t.Errorf("%s", a)
	}
}

// TestSeries: the rule is returned as sent; ending it cancels later dates and keeps booked ones.
func TestSeries(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 3)
	at := s.at("/offerings/{offering}/series")
	sent := object{
		"weekdays": []int{1, 4}, "start": "2026-09-01", "at": "09:30", "minutes": 75, "until": "2026-12-31",
		"except": []string{"2026-11-26", "2026-12-24"}, "capacity": 2, "onlineCapacity": 1,
	}
	made := h.post(at, s.owner, sent)
	for name, want := range sent {
		if got := js(made.data()[name]); got != js(want) {
			t.Errorf("%s: %s, want %s", name, got, js(want))
		}
	}
	for body, field := range map[string]string{
		`{"weekdays":[],"start":"2026-09-01","at":"09:30"}`:                                      "body.weekdays",
		`{"weekdays":[1,1],"start":"2026-09-01","at":"09:30"}`:                                   "body.weekdays",
		`{"weekdays":[7],"start":"2026-09-01","at":"09:30"}`:                                     "body.weekdays[0]",
		`{"weekdays":[1],"start":"2026-02-30","at":"09:30"}`:                                     "body.start",
		`{"weekdays":[1],"start":"2026-09-01","at":"24:00"}`:                                     "body.at",
		`{"weekdays":[1],"start":"2026-01-01","at":"09:30"}`:                                     "body.start",
		`{"weekdays":[1],"start":"2026-09-01","at":"09:30","count":2,"until":"2026-12-01"}`:      "body.count",
		`{"weekdays":[1],"start":"2026-09-01","at":"09:30","memberId":"` + ghost("x") + `"}`:     "body.memberId",
		`{"weekdays":[1],"start":"2026-09-01","at":"09:30","except":["2026-09-07","yesterday"]}`: "body.except[1]",
	} {
		if a := h.expect(400, call{method: "POST", path: at, token: s.owner, body: body}); !slices.Contains(a.fields(), field) {
			t.Errorf("%s: %v", body, a.fields())
		}
	}
	s.book(h.signIn("rosa@example.com"), "occurrence")
	one := at + "/" + s.ids["series"]
	if a := h.expect(409, call{method: "DELETE", path: one, token: s.owner}); a.reason() != "dates_booked" {
		t.Errorf("%s", a)
	}
	for _, wrong := range []string{"2026-06-01", "soon"} {
		if a := h.expect(400, call{method: "DELETE", path: one + "?endsOn=" + wrong, token: s.owner}); !slices.Equal(a.fields(), []string{"query.endsOn"}) {
			t.Errorf("%s: %v", wrong, a.fields())
		}
	}
	quote := h.expect(200, call{method: "DELETE", path: one + "?endsOn=2026-06-11&dryRun=true", token: s.owner})
	if len(quote.list("effects", "removed")) == 0 {
		t.Errorf("the dry run says %s", quote)
	}
	h.expect(200, call{method: "DELETE", path: one + "?endsOn=2026-06-11&quoteId=" + quote.text("quoteId"), token: s.owner})
	h.expect(200, call{method: "DELETE", path: at + "/" + made.text("id"), token: s.owner})
	left := 0
	for _, d := range h.expect(200, call{path: s.at("/offerings/{offering}/occurrences?limit=200"), token: s.owner}).list("items") {
		if d["state"] == "scheduled" {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d dates are left", left)
	}
}

// TestHours: the week is returned in order, on the wall clock; overlapping intervals are refused.
func TestHours(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	put := func(intervals ...object) answer {
		return h.do(call{method: "PUT", path: s.at("/locations/{location}/hours"), token: s.owner, body: js(object{"intervals": intervals})})
	}
	late := object{"weekday": 5, "opens": "18:00", "closes": "24:00"}
	early := object{"weekday": 1, "opens": "00:00", "closes": "09:05"}
	if a := put(late, early); a.status != 200 || js(dig[[]any](a.data(), "intervals")) != js([]any{early, late}) {
		t.Errorf("%s", a)
	}
	if a := put(late, object{"weekday": 5, "opens": "17:00", "closes": "18:01"}); a.status != 400 || a.fields()[0] != "body.intervals[1].opens" {
		t.Errorf("%v %s", a.fields(), a)
	}
	if a := h.expect(200, call{path: s.at("/storefront/locations/{location}")}); len(a.list("hours", "intervals")) != 2 || a.data()["open"] != true {
		t.Errorf("%s", a)
	}
}

// TestTaxRates: a different percentage is a new rate, and locations and offerings are switched to it.
func TestTaxRates(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.add("rate", "/businesses/{business}/tax-rates", object{"name": "Sales tax", "ppm": 82500})
	o := s.add("offering", "/locations/{location}/offerings", object{
		"kind": "class", "name": "Flow", "durationMinutes": 60, "capacity": 2, "taxRateId": s.ids["rate"],
	})
	at := s.at("/businesses/{business}/tax-rates")
	next := h.expect(200, call{method: "PATCH", path: at + "/" + s.ids["rate"], token: s.owner, body: `{"version":1,"ppm":88750}`})
	if next.text("id") == s.ids["rate"] || next.number("ppm") != 88750 {
		t.Errorf("%s", next)
	}
	moved := h.expect(200, call{path: "/offerings/" + o.text("id"), token: s.owner})
	if moved.text("taxRateId") != next.text("id") {
		t.Errorf("%s", moved)
	}
	if list := h.expect(200, call{path: at, token: s.owner}).list("items"); len(list) != 1 {
		t.Errorf("%v", list)
	}
	cleared := h.expect(200, call{method: "PATCH", path: "/offerings/" + o.text("id"), token: s.owner, body: js(object{"version": moved.number("version"), "taxRateId": nil})})
	if cleared.data()["taxRateId"] != nil {
		t.Errorf("%s", cleared)
	}
}

// TestRevenueCategories: an offering can have a revenue category in use. The name of one in use is a conflict; an
// archived one stays at its offering, and cannot be chosen any more.
func TestRevenueCategories(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	at := s.at("/businesses/{business}/revenue-categories")
	s.add("category", "/businesses/{business}/revenue-categories", object{"name": "Workshops"})
	twice := h.expect(409, call{method: "POST", path: at, token: s.owner, body: `{"name":"Workshops"}`})
	if twice.reason() != "revenue_category_name_taken" || !slices.Equal(twice.fields(), []string{"body.name"}) {
		t.Errorf("%s", twice)
	}
	offered := object{
		"kind": "class", "name": "Clay", "durationMinutes": 60, "capacity": 2, "revenueCategoryId": s.ids["category"],
	}
	o := s.add("offering", "/locations/{location}/offerings", offered)
	archived := h.expect(200, call{
		method: "PATCH", path: at + "/" + s.ids["category"], token: s.owner, body: `{"version":1,"archived":true}`,
	})
	if archived.data()["archivedAt"] == nil || archived.number("version") != 2 {
		t.Errorf("%s", archived)
	}
	if list := h.expect(200, call{path: at, token: s.owner}).list("items"); len(list) != 0 {
		t.Errorf("%v", list)
	}
	if list := h.expect(200, call{path: at + "?archived=true", token: s.owner}).list("items"); len(list) != 1 {
		t.Errorf("%v", list)
	}
	kept := h.expect(200, call{path: "/offerings/" + o.text("id"), token: s.owner})
	if kept.text("revenueCategoryId") != s.ids["category"] {
		t.Errorf("%s", kept)
	}
	again := h.expect(400, call{
		method: "POST", path: s.at("/locations/{location}/offerings"), token: s.owner, body: js(offered),
	})
	if !slices.Equal(again.fields(), []string{"body.revenueCategoryId"}) {
		t.Errorf("%s", again)
	}
	cleared := h.expect(200, call{method: "PATCH", path: "/offerings/" + o.text("id"), token: s.owner,
		body: js(object{"version": 1, "revenueCategoryId": nil})})
	if cleared.data()["revenueCategoryId"] != nil {
		t.Errorf("%s", cleared)
	}
}
