package api_test

import (
	"net/http"
	"slices"
	"testing"
)

// bath returns a studio with a pool for four that accepts walk-ins, open around the clock.
func (h *house) bath() *studio {
	h.t.Helper()
	s := h.open("Bath")
	s.connect()
	week := []object{}
	for day := range 7 {
		week = append(week, object{"weekday": day, "opens": "00:00", "closes": "24:00"})
	}
	h.expect(200, call{method: http.MethodPut, path: s.at("/locations/{location}/hours"), token: s.owner, body: js(object{"intervals": week})})
	s.add("pool", "/locations/{location}/spaces", object{"name": "Pool", "capacity": 4})
	s.add("swim", "/locations/{location}/offerings", object{
		"kind": "rental", "name": "Swim", "slug": "swim", "durationMinutes": 60, "price": 1500, "capacity": 100, "soldAs": "person",
		"walkins": true,
	})
	h.expect(200, call{method: http.MethodPut, path: s.at("/offerings/{swim}/spaces"), token: s.owner, body: js(object{"version": 1, "spaceIds": []string{s.ids["pool"]}})})
	h.post(s.at("/offerings/{swim}/publish"), s.owner, nil)
	return s
}

// TestWalkins follows a walk-in party: the storefront, check-in, check-out, and the switch. E62 to E69 as JSON, A71,
// A74.
func TestWalkins(t *testing.T) {
	h := open(t)
	s := h.bath()
	desk, public, checkIns := s.at("/locations/{location}/walkins"), s.at("/storefront/locations/{location}/walkins"), s.at("/locations/{location}/walkins/check-ins")
	see := func(query, state, level string, spots int64) answer {
		t.Helper()
		a := h.expect(200, call{path: public + query})
		got, _ := a.data()["level"].(string)
		if a.text("state") != state || got != level || a.number("spots") != spots {
			t.Errorf("%s: %s", query, a.body)
		}
		return a
	}
	first := see("", "open", "plenty", 4)
	if room := first.list("rooms")[0]; room["name"] != "Pool" || asText(room["capacity"]) != "4" || first.data()["until"] != nil && first.text("until") == "" {
		t.Errorf("%s", first.body)
	}
	if _, level := first.data()["hidden"]; level {
		t.Errorf("hidden: %s", first.body)
	}
	if got := see("?listing=nothing,%20swim", "open", "plenty", 4); !slices.Equal(dig[[]any](got.data(), "listing"), []any{"swim"}) {
		t.Errorf("%s", got.body)
	}
	if a := h.expect(404, call{path: public + "?listing=nothing"}); a.reason() != "unknown_listing" { // E68, E110
		t.Errorf("%s", a)
	}

	in := h.post(checkIns, s.owner, object{"offeringId": s.ids["swim"], "party": 3, "customer": object{"email": "rosa@example.com", "name": "Rosa"}})
	if in.status != 201 || in.text("state") != "checked_in" || in.number("due") != 4500 || in.text("customerName") != "Rosa" || in.data()["checkedOutAt"] != nil {
		t.Errorf("%s", in)
	}
	see("", "open", "filling_up", 1)
	full := h.expect(409, call{method: "POST", path: checkIns, token: s.owner, body: js(object{"offeringId": s.ids["swim"], "party": 2})})
	if spots := dig[object](decode(full.body), "error", "details")["spots"]; full.reason() != "full" || asText(spots) != "1" {
		t.Errorf("%s", full)
	}
	h.post(checkIns, s.owner, object{"offeringId": s.ids["swim"]})
	see("", "full", "full", 0)
	for range 2 { // the second time changes nothing
		out := h.expect(200, call{method: "POST", path: checkIns + "/" + in.text("bookingId") + "/check-out", token: s.owner})
		if out.data()["checkedOutAt"] == nil || out.number("version") != 2 {
			t.Errorf("%s", out)
		}
	}
	see("", "open", "plenty", 3)

	now := h.expect(200, call{path: desk, token: s.owner})
	if now.list("rooms")[0]["name"] != "Pool" || asText(now.list("rooms")[0]["inside"]) != "1" || now.data()["on"] != true || now.data()["pausedUntil"] != nil {
		t.Errorf("%s", now.body)
	}
	paused := h.expect(200, call{method: "PATCH", path: desk, token: s.owner,
		body: js(object{"version": now.number("version"), "pausedUntil": h.Clock.Now().Add(3600e9)})})
	if paused.text("hidden") != "paused" || paused.text("until") != paused.text("pausedUntil") {
		t.Errorf("%s", paused.body)
	}
	if a := see("", "closed", "", 0); a.text("hidden") != "paused" {
		t.Errorf("%s", a.body)
	}
	refused := h.expect(409, call{method: "POST", path: checkIns, token: s.owner, body: js(object{"offeringId": s.ids["swim"]})})
	if refused.reason() != "paused" {
		t.Errorf("%s", refused)
	}
	stale := h.expect(409, call{method: "PATCH", path: desk, token: s.owner, body: js(object{"version": now.number("version"), "on": false})})
	if stale.reason() != "stale_version" {
		t.Errorf("%s", stale)
	}
	h.expect(200, call{method: "PATCH", path: desk, token: s.owner, body: js(object{"version": paused.number("version"), "pausedUntil": nil})})
	see("", "open", "plenty", 3)
}
