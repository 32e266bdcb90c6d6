package hosted_test

import (
	"net/http"
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestNewCustomerBooksWithoutScript walks every step by links and forms alone: the schedule, a date, the code, the name,
// the card, the receipt. A1 to A3.
func TestNewCustomerBooksWithoutScript(t *testing.T) {
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.visit(t)

	front := v.get("/"+s.Location.Slug).want(200, "Sunrise Vinyasa", "Tomorrow", "9:00 am", "$22", "Book")
	if !strings.Contains(front.Body, `href="`+s.path(yoga, &yoga.Dates[0])+`"`) {
		t.Fatal("no row leads to the first date")
	}
	date := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Your time", "Thursday, June 11", "Book this time")
	signIn := date.form("/sunrise-vinyasa").post().wantTo("/cart/").follow().want(200, "Your e-mail", "Sunrise Vinyasa", "$22.00")
	if !strings.HasSuffix(signIn.url.Path, "/sign-in") {
		t.Fatalf("a new customer comes to %s", signIn.url)
	}
	code := signIn.form("/sign-in").post("email", " Ana@Example.com ").wantTo("/cart/").follow().want(200, "ana@example.com")
	details := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo("/cart/").follow().want(200, "About you")
	pay := details.form("/details").post("name", "Ana Ruiz", "phone", "").wantTo("/cart/").follow().
		want(200, "Pay $22.00", "Test payment", "Held for 10:00")
	if n := s.count(t, "bookings where state = 'held'"); n != 1 {
		t.Fatalf("%d seats are held", n)
	}
	back := pay.form("/__sim/pay").post("number", apptest.CardGood, "exp", "12/34", "cvc", "123").wantTo(s.URL + "/cart/")
	receipt := back.follow().want(200, "You’re booked", "Confirmed", "Sunrise Vinyasa", "Thursday, June 11", "9:00 to 10:00 am",
		"12 Quay Street, Portland", "Visa ending 4242", "$22.00", "test payment")
	if !strings.HasPrefix(receipt.url.Path, "/receipt/") {
		t.Errorf("the receipt is at %s", receipt.url)
	}
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Errorf("%d seats are booked", n)
	}
	if got := s.letter(t, "ana@example.com", "booked"); got != s.URL+receipt.url.Path {
		t.Errorf("the mail leads to %s, the page is %s", got, receipt.url)
	}
	v.get("/my").want(200, "ana@example.com", "Sunrise Vinyasa", "Harbour Yoga")
	v.get("/" + s.Location.Slug).want(200).lacks("Continue")
	s.visit(t).get(receipt.url.Path).want(http.StatusOK, "You’re booked")
}
