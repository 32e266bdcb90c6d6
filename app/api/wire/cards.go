package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/billing"
)

// PaymentMethod is a saved card of a customer.
type PaymentMethod struct {
	ID        uuid.UUID `json:"id"`
	Brand     string    `json:"brand" doc:"Card brand, in the processor's spelling." example:"visa"`
	Last4     string    `json:"last4" doc:"Last four digits of the card number." example:"4242"`
	Wallet    string    `json:"wallet" doc:"Wallet the card was saved from, in the processor's spelling: apple_pay, google_pay, link …; empty if the number was typed." example:"apple_pay"`
	ExpMonth  int       `json:"expMonth" doc:"Expiry month, 1 to 12. The card is valid until the end of that month." example:"12"`
	ExpYear   int       `json:"expYear" doc:"Expiry year, four digits." example:"2034"`
	CreatedAt time.Time `json:"createdAt" doc:"When the card was saved."`
}

// ShowPaymentMethod returns the details that identify a card to people, and no more.
func ShowPaymentMethod(c billing.SavedCard) PaymentMethod {
	return PaymentMethod{ID: c.ID, Brand: c.Brand, Last4: c.Last4, Wallet: c.Wallet, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear, CreatedAt: c.CreatedAt}
}
