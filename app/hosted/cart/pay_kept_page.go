package cart

import (
	"fmt"
	"strconv"

	"foyer/app/checkout"
	"foyer/app/view"
	"foyer/billing"
)

// SavedCard is a card that the studio keeps for the customer.
type SavedCard struct {
	ID      string
	Name    string // "Visa ending 4242"
	Expires string // "12/34"
	Over    bool   // its last month is over
}

// PaySaved is paying with a saved card. Form posts "card"; the first of the cards is chosen.
type PaySaved struct {
	Form  view.Form
	Cards []SavedCard
}

// SavedCardOf is a saved card in words.
func SavedCardOf(w view.Words, c billing.SavedCard, over bool) SavedCard {
	return SavedCard{
		ID: c.ID.String(), Name: w.CardName(checkout.ReceiptCard{Brand: c.Brand, Last4: c.Last4, Wallet: c.Wallet}), Expires: fmt.Sprintf("%02d/%02d", c.ExpMonth, c.ExpYear%100), Over: over,
	}
}

// ConsentWords are what a customer agrees to who has a card kept: what it is kept for, and what it may be charged for without them. The
// studio keeps them with the card, as they were shown.
func ConsentWords(w view.Words, studio string) string {
	return w.T("{studio} keeps this card, so that you pay with one press next time. It may also charge the card when you are not there, but only for what you owe: a booking that is not paid yet, or a fee that you were told of when you booked. You can remove the card under My bookings at any time.", "studio", studio)
}

// said is a saved card with when it ends.
func (c SavedCard) said(w view.Words) string {
	if c.Over {
		return w.T("expired {month}", "month", c.Expires)
	}
	return w.T("expires {month}", "month", c.Expires)
}

func (c SavedCard) field(n int) string { return "card-" + strconv.Itoa(n) }

// Cards is the page of a customer's saved cards. Each has a form to remove it.
type Cards struct {
	Email string
	Cards []Card
	Back  string // address of My bookings
}

// Card is a saved card with the studio that keeps it.
type Card struct {
	SavedCard
	Studio string
	Remove view.Form
}
