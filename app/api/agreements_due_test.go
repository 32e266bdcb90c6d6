package api_test

import (
	"strings"
	"testing"
)

// TestSigningBeforeAVisit: A184, A195: a customer booked by the studio sees the agreements required by the booking,
// also for attendees, and signs them without a cart.
func TestSigningBeforeAVisit(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	s.book(rosa, "occurrence")
	s.book(ben, "occurrence")
	at := s.at("/locations/{location}/agreements")
	waiver := h.post(at, s.owner, object{"name": "Waiver", "body": "I take care.", "show": "full"})
	own := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]["id"].(string)
	customer := h.expect(200, call{path: s.at("/businesses/{business}/bookings/") + own, token: s.owner}).text("customerId")
	mia := h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"customerId": customer, "occurrenceId": s.ids["occurrence+"], "attendee": "Mia"}).text("id")
	asked := func(booking string) answer {
		t.Helper()
		return h.expect(200, call{path: "/me/bookings/" + booking + "/agreements", token: rosa})
	}
	if got := asked(mia); got.text("attendee") != "Mia" || len(got.list("toAccept")) != 1 || got.list("toAccept")[0]["contentId"] != waiver.text("contentId") ||
		got.list("toAccept")[0]["body"] != "I take care." || len(got.list("agreed")) != 0 {
		t.Fatalf("%s", got)
	}
	sign := func(status int, token, booking string, copy string, more ...string) answer {
		t.Helper()
		one := object{"contentId": copy, "shown": "full"}
		if len(more) > 0 {
			one["attendees"] = more
		}
		return h.expect(status, call{method: "POST", path: "/me/agreements", token: token, body: js(object{"bookingId": booking, "accept": []object{one}})})
	}
	key, _ := s.key()
	h.expect(401, call{path: "/me/bookings/" + mia + "/agreements"})
	h.expect(403, call{path: "/me/bookings/" + mia + "/agreements", token: key})
	h.expect(404, call{path: "/me/bookings/" + mia + "/agreements", token: ben})
	sign(401, "", mia, waiver.text("contentId"))
	sign(403, key, mia, waiver.text("contentId"))
	sign(404, ben, mia, waiver.text("contentId"))
	sign(404, rosa, mia, ghost("contentId"))
	if got := sign(400, rosa, mia, waiver.text("contentId"), "Leo"); got.fields()[0] != "body.accept" {
		t.Errorf("%s", got)
	}
	now := h.expect(200, call{method: "PATCH", path: at + "/" + waiver.text("id"), token: s.owner, body: js(object{"body": "I take great care."})})
	if got := sign(409, rosa, mia, waiver.text("contentId")); got.reason() != "agreement_changed" || !strings.Contains(string(got.body), now.text("contentId")) {
		t.Errorf("%s", got)
	}
	for range 2 {
		if got := sign(200, rosa, own, now.text("contentId")); len(got.list("toAccept")) != 0 || got.list("agreed")[0]["acceptedAt"] == nil {
			t.Fatalf("%s", got)
		}
	}
	if got := asked(mia); len(got.list("toAccept")) != 1 {
		t.Fatalf("agreed to for oneself: %s", got)
	}
	if got := sign(200, rosa, mia, now.text("contentId"), "mia"); len(got.list("toAccept")) != 0 || len(got.list("agreed")) != 1 {
		t.Fatalf("%s", got)
	}
	mine := h.expect(200, call{path: "/me/agreements", token: rosa}).list("items")
	signers := h.expect(200, call{path: at + "/" + waiver.text("id") + "/signers", token: s.owner}).list("items")
	for _, list := range [][]object{mine, signers} {
		if len(list) != 2 || list[0]["attendee"] != "Mia" || list[1]["attendee"] != nil {
			t.Errorf("%v", list)
		}
	}

	// In a cart, and on paper.
	cart := "/storefront/carts/" + s.cart("occurrence++")
	h.post(cart+"/items", "", object{"occurrenceId": s.ids["occurrence++"], "attendee": "Leo"})
	h.post(cart+"/hold", rosa, nil)
	if got := h.expect(200, call{path: cart + "/agreements", token: rosa}); len(got.list("toAccept")) != 1 {
		t.Fatalf("%s", got)
	}
	body := js(object{"accept": []object{{"contentId": now.text("contentId"), "shown": "full", "attendees": []string{"Leo"}}}})
	if got := h.expect(200, call{method: "POST", path: cart + "/agreements", token: rosa, body: body}); len(got.list("toAccept")) != 0 {
		t.Fatalf("%s", got)
	}
	h.expect(200, call{method: "POST", path: cart + "/confirm", token: rosa})
	h.expect(201, call{method: "POST", path: s.at("/businesses/{business}/customers/") + customer + "/agreements/" + waiver.text("id") + "/mark-signed?locationId=" +
		s.ids["location"] + "&attendee=Emma", token: s.owner})
	if mine := h.expect(200, call{path: "/me/agreements", token: rosa}).list("items"); len(mine) != 4 || mine[0]["attendee"] != "Emma" || mine[0]["source"] != "staff" {
		t.Errorf("%v", mine)
	}
}
