package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/giftcard"
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
