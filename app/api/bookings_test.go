package api_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// The life of a booking over the API: quoted, rescheduled, cancelled late, with its history.
func TestBookingLife(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 3)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	b := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]
	mine := "/me/bookings/" + b["id"].(string)
	if actions := b["allowedActions"].([]any); len(actions) != 2 { // tomorrow noon in New York: 28 hours ahead
		t.Errorf("allowed: %v", actions)
	}
	if file := h.do(call{path: mine + "/calendar.ics", token: rosa}); file.status != 200 || !strings.Contains(string(file.body), "\r\nSTATUS:CONFIRMED\r\n") {
		t.Errorf("%s", file)
	}
	desk := s.at("/businesses/{business}/bookings/" + b["id"].(string))
	detail := h.expect(200, call{path: desk, token: s.owner})
	if detail.text("state") != "confirmed" || len(detail.list("allowedActions")) < 2 || detail.number("policy", "rules", "cancel", "freeUntilMinutes") != 1440 {
		t.Errorf("%s", detail)
	}
	move := object{"occurrenceId": s.ids["occurrence+"], "dryRun": true}
	quote := h.expect(200, call{method: "POST", path: desk + "/reschedule", token: s.owner, body: js(move)})
	if quote.text("effects", "occurrenceId") != s.ids["occurrence+"] || quote.number("effects", "difference") != 0 {
		t.Errorf("%s", quote)
	}
	if at := h.expect(200, call{path: desk, token: s.owner}).text("occurrenceId"); at != s.ids["occurrence"] {
		t.Error("a quote moved the booking")
	}
	moved := h.expect(200, call{method: "POST", path: desk + "/reschedule", token: s.owner,
		body: js(object{"occurrenceId": s.ids["occurrence+"], "quoteId": quote.text("quoteId")})})
	if moved.text("occurrenceId") != s.ids["occurrence+"] {
		t.Errorf("%s", moved)
	}
	h.Clock.Advance(30 * time.Hour)
	told := h.expect(200, call{method: "POST", path: mine + "/cancel", token: rosa, body: js(object{"dryRun": true})})
	if told.text("effects", "state") != "late_cancelled" {
		t.Errorf("%s", told)
	}
	gone := h.expect(200, call{method: "POST", path: mine + "/cancel", token: rosa, body: js(object{"quoteId": told.text("quoteId")})})
	if gone.text("state") != "late_cancelled" || len(gone.list("allowedActions")) != 0 {
		t.Errorf("%s", gone)
	}
	again := h.expect(409, call{method: "POST", path: mine + "/cancel", token: rosa})
	if again.reason() != "state" {
		t.Errorf("%s", again)
	}
	steps := h.expect(200, call{path: desk + "/history", token: s.owner}).list("items")
	if len(steps) != 4 || steps[2]["transition"] != "rescheduled" || steps[2]["fromStartsAt"] == nil || steps[3]["transition"] != "cancelled_late" {
		t.Errorf("%v", steps)
	}
	h.CheckBooks(t)
}

// The studio books one date and many; a repeated request books once; clashes are listed first.
func TestOperatorBooks(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 2200, 1)
	path := s.at("/businesses/{business}/bookings")
	body := js(object{"email": "rosa@example.com", "occurrenceId": s.ids["occurrence"], "payment": "later"})
	for range 2 {
		got := h.expect(201, call{method: "POST", path: path, token: s.owner, body: body, headers: []string{"Idempotency-Key", "one"}})
		if got.text("state") != "confirmed" || got.number("price") != 2200 {
			t.Errorf("%s", got)
		}
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from bookings"); n != 1 {
		t.Errorf("%d bookings", n)
	}
	full := h.expect(409, call{method: "POST", path: path, token: s.owner, body: js(object{"email": "ben@example.com", "occurrenceId": s.ids["occurrence"]})})
	if full.reason() != "full" {
		t.Errorf("%s", full)
	}
	rule := object{"email": "ben@example.com", "offeringId": s.ids["offering"], "from": s.soon(0), "until": s.soon(9)}
	clash := h.expect(409, call{method: "POST", path: path + "/recurring", token: s.owner, body: js(rule)})
	if clash.reason() != "clashes" || !strings.Contains(string(clash.body), `"free":[{`) {
		t.Errorf("%s", clash)
	}
	rule["onClash"], rule["dryRun"] = "skip", true
	quote := h.expect(200, call{method: "POST", path: path + "/recurring", token: s.owner, body: js(rule)})
	if len(quote.list("effects", "bookings")) != 4 || quote.list("effects", "clashes")[0]["reason"] != "full" {
		t.Errorf("%s", quote)
	}
	delete(rule, "dryRun")
	rule["quoteId"] = quote.text("quoteId")
	made := h.expect(201, call{method: "POST", path: path + "/recurring", token: s.owner, body: js(rule)})
	if len(made.list("bookings")) != 4 {
		t.Errorf("%s", made)
	}
	h.CheckBooks(t)
}

// Bulk operations return a result for each booking.
func TestBulkOverTheAPI(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	a, b := s.booked(""), s.booked("")
	path := s.at("/businesses/{business}/bookings")
	body := object{"bookingIds": []string{a, b}, "by": "customer", "dryRun": true}
	quote := h.expect(200, call{method: "POST", path: path + "/bulk-cancel", token: s.owner, body: js(body)})
	if rows := quote.list("effects", "rows"); len(rows) != 2 || rows[0]["effects"] == nil {
		t.Errorf("%s", quote)
	}
	h.expect(200, call{method: "POST", path: path + "/" + b + "/cancel", token: s.owner, body: js(object{"by": "studio"})})
	changed := h.expect(409, call{method: "POST", path: path + "/bulk-cancel", token: s.owner,
		body: js(object{"bookingIds": []string{a, b}, "by": "customer", "quoteId": quote.text("quoteId")})})
	if changed.reason() != "quote_changed" {
		t.Errorf("%s", changed)
	}
	done := h.expect(200, call{method: "POST", path: path + "/bulk-cancel", token: s.owner, body: js(object{"bookingIds": []string{a, b}, "by": "studio"})})
	if rows := done.list("rows"); rows[0]["refusal"] != nil || dig[string](rows[1]["refusal"], "reason") != "state" {
		t.Errorf("%s", done)
	}
	h.CheckBooks(t)
}

// Open holds are listed and released, fees are listed and waived.
func TestHoldsAndFees(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 1)
	s.class("2", 0, 1)
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	s.book(rosa, "occurrence")
	s.ids["booking"] = h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]["id"].(string)
	cart := s.cart("occurrence+")
	h.post("/storefront/carts/"+cart+"/hold", ben, nil)
	holds := h.expect(200, call{path: s.at("/businesses/{business}/holds"), token: s.owner}).list("items")
	if len(holds) != 1 || len(holds[0]["seats"].([]any)) != 1 {
		t.Fatalf("%v", holds)
	}
	h.expect(204, call{method: "DELETE", path: s.at("/businesses/{business}/holds/" + holds[0]["id"].(string)), token: s.owner})
	if holds := h.expect(200, call{path: s.at("/businesses/{business}/holds"), token: s.owner}).list("items"); len(holds) != 0 {
		t.Errorf("%v", holds)
	}
	h.SQL(t, `update bookings set policy = jsonb_set(policy, '{cancel,lateFeeAmount}', '1500') where id = $1`, s.ids["booking"])
	h.Clock.Advance(6 * time.Hour)
	h.expect(200, call{method: "POST", path: "/me/bookings/" + s.ids["booking"] + "/cancel", token: rosa})
	fees := h.expect(200, call{path: s.at("/businesses/{business}/fees?state=due"), token: s.owner}).list("items")
	if len(fees) != 1 || fees[0]["kind"] != "late_cancel" {
		t.Fatalf("%v", fees)
	}
	path := s.at("/businesses/{business}/fees/" + fees[0]["id"].(string) + "/waive")
	got := h.expect(200, call{method: "POST", path: path, token: s.owner, body: js(object{"version": 1, "reason": "ill"})})
	if got.text("state") != "waived" {
		t.Errorf("%s", got)
	}
	over := h.expect(409, call{method: "POST", path: path, token: s.owner, body: js(object{"version": 2, "reason": "ill"})})
	if over.reason() != "fee_not_due" {
		t.Errorf("%s", over)
	}
	h.CheckBooks(t)
}
