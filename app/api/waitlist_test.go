package api_test

import (
	"testing"
	"time"

	"foyer/app/booking"
)

// crowdedClass creates a class whose dates are full with one booking each, and people waiting for the first.
func (s *studio) crowdedClass(price int64, waiting ...string) (sessions []string) {
	s.h.t.Helper()
	s.class("", 0, 1)
	s.book(s.h.signIn("early@example.com"), "occurrence")
	s.h.SQL(s.h.t, "update offerings set price_amount = $2 where id = $1", s.ids["offering"], price)
	for _, email := range waiting {
		token := s.h.signIn(email)
		sessions = append(sessions, token)
		s.h.post(s.at("/storefront/offerings/{offering}/occurrences/{occurrence}/waitlist"), token, object{})
	}
	return sessions
}

// freeSeat cancels the booking of the full date, and runs the round that follows.
func (s *studio) freeSeat() {
	h := s.h
	h.t.Helper()
	path := s.at("/businesses/{business}/bookings?occurrenceId=" + s.ids["occurrence"])
	b := h.expect(200, call{path: path, token: s.owner}).list("items")[0]
	h.post(s.at("/businesses/{business}/bookings/"+b["id"].(string)+"/cancel"), s.owner, object{"by": "studio"})
	h.round(s.ids["business"], s.ids["occurrence"])
}

func (h *house) round(business, occurrence string) {
	h.t.Helper()
	if err := h.domains.Waitlist.RunRound(h.t.Context(), booking.RoundJob{Business: parse(business), Occurrence: parse(occurrence)}); err != nil {
		h.t.Fatal(err)
	}
}

// A full date has a waitlist; entries get an offer in turn, see it by its link, accept it, and pay for the cart like
// for any other. A74.
func TestWaitlistStory(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	sessions := s.crowdedClass(2200, "ana@example.com", "ben@example.com")
	ana, ben := sessions[0], sessions[1]
	times := h.expect(200, call{path: s.at("/storefront/offerings/{offering}/times")}).list("days")
	for i, day := range times {
		slot := dig[[]any](day, "slots")[0]
		if full := dig[bool](slot, "waitlist"); full != (i == 0) {
			t.Errorf("day %d: waitlist %t", i, full)
		}
	}
	mine := h.expect(200, call{path: "/me/waitlist", token: ana}).list("items")
	if len(mine) != 1 || mine[0]["state"] != "waiting" || mine[0]["mode"] != "offer" || dig[string](mine[0], "offeringId") != s.ids["offering"] {
		t.Fatalf("%v", mine)
	}
	token := h.token(mine[0]["token"].(string))
	s.freeSeat()
	offer := h.expect(200, call{path: "/storefront/waitlist-offers/" + token})
	if offer.text("state") != "offered" || offer.text("offerUntil") == "" || offer.number("price") != 2200 {
		t.Errorf("%s", offer)
	}
	list := h.expect(200, call{path: s.at("/offerings/{offering}/occurrences/{occurrence}/waitlist"), token: s.owner})
	if list.number("offered") != 1 || list.number("taken") != 0 || len(list.list("entries")) != 2 {
		t.Errorf("%s", list)
	}
	accept := call{method: "POST", path: "/storefront/waitlist-offers/" + token + "/accept"}
	h.expect(401, accept)
	accept.token = ben
	if got := h.expect(409, accept).reason(); got != "offered_to_another" {
		t.Errorf("somebody else's: %s", got)
	}
	accept.token = ana
	got := h.expect(200, accept)
	if again := h.expect(200, accept); again.text("cartToken") != got.text("cartToken") {
		t.Error("accepting again begins another cart")
	}
	cart := "/storefront/carts/" + h.token(got.text("cartToken"))
	p := h.post(cart+"/payment", ana, object{"quotedTotal": h.expect(200, call{path: cart}).number("totals", "total")})
	h.pay(p.text("clientSecret"))
	h.token(h.post(cart+"/confirm", ana, nil).text("receiptToken"))
	booked := h.expect(200, call{path: "/me/bookings", token: ana}).list("items")
	if len(booked) != 1 || booked[0]["id"] != got.text("bookingId") {
		t.Errorf("booked %v", booked)
	}
	left := h.expect(200, call{path: "/me/waitlist", token: ben}).list("items")[0]
	link := "/storefront/waitlist-offers/" + h.token(left["token"].(string))
	if got := h.expect(409, call{method: "POST", path: link + "/decline"}).reason(); got != "no_offer" {
		t.Errorf("declining nothing: %s", got)
	}
	if got := h.post(link+"/leave", "", nil).text("state"); got != "left" {
		t.Errorf("left by the link: %s", got)
	}
	h.expect(204, call{method: "DELETE", path: "/me/waitlist/" + left["id"].(string), token: ben})
}

// An offer expires and the next entry gets one; declining releases the seat; the studio decides by hand, with its
// reason in the log.
func TestWaitlistByHand(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	sessions := s.crowdedClass(0, "ana@example.com", "ben@example.com", "cleo@example.com")
	path := s.at("/offerings/{offering}/occurrences/{occurrence}/waitlist")
	entries := h.expect(200, call{path: path, token: s.owner}).list("entries")
	id := func(i int) string { return path + "/" + entries[i]["id"].(string) }
	full := call{method: "POST", path: id(0) + "/promote", token: s.owner}
	if got := h.expect(409, full).reason(); got != "full" {
		t.Errorf("no room: %s", got)
	}
	full.body = js(object{"override": true})
	h.expect(400, full)
	h.post(id(2)+"/reorder", s.owner, object{"position": 1, "reason": "waited last week"})
	s.freeSeat()
	if got := h.post(id(2)+"/skip", s.owner, object{"reason": "rang up"}).text("state"); got != "skipped_payment" {
		t.Errorf("passed over: %s", got)
	}
	h.Clock.Advance(10 * time.Minute)
	if err := h.domains.Waitlist.RoundsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, e := range h.expect(200, call{path: path + "?show=all", token: s.owner}).list("entries") {
		states[e["customerEmail"].(string)] = e["state"].(string)
	}
	if states["ana@example.com"] != "offer_expired" || states["ben@example.com"] != "offered" || states["cleo@example.com"] != "skipped_payment" {
		t.Errorf("%v", states)
	}
	got := h.post(id(2)+"/promote", s.owner, object{"override": true, "reason": "a friend of the house"})
	log := got.list("log")
	if got.text("state") != "promoted" || log[len(log)-1]["reason"] != "booked by the studio: a friend of the house" {
		t.Errorf("%s", got)
	}
	h.expect(204, call{method: "DELETE", path: id(1), token: s.owner})
	h.expect(204, call{method: "DELETE", path: s.at("/storefront/offerings/{offering}/occurrences/{occurrence}/waitlist"), token: sessions[0]})
	if rest := h.expect(200, call{path: path, token: s.owner}).list("entries"); len(rest) != 0 {
		t.Errorf("left: %v", rest)
	}
}
