package billing

import "context"

// Wallet is what the product asks of a processor about cards that are kept. A card is kept for a customer of one studio's account, and
// cannot pay at another one.
type Wallet interface {
	// CreateCustomer makes who cards are kept for, and returns the processor's id.
	CreateCustomer(ctx context.Context, in NewCustomer) (string, error)
	// PreparePayment says whose a payment is, and whether the card that pays it is kept: ErrPaymentFinal when it is too late for that.
	PreparePayment(ctx context.Context, in Preparation) (Intent, error)
	// ConfirmPayment charges a saved card. That it was declined is the Failure of what is returned, as anywhere: without the customer
	// there, authentication_required says that the bank wants to ask them. With the customer there it asks: RedirectURL. Errors:
	// ErrPaymentFinal, ErrCardRemoved when the card is kept no more.
	ConfirmPayment(ctx context.Context, in Confirmation) (Intent, error)
	// GetMethod reads a card. ErrUnknownObject for one that the account never had.
	GetMethod(ctx context.Context, account, id string) (CardMethod, error)
	// ListMethods reads the cards that are kept for a customer, the newest first.
	ListMethods(ctx context.Context, account, customer string) ([]CardMethod, error)
	// DetachMethod forgets a saved card for good. One that is not kept any more is no error.
	DetachMethod(ctx context.Context, account, id, key string) error
}

// NewCustomer asks for somebody to keep cards for. The processor is told no name and no address.
type NewCustomer struct {
	Account  string
	Metadata map[string]string
	Key      string
}

// Preparation is what is said of a payment before its card is charged.
type Preparation struct {
	Account  string
	Payment  string
	Customer string // of the processor; one that was set before cannot be changed
	SaveCard bool   // the customer agreed that the card which pays is kept, and charged without them later
	Key      string
}

// Confirmation asks to charge a saved card.
type Confirmation struct {
	Account    string
	Payment    string
	Method     string
	OffSession bool   // the customer is not there, and agreed to this before
	ReturnURL  string // where the bank's check leads back to; empty with OffSession
	Key        string
}

// CardMethod is a card at the processor.
type CardMethod struct {
	ID       string
	Customer string // who it is kept for; empty: it is not kept
	Card     Card
}
