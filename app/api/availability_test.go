package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// serves adds an appointment of an hour with Mia as instructor from nine to noon every day, in New York, and a rental
// of a room for four that is open from ten to noon.
func (s *studio) serves() {
	h := s.h
	h.t.Helper()
	week := func(opens, closes string) (out []object) {
		for day := range 7 {
			out = append(out, object{"weekday": day, "opens": opens, "closes": closes})
		}
		return out
	}
	_, s.ids["mia"] = s.join("mia@example.com")
	h.expect(http.StatusOK, call{method: "PUT", path: s.at("/businesses/{business}/team/{mia}/hours"), token: s.owner,
		body: js(object{"locations": []object{{"locationId": s.ids["location"], "hours": week("09:00", "12:00")}}})})
	h.expect(http.StatusOK, call{method: "PUT", path: s.at("/locations/{location}/hours"), token: s.owner, body: js(object{"intervals": week("10:00", "12:00")})})
	s.add("massage", "/locations/{location}/offerings", object{
		"kind": "appointment", "name": "Massage", "durationMinutes": 60, "price": 6000, "capacity": 1, "gridMinutes": 30,
		"durations": []object{{"minutes": 60, "priceAmount": 6000}, {"minutes": 90, "priceAmount": 8000}},
	})
	h.expect(http.StatusOK, call{method: "PUT", path: s.at("/offerings/{massage}/staff"), token: s.owner, body: js(object{"memberIds": []string{s.ids["mia"]}})})
	s.add("room", "/locations/{location}/spaces", object{"name": "Sauna room", "capacity": 4})
	s.add("sauna", "/locations/{location}/offerings", object{"kind": "rental", "name": "Sauna", "durationMinutes": 60, "price": 2000, "capacity": 4, "soldAs": "person"})
	h.expect(http.StatusOK, call{method: "PUT", path: s.at("/offerings/{sauna}/spaces"), token: s.owner, body: js(object{"spaceIds": []string{s.ids["room"]}})})
	for _, o := range []string{"massage", "sauna"} {
		h.post(s.at("/offerings/{"+o+"}/publish"), s.owner, nil)
	}
}

// searched searches for times on Thursday 11 June 2026 and returns the response.
func (s *studio) searched(more object) answer {
	s.h.t.Helper()
	body := object{"from": "2026-06-11T04:00:00Z", "to": "2026-06-12T04:00:00Z"}
	for k, v := range more {
		body[k] = v
	}
	return s.h.do(call{method: "POST", path: s.at("/locations/{location}/availability/search"), token: s.owner, body: js(body)})
}

func startsIn(a answer) (out []string) {
	for _, d := range a.list("days") {
		for _, v := range d["slots"].([]any) {
			slot := v.(object)
			text := slot["startsAt"].(string)[11:16]
			for _, r := range slot["reasons"].([]any) {
				text += " " + r.(string)
			}
			out = append(out, text)
		}
	}
	return out
}

// A225.
func TestSearchAvailability(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.serves()
	a := s.searched(object{"offeringId": s.ids["massage"]})
	if got := startsIn(a); a.status != http.StatusOK || !slices.Equal(got, []string{"13:00", "13:30", "14:00", "14:30", "15:00"}) {
		t.Fatalf("%v %s", got, a)
	}
	slot := dig[[]any](a.data(), "days")[0].(object)["slots"].([]any)[0].(object)
	if a.text("timeZone") != "America/New_York" || a.list("members")[0]["id"] != s.ids["mia"] || js(slot["members"]) != "[0]" || js(slot["spaces"]) != "[]" ||
		slot["bookable"] != true || slot["available"] != true || slot["occurrenceId"] != nil || slot["then"] != nil {
		t.Errorf("%s", a)
	}
	a = s.searched(object{"segments": []object{{"offeringId": s.ids["massage"]}, {"offeringId": s.ids["massage"], "minutes": 30}}, "timeZone": "Asia/Tokyo"})
	if got := startsIn(a); !slices.Equal(got, []string{"13:00", "13:30", "14:00", "14:30"}) || a.list("days")[0]["date"] != "2026-06-11" {
		t.Errorf("in a row: %s", a)
	}
	sauna := s.searched(object{"offeringId": s.ids["sauna"], "party": 4, "to": "2026-09-12T04:00:00Z"})
	if got := startsIn(sauna); len(got) != 2*62 || got[0] != "14:00" {
		t.Errorf("%d starts: %s", len(got), sauna)
	}
	more := s.searched(object{"offeringId": s.ids["sauna"], "party": 4, "to": "2026-09-12T04:00:00Z", "cursor": sauna.text("nextCursor")})
	if got := startsIn(more); len(got) != 2*31 || dig[any](more.data(), "nextCursor") != nil {
		t.Errorf("%d starts on the second page: %s", len(got), more)
	}
}

// An invalid request is 400 with the field; a record of another location is 404.
func TestSearchAvailabilityRefuses(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.serves()
	massage := s.ids["massage"]
	for field, more := range map[string]object{
		"body.to":                  {"offeringId": massage, "to": "2026-06-11T04:00:00Z"},
		"body.from":                {"offeringId": massage, "from": "1999-01-01T00:00:00Z"},
		"body.timeZone":            {"offeringId": massage, "timeZone": "Mars/Olympus"},
		"body.party":               {"offeringId": massage, "party": 7},
		"body.minutes":             {"offeringId": massage, "minutes": 1},
		"body.segments":            {},
		"body.offeringId":          {"offeringId": massage, "segments": []object{{"offeringId": massage}}},
		"body.segments[0].minutes": {"segments": []object{{"offeringId": massage, "minutes": 2000}}},
		"body.cursor":              {"offeringId": massage, "cursor": "nonsense"},
	} {
		if a := s.searched(more); a.status != http.StatusBadRequest || !slices.Equal(a.fields(), []string{field}) {
			t.Errorf("%s: %s", field, a)
		}
	}
	for name, more := range map[string]object{"unknown": {"offeringId": uuid.NewString()}, "unknown booking": {"offeringId": massage, "excludeBookingId": uuid.NewString()}} {
		if a := s.searched(more); a.status != http.StatusNotFound {
			t.Errorf("%s: %s", name, a)
		}
	}
	elsewhere := call{method: "POST", path: s.at("/locations/{location2}/availability/search"), token: s.owner,
		body: js(object{"offeringId": massage, "from": "2026-06-11T04:00:00Z", "to": "2026-06-12T04:00:00Z"})}
	h.expect(http.StatusNotFound, elsewhere)
}

// A225.
func TestExplainAvailability(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.serves()
	explain := func(startsAt string) answer {
		return h.expect(http.StatusOK, call{method: "POST", path: s.at("/locations/{location}/availability/explain"), token: s.owner,
			body: js(object{"offeringId": s.ids["massage"], "startsAt": startsAt})})
	}
	if a := explain("2026-06-11T14:00:00Z"); dig[any](a.data(), "bookable") != true || len(a.list("rules")) < 6 {
		t.Errorf("%s", a)
	}
	a := explain("2026-06-11T20:00:00Z")
	if dig[any](a.data(), "available") != false || js(dig[any](a.data(), "reasons")) != `["closed"]` {
		t.Errorf("%s", a)
	}
	texts := ""
	for _, r := range a.list("rules") {
		if r["holds"] == false && r["memberId"] == s.ids["mia"] {
			texts += r["text"].(string)
		}
	}
	if !strings.Contains(texts, "does not work from start to end") {
		t.Errorf("%s", a)
	}
}

// The storefront's times of appointments and rentals have lengths with prices, members and spaces to choose from;
// those of a class do not.
func TestComputedTimes(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.serves()
	s.class("", 2200, 8)
	times := func(offering, query string) answer {
		return h.do(call{path: s.at("/storefront/offerings/{" + offering + "}/times?from=2026-06-11" + query)})
	}
	a := times("massage", "")
	slots := a.list("days")[0]["slots"].([]any)
	slot := slots[0].(object)
	if len(slots) != 5 || slot["startsAt"] != "2026-06-11T13:00:00Z" || slot["occurrenceId"] != nil || slot["price"] != json.Number("6000") || js(slot["members"]) != "[0]" ||
		slot["instructor"] == "" || a.number("choices", "minutes") != 60 || len(a.list("choices", "lengths")) != 2 || a.list("choices", "members")[0]["id"] != s.ids["mia"] {
		t.Errorf("%s", a)
	}
	if a = times("massage", "&minutes=90&memberId="+s.ids["mia"]); len(a.list("days")[0]["slots"].([]any)) != 4 || a.number("choices", "minutes") != 90 {
		t.Errorf("%s", a)
	}
	next := a.text("nextCursor")
	if a = times("massage", "&minutes=90&memberId="+s.ids["mia"]+"&cursor="+next); a.status != http.StatusOK || a.list("days")[0]["date"] != "2026-06-25" {
		t.Errorf("%s", a)
	}
	if a = times("massage", "&cursor="+next); a.status != http.StatusBadRequest {
		t.Errorf("a cursor of another question: %s", a)
	}
	if a = times("sauna", "&party=3"); a.list("days")[0]["slots"].([]any)[0].(object)["price"] != json.Number("6000") {
		t.Errorf("%s", a)
	}
	for field, query := range map[string]string{"query.minutes": "&minutes=45", "query.memberId": "&memberId=" + uuid.NewString(), "query.party": "&party=2"} {
		if a = times("massage", query); a.status != http.StatusBadRequest || !slices.Equal(a.fields(), []string{field}) {
			t.Errorf("%s: %s", field, a)
		}
	}
	class := times("offering", "")
	if slot := class.list("days")[0]["slots"].([]any)[0].(object); slot["occurrenceId"] == nil || slot["members"] != nil || dig[any](class.data(), "choices") != nil {
		t.Errorf("%s", class)
	}
}
