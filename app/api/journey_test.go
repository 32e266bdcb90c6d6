package api_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestJourney walks one booking through the API: a studio is opened, a class published, a seat held, paid and booked.
func TestJourney(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 2200, 3)
	rosa := h.signIn("rosa@example.com")
	receipt := s.book(rosa, "occurrence")
	a := h.expect(http.StatusOK, call{path: "/storefront/receipts/" + receipt})
	if a.number("totals", "total") != 2200 {
		t.Errorf("%s", a.body)
	}
}

// A booking of a free class, in round trips to Postgres and statements of all kinds: hold and confirmation are
// authenticated, read the cart, and send all of their writes with their commit.
func TestABookingInSixTrips(t *testing.T) { bookingTakes(t, 6, 12, "") }

// With an Idempotency-Key a request has one more statement: its claim precedes its writes, with the result.
func TestABookingWithKeysInSixTrips(t *testing.T) { bookingTakes(t, 6, 14, "the-customer-s") }

// bookingTakes counts the round trips and statements of a booking. The keys of its requests begin with key, or there
// are none.
func bookingTakes(t *testing.T, mostTrips, mostStatements int, key string) {
	t.Helper()
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 10)
	rosa := h.signIn("rosa@example.com")
	for n := range 2 { // the first time the server looks up the business of the cart
		token := s.cart("occurrence")
		h.expect(http.StatusOK, call{path: "/storefront/carts/" + token})
		trips, statements := h.Sent(func() {
			for _, verb := range []string{"/hold", "/confirm"} {
				c := call{method: http.MethodPost, path: "/storefront/carts/" + token + verb, token: rosa, keyless: key == ""}
				if key != "" {
					c.key = fmt.Sprint(key, n)
				}
				h.expect(http.StatusOK, c)
			}
		})
		if trips > mostTrips || statements > mostStatements {
			t.Errorf("a booking takes %d round trips with %d statements, want %d with %d", trips, statements, mostTrips, mostStatements)
		}
		s.class("next", 0, 10)
		s.ids["occurrence"] = s.ids["occurrencenext"]
		s.ids["offering"] = s.ids["offeringnext"]
	}
}
