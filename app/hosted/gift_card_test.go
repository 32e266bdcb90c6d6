package hosted_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing/giftcard"
)

// sellsGiftCards sells gift cards of 5.00 to 200.00 online, 25.00 and 50.00 are suggested.
func (s *shop) sellsGiftCards(t testing.TB) {
	t.Helper()
	_, err := s.Services.GiftCards.SetTerms(t.Context(), s.Owner, giftcard.SetTermsInput{
		LocationID: s.Location.ID, Version: 1, SoldOnline: true, Amounts: []int64{2500, 5000},
		LeastAmount: 500, MostAmount: 20000,
	})
	if err != nil {
		t.Fatal(err)
	}
}

var giftCode = regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`)

// mailedCode is the code of the gift card in the mails to an address.
func (s *shop) mailedCode(t testing.TB, to string) string {
	t.Helper()
	s.later(t, time.Minute)
	for _, m := range s.Mail.List(to) {
		if code := giftCode.FindString(m.Text); code != "" {
			return code
		}
	}
	t.Fatalf("no gift card was mailed to %s", to)
	return ""
}

// TestGiftCards gives a gift card by mail, and spends it on a class, and on a second one beside a card.
func TestGiftCards(t *testing.T) {
	t.Parallel()
	s := open(t)
	at := "/shop/" + s.Location.Slug
	ana, ben := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ben@example.com", "Ben Ito")
	ana.get(at+"/gift-cards").want(200, "Gift cards are not sold here at the moment.")
	s.sellsGiftCards(t)
	buy := ana.get(ana.get(at).want(200).link("Gift cards")).want(200, "$25", "$50", "From $5 to $200", "Add to cart")
	cart := buy.form("/gift-cards").
		post("email", "ben@example.com", "recipient", "Ben", "sender", "Ana", "message", "For you").
		wantTo("/cart/").follow().want(200, "Gift card · Ben", "$25.00")
	pay := cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay $25.00").lacks("I have a gift card")
	pay.pay(apptest.CardGood).follow().want(200, "Gift card", "$25.00")
	code := s.mailedCode(t, "ben@example.com")
	named := "Gift card •••• " + code[len(code)-4:]

	yoga := s.class(t, "Sunrise Vinyasa", 3)
	pay = ben.choose(yoga, 0).follow().want(200, "Pay $22.00", "I have a gift card")
	wrong := pay.form("/pay/gift-card").post("gift", "7K2M").
		want(400, "This code cannot be used here. Check it and try again.", "Pay $22.00")
	if !strings.Contains(wrong.Body, `value="7K2M"`) {
		t.Error("the typed code is lost")
	}
	pay = wrong.form("/pay/gift-card").post("gift", strings.ToLower(code)).wantTo("/cart/").follow().
		want(200, named, "$22.00 of $25.00").lacks("Card number")
	pay = pay.form("/pay/gift-card/remove").post().follow().want(200, "Pay $22.00").lacks(named)
	pay = pay.form("/pay/gift-card").post("gift", code).follow().want(200, named, "Your order: $22.00")
	pay.form("/pay").post().wantTo("/receipt/").follow().want(200, "You’re booked", "Paid with "+named, "$22.00")

	balance, other := at+"/gift-cards/balance", "0"
	if strings.HasSuffix(code, other) {
		other = "1"
	}
	ben.get(balance).want(200, "Gift card balance").form("/balance").post("code", code).want(200, "$3.00", named)
	ben.get(balance).form("/balance").post("code", code[:18]+other).
		want(200, "This code cannot be used here.").lacks("$3.00")

	pay = ben.choose(yoga, 1).follow()
	pay = pay.form("/pay/gift-card").post("gift", code).follow().want(200, named, "$3.00 of $3.00", "Pay $19.00")
	pay.pay(apptest.CardGood).follow().
		want(200, "You’re booked", "Paid with "+named, "$3.00", "Paid with Visa ending 4242", "$19.00")
	pay = ben.choose(yoga, 2).follow()
	pay.form("/pay/gift-card").post("gift", code).want(400, "This code cannot be used here.")
	for range 3 { // ten in an hour
		pay.form("/pay/gift-card").post("gift", code).want(400)
	}
	pay.form("/pay/gift-card").post("gift", code).want(400, "Too many codes were tried. Try again later.")
	if n := s.count(t, "gift_cards where balance = 0"); n != 1 {
		t.Error("the card is not spent")
	}
}

// TestGiftCardRefusals: what is entered wrong is said at its field, and what was typed is kept.
func TestGiftCardRefusals(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.sellsGiftCards(t)
	f := s.visit(t).get("/shop/" + s.Location.Slug + "/gift-cards").form("/gift-cards")
	email := []string{"email", "ben@example.com"}
	for want, typed := range map[string][]string{
		"Enter an email address.":                            {"email", "nobody", "message", "For you, Ben"},
		"Enter an amount within the limits of this studio.":  append(email, "suggested", "other", "amount", "3"),
		"Enter an amount within the limits of this studio. ": append(email, "suggested", "other", "amount", "many"),
		"This date is in the past.":                          append(email, "on", "2020-01-01"),
		"Choose a date within a year.":                       append(email, "on", "2099-01-01"),
		"Use at most 500 characters.":                        append(email, "message", strings.Repeat("m", 501)),
	} {
		p := f.post(typed...).want(200, "This was not added to your cart", strings.TrimSpace(want))
		for i := 1; i < len(typed); i += 2 {
			if !strings.Contains(p.Body, typed[i]) {
				t.Errorf("%s: %q is lost", want, typed[i])
			}
		}
	}
	if n := s.count(t, "cart_items"); n != 0 {
		t.Errorf("%d items", n)
	}
}
