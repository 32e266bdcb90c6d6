package hosted_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/catalog"
)

// TestWithoutCards: a listing with a price shows at once that it cannot be booked here, and the studio's contact; a
// free one is booked as ever. A customer from an older page sees it before entering anything. E48.
func TestE48_WithoutCards(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.NoCards = true })
	yoga, talk := s.class(t, "Sunrise Vinyasa", 1), s.class(t, "Open House", 1, priced(0))
	v := s.visit(t)
	front := v.get("/"+s.Location.Slug).want(200, "Details Sunrise Vinyasa", "Book Open House")
	v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Harbour Yoga does not take online payments yet", "https://harbouryoga.com").lacks("Book this time")
	v.get(s.path(talk, &talk.Dates[0])).want(200, "Book this time")
	s.connect(t)
	date := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Book this time").lacks("does not take online payments yet, so this cannot be booked here")
	s.SQL(t, "update processor_accounts set state = 'restricted'")
	date.form("/"+yoga.Slug).post().follow().want(200, "Harbour Yoga does not take online payments yet", "Nothing was booked").lacks("E-mail address")
	if n := s.count(t, "holds"); n != 0 {
		t.Errorf("%d holds", n)
	}
	_ = front
}

// TestTooLittleForACard has its message before the customer enters anything.
func TestTooLittleForACard(t *testing.T) {
	t.Parallel()
	s := open(t)
	tea := s.class(t, "Tea", 1, priced(30))
	s.visit(t).choose(tea, 0).follow().want(200, "This amount is too small for a card", "The minimum for a card payment is $0.50").lacks("E-mail address")
}

// TestPayAtTheStudio: beside the card, and in its place; the receipt and My bookings show the amount due.
func TestPayAtTheStudio(t *testing.T) {
	t.Parallel()
	for name, without := range map[string]bool{"beside a card": false, "without cards": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(p *plan) { p.NoCards = without })
			s.SQL(t, "update businesses set fee_mode = 'customer' where business_id = $1", s.Business.ID)
			s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio, r.Cancel.LateFeeAmount = true, 500 }))
			yoga := s.class(t, "Sunrise Vinyasa", 2)
			v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
			pay := v.choose(yoga, 1).follow().want(200, "Pay at the studio", "You pay $22.00 when you come. Nothing is charged now.", "after that you pay a late-cancellation fee of $5.00")
			if without {
				pay.want(200, "Confirm your booking").lacks("Card number", "Service fee")
			} else {
				pay.want(200, "Card number", "Service fee", "Pay $22.45")
			}
			f := pay.form("/at-studio")
			done := f.post().wantTo("/receipt/")
			done.follow().want(200, "You’re booked", "Due at the studio: $22.00").lacks("Service fee", "Paid with")
			if again := f.post(); again.to() != done.to() {
				t.Errorf("the second click leads to %s", again.to())
			}
			v.get("/my").want(200, "Sunrise Vinyasa", "Due at the studio: $22.00")
			if n := s.count(t, "orders o where state = 'fulfilled' and total_amount = 2200 and not exists (select from "+
				"order_tenders t where t.order_id = o.id)"); n != 1 {
				t.Errorf("%d orders", n)
			}
		})
	}
}

// TestCardWords: each kind of decline has its message, and the seats stay held.
func TestCardWords(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow()
	for number, words := range map[string]string{
		"4000000000000002": "Your bank declined the card",
		"4000000000009987": "Your bank declined the card", // lost: the message does not reveal it
		"4000000000009995": "This card has insufficient funds",
		"4000000000000069": "This card has expired",
		"4000000000000127": "The security code is incorrect",
		"4000000000000119": "The payment service had a problem",
		"4242424242424241": "The card number is incorrect",
	} {
		pay = pay.pay(number).follow().want(200, words, "Nothing was charged, and your spots are still held", "Held for")
	}
	for exp, ok := range map[string]bool{"1/34": true, "0134": true, "01/2034": true, "012034": true, "01 / 34": true, "13/34": false} {
		back := pay.form("/pay/card").post("number", apptest.CardDeclined, "exp", exp, "cvc", "123").follow()
		if want := map[bool]string{true: "Your bank declined the card", false: "The expiry date is incorrect"}[ok]; true {
			pay = back.want(200, want)
		}
	}
}
