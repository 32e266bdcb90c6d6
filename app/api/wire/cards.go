package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/billing"
)

// PaymentMethod is a card that a studio keeps for a customer.
type PaymentMethod struct {
	ID        uuid.UUID `json:"id"`
	Brand     string    `json:"brand" doc:"As the processor calls it." example:"visa"`
	Last4     string    `json:"last4" doc:"The end of its number." example:"4242"`
	Wallet    string    `json:"wallet" doc:"The wallet that it was kept from, as the processor calls it: apple_pay, google_pay, link …; empty: it was typed." example:"apple_pay"`
	ExpMonth  int       `json:"expMonth" doc:"1 to 12: it is good to the end of that month." example:"12"`
	ExpYear   int       `json:"expYear" doc:"With four digits." example:"2034"`
	CreatedAt time.Time `json:"createdAt" doc:"Since when it is kept."`
}

// ShowPaymentMethod shows no more of a card than people need to tell it from another.
func ShowPaymentMethod(c billing.SavedCard) PaymentMethod {
	return PaymentMethod{ID: c.ID, Brand: c.Brand, Last4: c.Last4, Wallet: c.Wallet, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear, CreatedAt: c.CreatedAt}
}
