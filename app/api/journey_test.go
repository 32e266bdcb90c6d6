package api_test

import (
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
