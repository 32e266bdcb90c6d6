package journeys_test

import (
	"regexp"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/giftcard"
	cards "foyer/billing/giftcard"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestGiftCard: the front desk of a location takes a gift card for a mat, and finds the card by its code; half of the
// mat is refunded to the card.
func TestGiftCard(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		s.AddLocation(t, "Riverside")
		s.AddGoods(t)
		s.SQL(t, "update locations set refund_cap_amount = 5000")
		s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
		sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
			NewCard: giftcard.NewCard{Amount: 5000}, LocationID: s.Location.ID, Method: tender.Cash,
		})
		if err != nil {
			t.Fatal(err)
		}
		desk := signedIn(t, s, w, "desk@team.example.com")
		desk.area("Sales")
		desk.press("Cash drawer")
		desk.press("Sell goods")
		desk.fill("Find goods", "MAT-Blue")
		desk.press("Find")
		desk.choose("Payment method", "Gift card")
		desk.shows()
		desk.fill("Gift card code", sold.Code)
		desk.press("Use gift card")
		desk.reads(sold.Card.Label() + " has $50.00.")
		desk.press("Charge $24.00")
		desk.reads("Sold for $24.00.")
		desk.press("View payment")
		desk.press("Refund…")
		desk.choose("Refund amount", "Custom amount")
		desk.shows()
		desk.reads("Refundable: $24.00")
		desk.fill("Amount", "12")
		if w.NoScript {
			desk.press("Refund this amount to the gift card")
		} else {
			desk.press("Refund $12.00 to the gift card")
		}
		desk.reads("Recorded a refund of $12.00.")
		desk.shut()
		desk.area("Sales")
		desk.press("Gift cards")
		desk.press("Find by code")
		desk.fill("Gift card code", sold.Code)
		desk.press("Find gift card")
		desk.reads("Balance", "$38.00", "Refund", "Payment")
		desk.misses("Adjust balance")
		desk.leaves()
	})
}

// TestGiftCardByMail: on the smallest phone, a gift card is given by mail, and spent on a class and a mat together
// with the code of the mail; the owner refunds half of it, and the page of the card's balance has it again.
func TestGiftCardByMail(t *testing.T) {
	t.Parallel()
	onTheSmallestPhone(t, func(t *testing.T, s *consoletest.Studio, w way) {
		s.AddGoods(t)
		class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Evening Flow" })
		s.AddOccurrence(t, class, s.Clock.Now().Add(48*time.Hour))
		_, err := s.Services.GiftCards.SetTerms(t.Context(), s.Owner, cards.SetTermsInput{
			LocationID: s.Location.ID, Version: 1, SoldOnline: true, Amounts: []int64{2500, 5000},
			LeastAmount: 500, MostAmount: 20000,
		})
		if err != nil {
			t.Fatal(err)
		}
		ana := come(t, s, w)
		ana.givesCard("ben@example.com")
		ben := come(t, s, w)
		code := mailedCode(t, s, "ben@example.com")
		ben.spendsCard(code)
		ben.findsBalance(code, "$4.00")

		owner := signedIn(t, s, w, s.Owner.Email)
		owner.area("Sales")
		owner.sound()
		owner.press("Ben Ito")
		owner.reads("Evening Flow", "Cork mat", "$46.00")
		owner.sound()
		owner.press("Refund…")
		owner.choose("Refund amount", "Custom amount")
		owner.shows()
		owner.reads("Refundable: $46.00")
		owner.fill("Amount", "23")
		owner.sound()
		if w.NoScript {
			owner.press("Refund this amount to the gift card")
		} else {
			owner.press("Refund $23.00 to the gift card")
		}
		owner.reads("$23.00", "Partially refunded")
		owner.sound()
		owner.leaves()
		ben.findsBalance(code, "$27.00")
		ben.leaves()
		if n := apptest.Value[int](t, s.World, "select sum(balance) from gift_cards"); n != 2700 {
			t.Errorf("%s: the cards have %d", w, n)
		}
	})
}

// givesCard buys a gift card of 50.00 from the shop, for somebody else, by card.
func (p *person) givesCard(to string) {
	p.t.Helper()
	p.Goto(p.s.URL + "/" + p.s.Location.Slug)
	p.press("Shop")
	p.sound()
	p.press("Gift cards")
	p.sound()
	p.tick("$50")
	p.fill("Recipient’s email", to)
	p.fill("Recipient’s name", "Ben")
	p.fill("Your name", "Ana")
	p.press("Add to cart")
	p.reads("Gift card · Ben", "$50.00")
	p.sound()
	p.press("Continue")
	p.entersAs("ana@example.com", "Ana Ruiz")
	p.sound()
	p.fill("Card number", apptest.CardGood)
	p.fill("Expiry date", "12/34")
	p.fill("Security code", "123")
	p.press("Pay $50.00")
	p.reads("Gift card · Ben", "Paid with Visa")
	p.sound()
	p.leaves()
}

// entersAs signs a new customer in, on the way to the last step.
func (p *person) entersAs(email, name string) {
	p.t.Helper()
	p.fill("E-mail address", email)
	p.fill("Code", p.s.NextCode(p.t, email, func() { p.press("Send me a code") }))
	p.press("Sign in")
	p.fill("Name", name)
	p.press("Continue")
}

var giftCode = regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`)

// mailedCode returns the code in the mail with a gift card.
func mailedCode(t *testing.T, s *consoletest.Studio, to string) string {
	t.Helper()
	s.Sweep(t)
	for _, m := range s.Mail.List(to) {
		if code := giftCode.FindString(m.Text); code != "" {
			return code
		}
	}
	t.Fatalf("no gift card was mailed to %s", to)
	return ""
}

// spendsCard buys a mat and a class in one cart, all of it with a gift card.
func (p *person) spendsCard(code string) {
	p.t.Helper()
	p.Goto(p.s.URL + "/shop/" + p.s.Location.Slug)
	p.press("Show Cork mat")
	p.sound()
	p.press("Add to cart")
	p.press("Add another")
	p.press("Book")
	p.sound()
	p.press("Book this time")
	p.entersAs("ben@example.com", "Ben Ito")
	p.reads("Pay $46.00")
	p.press("I have a gift card")
	p.fill("Gift card code", code)
	p.sound()
	p.press("Apply")
	p.reads("$46.00 of $50.00")
	p.sound()
	p.press("Pay $46.00")
	p.reads("You’re booked", "Evening Flow", "Cork mat", "Paid with Gift card •••• "+code[len(code)-4:])
	p.sound()
}

// findsBalance asks for the balance of a gift card on the pages of the shop.
func (p *person) findsBalance(code, balance string) {
	p.t.Helper()
	p.Goto(p.s.URL + "/shop/" + p.s.Location.Slug)
	p.press("Gift cards")
	p.press("Check the balance of a gift card")
	p.fill("Gift card code", code)
	p.press("Check balance")
	p.reads(balance)
	p.sound()
}
