package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestReturningCustomerPaysInOnePress: a card is kept when the box is ticked, and not else; the next time it is the
// first choice, paid by one press, and a second press leads to the same receipt. No step needs a script.
func TestReturningCustomerPaysInOnePress(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	first := v.choose(yoga, 0).follow().want(200, "Save this card for next time", "Harbour Yoga saves this card").lacks("Your saved card", "checked")
	first.pay(apptest.CardGood).follow().want(200, "You’re booked")
	v.choose(yoga, 1).follow().want(200, "Card number").lacks("ending 4242").
		form("/pay/card").post(append(card("4000002500003155"), "keep", "1")...).follow().
		form("").post("result", "authorise").follow().want(200, "You’re booked")
	if n := s.count(t, "saved_cards where consent_text like 'Harbour Yoga saves this card%' and consented_at is not null"); n != 1 {
		t.Fatalf("%d cards are kept", n)
	}

	again := v.choose(yoga, 2).follow().want(200, "Your saved card", "Visa ending 3155", "expires 12/34", "Pay $22.00", "Pay with another card")
	f := again.form("/pay/kept")
	bank := f.post() // the bank requires authentication each time the customer is present
	if !strings.Contains(bank.to(), "/__sim/3ds/") {
		t.Fatalf("not sent to the bank but to %s", bank.to())
	}
	bank.follow().form("").post("result", "fail").follow().want(200, "Your bank could not verify your identity", "Visa ending 3155")
	done := f.post().follow().form("").post("result", "authorise").follow().want(200, "You’re booked", "Visa ending 3155")
	if twice := f.post().follow(); twice.path() != done.path() {
		t.Errorf("the second press leads to %s", twice.path())
	}
	if n := s.count(t, "payments where status = 'succeeded' and card_id is not null"); n != 1 {
		t.Errorf("%d payments by the kept card", n)
	}
}

// TestRemovingACard: My cards shows the saved cards of each studio, and removes one; an outdated page that still
// offers it shows a message.
func TestRemovingACard(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/my/cards").want(200, "You have no saved cards")
	v.choose(yoga, 0).follow().form("/pay/card").post(append(card(apptest.CardGood), "keep", "1")...).follow().want(200, "You’re booked")
	offered := v.choose(yoga, 1).follow().want(200, "Visa ending 4242").form("/pay/kept")
	v.get("/my").want(200, "Your saved cards")
	f := v.get("/my/cards").want(200, "Visa ending 4242", "expires 12/34").form("/remove")

	other := s.signedIn(t, "ben@example.com", "Ben Other")
	other.get("/my/cards").want(200, "You have no saved cards")
	other.send("POST", f.Action, f.Fields)
	if n := s.count(t, "saved_cards where removed_at is null"); n != 1 {
		t.Fatal("somebody else has removed the card")
	}
	for range 2 {
		f.post().follow().want(200, "The card is removed", "You have no saved cards")
	}
	offered.post().follow().want(200, "This card is no longer saved", "Card number").lacks("ending 4242")
}
