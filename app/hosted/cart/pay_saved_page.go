package cart

import (
	"fmt"
	"strconv"

	"foyer/app/order"
	"foyer/app/view"
	"foyer/billing"
)

// SavedCard is a customer's saved card at the studio.
type SavedCard struct {
	ID      string
	Name    string // "Visa ending 4242"
	Expires string // "12/34"
	Over    bool   // its last month has passed
}

// PaySaved is payment with a saved card. Form posts "card"; the first of the cards is selected.
type PaySaved struct {
	Form  view.Form
	Cards []SavedCard
}

// SavedCardOf returns a saved card in words.
func SavedCardOf(w view.Words, c billing.SavedCard, over bool) SavedCard {
	return SavedCard{
		ID: c.ID.String(), Name: w.CardName(order.ReceiptCard{Brand: c.Brand, Last4: c.Last4, Wallet: c.Wallet}), Expires: fmt.Sprintf("%02d/%02d", c.ExpMonth, c.ExpYear%100), Over: over,
	}
}

// ConsentWords returns the text of a customer's consent to saving a card: the purpose, and the charges that may
// follow without them. The studio stores the text with the card, as shown.
func ConsentWords(w view.Words, studio string) string {
	return w.T("{studio} saves this card, so that you can pay with one tap next time. It may also charge the card when you are not present, but only for amounts that are due: a booking that is not paid yet, or a fee that you were informed of when you booked. You can remove the card under My bookings at any time.", "studio", studio)
}

// said is a saved card with its expiry.
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

// Card is a saved card with its studio.
type Card struct {
	SavedCard
	Studio string
	Remove view.Form
}
