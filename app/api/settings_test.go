package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOfferingSettings: the settings for an offering's times are returned as sent, and the public sees those needed
// for a choice. A setting that does not fit the kind is an invalid field. A67.
func TestOfferingSettings(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.add("policy", "/businesses/{business}/policies", object{"name": "Strict"})
	sent := object{
		"policyId": s.ids["policy"], "bufferBeforeMinutes": 5, "bufferAfterMinutes": 10, "gridMinutes": 15, "lastStart": "20:30",
		"compact": true, "approval": true, "enrolment": "date", "soldAs": "space", "needsMember": true, "walkins": false,
		"durations": []object{{"minutes": 60, "priceAmount": 3000}, {"minutes": 120, "priceAmount": 5000}},
	}
	body := object{"kind": "rental", "name": "Sauna", "capacity": 6}
	for k, v := range sent {
		body[k] = v
	}
	o := s.add("offering", "/locations/{location}/offerings", body)
	at := s.at("/offerings/{offering}")
	same := func(a answer, want object) {
		t.Helper()
		for name, v := range want {
			if got := js(a.data()[name]); got != js(v) {
				t.Errorf("%s: %s, want %s", name, got, js(v))
			}
		}
	}
	same(o, sent)
	same(o, object{"durationMinutes": 60, "price": 3000, "memberIds": []string{}, "spaceIds": []string{}})
	missing := h.expect(400, call{method: "POST", path: at + "/publish", token: s.owner})
	if !slices.Equal(missing.fields(), []string{"spaces", "staff"}) {
		t.Errorf("%v", missing.fields())
	}
	patch := func(body object) answer {
		t.Helper()
		v := h.expect(200, call{path: at, token: s.owner}).number("version")
		return h.expect(200, call{method: "PATCH", path: at, token: s.owner, body: js(with(body, "version", v))})
	}
	empty := object{"policyId": nil, "gridMinutes": nil, "lastStart": nil, "durations": []object{}, "soldAs": "person", "walkins": true, "needsMember": false}
	same(patch(empty), empty)
	same(patch(object{"lastStart": "00:00", "name": "Banya"}), object{"lastStart": "00:00", "name": "Banya", "gridMinutes": nil})
	for body, field := range map[string]string{
		`{"version":3,"lastStart":"24:00"}`: "body.lastStart", `{"version":3,"gridMinutes":7}`: "body.gridMinutes",
		`{"version":3,"enrolment":"series"}`: "body.enrolment", `{"version":3,"soldAs":"space"}`: "body.walkins",
		`{"version":3,"policyId":"` + ghost("x") + `"}`:                                                                           "body.policyId",
		`{"version":3,"durations":[{"minutes":60,"priceAmount":1},{"minutes":30,"priceAmount":1}]}`:                               "body.durations[1].minutes",
		`{"version":3,"durations":[{"minutes":60}]}`:                                                                              "body.durations[0].priceAmount",
		`{"version":3,"durations":[{"minutes":60,"priceAmount":1}],"price":2}`:                                                    "body.price",
		`{"version":3,"durations":[` + strings.Repeat(`{"minutes":60,"priceAmount":1},`, 12) + `{"minutes":60,"priceAmount":1}]}`: "body.durations",
		`{"version":3,"compact":null}`:                                                                                            "body.compact",
	} {
		if a := h.expect(400, call{method: "PATCH", path: at, token: s.owner, body: body}); !slices.Contains(a.fields(), field) {
			t.Errorf("%s: %v", body, a.fields())
		}
	}
	s.add("space", "/locations/{location}/spaces", object{"name": "Room", "capacity": 6})
	h.expect(200, call{method: "PUT", path: at + "/spaces", token: s.owner, body: js(object{"spaceIds": []string{s.ids["space"]}})})
	if a := h.expect(400, call{method: "POST", path: at + "/publish", token: s.owner}); !slices.Equal(a.fields(), []string{"hours"}) {
		t.Errorf("%v", a.fields())
	}
	h.expect(200, call{method: "PUT", path: s.at("/locations/{location}/hours"), token: s.owner, body: `{"intervals":[{"weekday":1,"opens":"09:00","closes":"21:00"}]}`})
	h.post(at+"/publish", s.owner, nil)
	same(h.expect(200, call{path: s.at("/storefront/offerings/{offering}")}), object{"kind": "rental", "soldAs": "person", "walkins": true,
		"approval": true, "durations": []object{}, "enrolment": "date", "needsMember": false, "policy": []string{
			"Cancel at least 24 hours before the start and the price is refunded. After that there is no refund.",
			"Reschedule a booking until 24 hours before the start.",
		}})
	copied := h.post(at+"/duplicate", s.owner, nil)
	same(copied, object{"name": "Banya", "state": "draft", "slug": "banya", "lastStart": "00:00", "spaceIds": []string{s.ids["space"]}})
}

// TestOfferingStaff: the set is replaced in its order; an unknown member is an invalid field; a version that is sent
// must be the current one. A74.
func TestOfferingStaff(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	s.connect()
	s.add("offering", "/locations/{location}/offerings", object{"kind": "appointment", "name": "Massage", "durationMinutes": 60, "price": 6000, "capacity": 1})
	_, kim := s.join("kim@example.com")
	_, lee := s.join("lee@example.com")
	_, max := elsewhere.join("max@example.com")
	put := func(status int, version int64, ids ...string) answer {
		t.Helper()
		body := object{"memberIds": append([]string{}, ids...)}
		if version > 0 {
			body["version"] = version
		}
		return h.expect(status, call{method: "PUT", path: s.at("/offerings/{offering}/staff"), token: s.owner, body: js(body)})
	}
	first := put(200, 1, lee, kim)
	if js(first.data()["memberIds"]) != js([]string{lee, kim}) || first.number("version") != 2 {
		t.Errorf("%s", first)
	}
	if a := put(409, 1, kim); a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	for _, id := range []string{max, ghost("x")} {
		if a := put(400, 0, kim, id); !slices.Equal(a.fields(), []string{"body.memberIds[1]"}) {
			t.Errorf("%v", a.fields())
		}
	}
	hours := s.at("/businesses/{business}/team/" + kim + "/hours")
	if a := h.expect(400, call{method: "POST", path: s.at("/offerings/{offering}/publish"), token: s.owner}); !slices.Equal(a.fields(), []string{"hours"}) {
		t.Errorf("%v", a.fields())
	}
	week := []object{{"weekday": 1, "opens": "09:00", "closes": "12:00"}, {"weekday": 1, "opens": "13:00", "closes": "24:00"}}
	sent := []object{{"locationId": s.ids["location"], "hours": week}}
	h.expect(200, call{method: "PUT", path: hours, token: s.owner, body: js(object{"locations": sent})})
	if a := h.expect(200, call{path: hours, token: s.owner}); js(a.data()["locations"]) != js(sent) {
		t.Errorf("%s", a)
	}
	h.post(s.at("/offerings/{offering}/publish"), s.owner, nil)
	if a := put(400, 0); a.reason() != "incomplete" || !slices.Equal(a.fields(), []string{"staff"}) {
		t.Errorf("%s", a)
	}
	sent[0]["locationId"] = elsewhere.ids["location"]
	if a := h.expect(400, call{method: "PUT", path: hours, token: s.owner, body: js(object{"locations": sent})}); !slices.Equal(a.fields(), []string{"body.locations[0].locationId"}) {
		t.Errorf("%v", a.fields())
	}
}

// TestPolicies: absent rules are the standard ones, and the summary has them as sentences; a policy in use cannot be
// archived.
func TestPolicies(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	place := s.at("/locations/{location2}/policies") // euros
	standard := h.expect(200, call{path: place, token: s.owner})
	if standard.data()["policyId"] != nil || standard.text("name") != "Standard" || len(dig[[]any](standard.data(), "summary")) == 0 {
		t.Errorf("%s", standard)
	}
	p := s.add("policy", "/businesses/{business}/policies", object{"name": "Strict", "rules": object{"cancel": object{"lateFeeAmount": 1500}, "partyMax": 4}})
	if p.number("rules", "cancel", "lateFeeAmount") != 1500 || p.number("rules", "cancel", "freeUntilMinutes") != 1440 || !strings.Contains(js(p.data()["summary"]), "$15.00") {
		t.Errorf("%s", p)
	}
	one := s.at("/businesses/{business}/policies/{policy}")
	changed := h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: `{"version":1,"rules":{"cancel":{"lateFeeAmount":900}}}`})
	if changed.number("rules", "partyMax") != 0 || changed.number("version") != 2 {
		t.Errorf("%s", changed)
	}
	chosen := h.expect(200, call{method: "PUT", path: place, token: s.owner, body: js(object{"policyId": s.ids["policy"], "version": standard.number("version")})})
	if chosen.text("policyId") != s.ids["policy"] || !strings.Contains(js(chosen.data()["summary"]), "€9.00") || chosen.number("version") != standard.number("version")+1 {
		t.Errorf("%s", chosen)
	}
	h.expect(409, call{method: "PUT", path: place, token: s.owner, body: js(object{"policyId": nil, "version": standard.number("version")})})
	if a := h.expect(409, call{method: "POST", path: one + "/archive", token: s.owner}); a.reason() != "policy_in_use" {
		t.Errorf("%s", a)
	}
	h.expect(200, call{method: "PUT", path: place, token: s.owner, body: `{"policyId":null}`})
	h.post(one+"/archive", s.owner, nil)
	for body, field := range map[string]string{
		`{"name":"X","rules":{"partyMin":0}}`:                          "body.rules.partyMin",
		`{"name":"X","rules":{"waitlist":{"mode":"maybe"}}}`:           "body.rules.waitlist.mode",
		`{"name":"X","rules":{"partyMin":5,"partyMax":2}}`:             "body.rules.partyMax",
		`{"name":"X","rules":{"cancel":{"freeUntilMinutes":9999999}}}`: "body.rules.cancel.freeUntilMinutes",
		`{"name":"X","rules":{"cancel":{"surprise":1}}}`:               "body.rules.cancel.surprise",
		`{"name":"X","rules":{"cancel":null}}`:                         "body.rules.cancel",
	} {
		if a := h.expect(400, call{method: "POST", path: s.at("/businesses/{business}/policies"), token: s.owner, body: body}); !slices.Contains(a.fields(), field) {
			t.Errorf("%s: %v", body, a.fields())
		}
	}
	h.expect(400, call{method: "PUT", path: place, token: s.owner, body: `{}`})
	if a := h.expect(400, call{method: "PUT", path: place, token: s.owner, body: js(object{"policyId": ghost("x")})}); !slices.Equal(a.fields(), []string{"body.policyId"}) {
		t.Errorf("%v", a.fields())
	}
}

// TestClosureQuote: a dry run returns the bookings in a closure and writes nothing; the call with the quote creates
// it. The public sees the name. A74.
func TestClosureQuote(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 0, 8)
	s.book(h.signIn("rosa@example.com"), "occurrence")
	path := s.at("/locations/{location}/closures")
	body := object{"name": "Repairs", "startsOn": "2026-06-11", "endsOn": "2026-06-12"}
	quote := h.expect(200, call{method: "POST", path: path, token: s.owner, body: js(with(body, "dryRun", true))})
	if quote.number("effects", "bookings") != 1 || quote.number("effects", "dates") != 2 || len(quote.list("effects", "first")) != 1 {
		t.Fatalf("%s", quote)
	}
	if first := quote.list("effects", "first")[0]; first["startsAt"] != "2026-06-11T16:00:00Z" || first["bookingId"] == "" {
		t.Errorf("%v", first)
	}
	if list := h.expect(200, call{path: path, token: s.owner}).list("items"); len(list) != 0 {
		t.Errorf("%v", list)
	}
	named := with(body, "quoteId", quote.text("quoteId"))
	made := h.expect(201, call{method: "POST", path: path, token: s.owner, body: js(named)})
	again := h.expect(201, call{method: "POST", path: path, token: s.owner, body: js(named)})
	if made.text("id") != again.text("id") || js(made.data()["hits"]) != js(quote.data()["effects"]) {
		t.Errorf("%s, %s", made, again)
	}
	if a := h.expect(409, call{method: "POST", path: path, token: s.owner, body: js(body)}); a.reason() != "closure_overlaps" {
		t.Errorf("%s", a)
	}
	public := h.expect(200, call{path: s.at("/storefront/locations/{location}")}).list("closures")
	if len(public) != 1 || public[0]["name"] != "Repairs" || public[0]["startsOn"] != "2026-06-11" {
		t.Errorf("%v", public)
	}
	for body, field := range map[string]string{
		`{"name":"X","startsOn":"2026-02-30","endsOn":"2026-12-24"}`:                                                   "body.startsOn",
		`{"name":"X","startsOn":"2026-12-24","endsOn":"2026-12-23"}`:                                                   "body.endsOn",
		`{"name":"X","startsOn":"2026-12-24","endsOn":"2026-12-24","hours":[{"opens":"12:00","closes":"11:00"}]}`:      "body.hours[0].closes",
		`{"name":"X","startsOn":"2026-12-24","endsOn":"2026-12-24","hours":[{"opens":"25:00","closes":"24:00"}]}`:      "body.hours[0].opens",
		`{"name":"X","startsOn":"2026-12-24","endsOn":"2026-12-24","dryRun":true,"quoteId":"` + made.text("id") + `"}`: "body.quoteId",
	} {
		if a := h.expect(400, call{method: "POST", path: path, token: s.owner, body: body}); !slices.Contains(a.fields(), field) {
			t.Errorf("%s: %v", body, a.fields())
		}
	}
	h.expect(204, call{method: "DELETE", path: path + "/" + made.text("id"), token: s.owner})
	if list := h.expect(200, call{path: s.at("/storefront/locations/{location}")}).list("closures"); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// TestTimeOff: members manage their own time off; others need team.manage, and do not see the reason.
func TestTimeOff(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	token, kim := s.join("kim@example.com", object{"role": "instructor", "locationId": s.ids["location"]})
	desk, _ := s.join("desk@example.com", object{"role": "front_desk"})
	path := s.at("/businesses/{business}/team/" + kim + "/time-off")
	body := object{"startsAt": "2026-07-10T09:00:00Z", "endsAt": "2026-07-12T09:00:00Z", "note": "Wedding"}
	h.expect(403, call{method: "POST", path: path, token: desk, body: js(body)})
	made := h.post(path, token, body)
	if made.text("note") != "Wedding" || made.number("hits", "bookings") != 0 {
		t.Errorf("%s", made)
	}
	for token, note := range map[string]string{token: "Wedding", s.owner: "Wedding", desk: ""} {
		list := h.expect(200, call{path: path, token: token}).list("items")
		if len(list) != 1 || list[0]["note"] != note {
			t.Errorf("%v, want %q", list, note)
		}
	}
	if list := h.expect(200, call{path: path + "?from=2026-07-12T09:00:00Z", token: token}).list("items"); len(list) != 0 {
		t.Errorf("%v", list)
	}
	for _, wrong := range []string{"2026-07-10T09:00:00Z", "2020-01-01T00:00:00Z", "2027-07-12T09:00:00Z"} {
		if a := h.expect(400, call{method: "POST", path: path, token: token, body: js(with(body, "endsAt", wrong))}); !slices.Equal(slices.Compact(a.fields()), []string{"body.endsAt"}) {
			t.Errorf("%v", a.fields())
		}
	}
	h.expect(403, call{method: "DELETE", path: path + "/" + made.text("id"), token: desk})
	h.expect(204, call{method: "DELETE", path: path + "/" + made.text("id"), token: token})
	h.expect(404, call{method: "DELETE", path: path + "/" + made.text("id"), token: token})
}

// TestCapsOnTheWire: a cap is set, stays if absent, and is removed by null.
func TestCapsOnTheWire(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	_, kim := s.join("kim@example.com")
	for path, caps := range map[string][]string{
		s.at("/businesses/{business}/team/" + kim): {"dailyCap", "weeklyCap"}, s.at("/locations/{location}"): {"dailyCap"},
	} {
		for _, name := range caps {
			for _, step := range []struct{ sent, want string }{{"5", "5"}, {"", "5"}, {"null", "null"}} {
				v := h.expect(200, call{path: path, token: s.owner}).number("version")
				body := fmt.Sprintf(`{"version":%d}`, v)
				if step.sent != "" {
					body = fmt.Sprintf(`{"version":%d,%q:%s}`, v, name, step.sent)
				}
				h.expect(200, call{method: "PATCH", path: path, token: s.owner, body: body})
				if got := js(h.expect(200, call{path: path, token: s.owner}).data()[name]); got != step.want {
					t.Errorf("%s %s: %s, want %s", path, name, got, step.want)
				}
			}
			a := h.expect(400, call{method: "PATCH", path: path, token: s.owner, body: fmt.Sprintf(`{"version":1,%q:0}`, name)})
			if !slices.Equal(a.fields(), []string{"body." + name}) {
				t.Errorf("%v", a.fields())
			}
		}
	}
}
