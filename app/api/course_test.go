package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// course makes the class with five dates that class makes a course, booked as a whole.
func (s *studio) course(price int64, seats int) {
	s.h.t.Helper()
	s.class("", price, seats)
	s.patch(http.StatusOK, "/offerings/{offering}", object{"version": s.version(), "enrolment": "series"})
}

func (s *studio) version() int64 {
	s.h.t.Helper()
	return s.h.expect(http.StatusOK, call{path: s.at("/offerings/{offering}"), token: s.owner}).number("version")
}

// enrol returns a cart with the course, and its token.
func (s *studio) enrol() string {
	s.h.t.Helper()
	token := s.cart()
	s.h.post("/storefront/carts/"+token+"/items", "", object{"offeringId": s.ids["offering"]})
	return token
}

// A course is listed, sold, read and cancelled as one booking of all its dates. A74.
func TestCourseStory(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.course(9000, 3)
	first := s.dateAt("occurrence")["startsAt"]
	for _, path := range []string{"/storefront/offerings/{offering}", "/storefront/offerings/{offering}/times"} {
		c := dig[object](h.expect(200, call{path: s.at(path)}).data(), "course")
		if fmt.Sprintf("%v %v %v %v", c["dates"], c["total"], c["spots"], c["firstStartsAt"]) != fmt.Sprintf("5 5 3 %v", first) {
			t.Errorf("%s: %v", path, c)
		}
	}
	for _, day := range h.expect(200, call{path: s.at("/storefront/locations/{location}/schedule")}).list("days") {
		if slot := dig[[]any](day, "slots")[0]; !dig[bool](slot, "course") || dig[bool](slot, "waitlist") {
			t.Errorf("%v", slot)
		}
	}
	alone := call{method: "POST", path: "/storefront/carts/" + s.cart() + "/items", body: js(object{"occurrenceId": s.ids["occurrence+"]})}
	refused := h.expect(409, alone)
	if refused.reason() != "course" || dig[string](decode(refused.body), "error", "details", "offeringId") != s.ids["offering"] {
		t.Errorf("one date: %s", refused)
	}
	alone.body = js(object{"offeringId": s.ids["offering"], "minutes": 60})
	h.expect(400, alone)

	rosa := h.signIn("rosa@example.com")
	token := s.enrol()
	cart := "/storefront/carts/" + token
	line := h.expect(200, call{path: cart}).list("lines")[0]
	if dates := dig[[]any](line, "dates"); len(dates) != 5 || fmt.Sprint(line["price"]) != "9000" || line["startsAt"] != first {
		t.Errorf("the line: %v", line)
	}
	h.post(cart+"/hold", rosa, nil)
	p := h.post(cart+"/payment", rosa, object{"quotedTotal": 9000})
	h.pay(p.text("clientSecret"))
	receipt := h.token(h.post(cart+"/confirm", rosa, nil).text("receiptToken"))
	sold := h.expect(200, call{path: "/storefront/receipts/" + receipt}).list("lines")
	if len(sold) != 1 || len(dig[[]any](sold[0], "dates")) != 5 || sold[0]["state"] != "confirmed" || fmt.Sprint(sold[0]["price"]) != "9000" {
		t.Errorf("sold: %v", sold)
	}
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")
	if len(mine) != 1 || len(dig[[]any](mine[0], "dates")) != 5 || len(dig[[]any](mine[0], "allowedActions")) != 1 {
		t.Fatalf("mine: %v", mine)
	}
	my := "/me/bookings/" + mine[0]["id"].(string)
	if ics := string(h.expect(200, call{path: my + "/calendar.ics", token: rosa}).body); strings.Count(ics, "BEGIN:VEVENT") != 5 {
		t.Errorf("%s", ics)
	}
	group := mine[0]["groupId"].(string)
	s.courseAtTheDesk(t, group)
	move := call{method: "POST", path: my + "/reschedule", token: rosa, body: js(object{"occurrenceId": s.ids["occurrence+"]})}
	if got := h.expect(409, move).reason(); got != "course" {
		t.Errorf("moved: %s", got)
	}
	cancel := call{method: "POST", path: my + "/cancel", token: rosa}
	for _, scope := range []string{"following", "all"} { // a course can only be changed as a whole
		for _, dry := range []bool{true, false} {
			cancel.body = js(object{"scope": scope, "dryRun": dry})
			if got := h.expect(409, cancel).reason(); got != "course" {
				t.Errorf("cancelled with scope %s: %s", scope, got)
			}
		}
	}
	cancel.body = js(object{"dryRun": true})
	quote := h.expect(200, cancel)
	if n := len(dig[[]any](quote.data(), "effects", "dates")); n != 5 || quote.number("effects", "refund") != 9000 {
		t.Errorf("%s", quote)
	}
	cancel.body = js(object{"quoteId": quote.text("quoteId")})
	if got := h.expect(200, cancel); got.text("state") != "cancelled" {
		t.Errorf("%s", got)
	}
	if left := h.expect(200, call{path: s.at("/businesses/{business}/bookings?state=confirmed&groupId=" + group), token: s.owner}).list("items"); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	h.CheckBooks(t)
}

// courseAtTheDesk reads a customer's course as the studio, books it for others, and finds its last seat booked.
func (s *studio) courseAtTheDesk(t *testing.T, group string) {
	t.Helper()
	h := s.h
	bookings := s.at("/businesses/{business}/bookings")
	rows := h.expect(200, call{path: bookings + "?groupId=" + group, token: s.owner}).list("items")
	if len(rows) != 5 || rows[0]["course"] != true {
		t.Fatalf("%v", rows)
	}
	detail := h.expect(200, call{path: bookings + "/" + rows[0]["id"].(string), token: s.owner})
	if len(detail.list("dates")) != 5 || detail.number("money", "paid") != 9000 {
		t.Errorf("%s", detail)
	}
	for i, email := range []string{"guest1@example.com", "guest2@example.com", "guest3@example.com"} {
		in := call{method: "POST", path: bookings, token: s.owner, body: js(object{"email": email, "offeringId": s.ids["offering"]})}
		if i < 2 {
			if made := h.expect(201, in); made.text("startsAt") == "" || made.data()["course"] != true || made.number("price") != 9000 {
				t.Errorf("%s", made)
			}
			continue
		}
		full := h.expect(409, in)
		if full.reason() != "full" || len(dig[[]any](decode(full.body), "error", "details", "dates")) != 5 {
			t.Errorf("%s", full)
		}
	}
	one := object{"email": "guest3@example.com", "occurrenceId": s.ids["occurrence+++"]}
	if got := h.expect(409, call{method: "POST", path: bookings, token: s.owner, body: js(one)}).reason(); got != "course" {
		t.Errorf("one date at the desk: %s", got)
	}
	one["override"], one["reason"] = true, "a trial lesson"
	if got := h.post(bookings, s.owner, one); got.number("price") != 0 || got.data()["course"] != false {
		t.Errorf("one date with override: %s", got)
	}
	roster := h.expect(200, call{path: s.at("/offerings/{offering}/occurrences/{occurrence+++}/roster"), token: s.owner})
	if len(roster.list("entries")) != 4 || roster.number("capacity") != 4 {
		t.Errorf("%s", roster)
	}
}

// A course has an end: it is not published, and no class becomes one, before each of its series has an end; and the
// dates covered by a booking do not change.
func TestCourseHasAnEnd(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.add("offering", "/locations/{location}/offerings", object{
		"kind": "class", "name": "Pottery", "durationMinutes": 60, "price": 9000, "capacity": 5, "enrolment": "series",
	})
	rule := object{"weekdays": []int{2}, "start": s.soon(1), "at": "18:00"}
	create := call{method: "POST", path: s.at("/offerings/{offering}/series"), token: s.owner, body: js(rule)}
	if got := h.expect(400, create); !strings.Contains(string(got.body), `"body.until"`) {
		t.Errorf("an endless series: %s", got)
	}
	s.patch(200, "/offerings/{offering}", object{"version": 1, "enrolment": "date"})
	endless := h.expect(201, create).text("id")
	s.patch(200, "/offerings/{offering}", object{"version": 2, "enrolment": "series"})
	publish := call{method: "POST", path: s.at("/offerings/{offering}/publish"), token: s.owner}
	if got := h.expect(400, publish); !strings.Contains(string(got.body), `"dates"`) {
		t.Errorf("published without an end: %s", got)
	}
	s.patch(200, "/offerings/{offering}/series/"+endless, object{"version": 1, "scope": "all", "count": 40})
	h.expect(200, publish)
	c := dig[object](h.expect(200, call{path: s.at("/storefront/offerings/{offering}")}).data(), "course")
	if fmt.Sprint(c["dates"]) != "40" { // further ahead than the dates of other classes
		t.Errorf("%v", c)
	}
	token := s.enrol()
	rosa := h.signIn("rosa@example.com")
	h.SQL(t, "update offerings set price_amount = 0 where id = $1", s.ids["offering"])
	h.post("/storefront/carts/"+token+"/hold", rosa, object{"quotedTotal": 0})
	h.post("/storefront/carts/"+token+"/confirm", rosa, nil)
	back := call{method: "PATCH", path: s.at("/offerings/{offering}"), token: s.owner, body: js(object{"version": s.version(), "enrolment": "date"})}
	if got := h.expect(409, back).reason(); got != "future_bookings" {
		t.Errorf("with bookings: %s", got)
	}
	h.CheckBooks(t)
}
