package processor

import "context"

// Wallet is the part of Processor about saved cards. A card is saved for a customer of one studio's account, and
// cannot pay at another one.
type Wallet interface {
	// CreateCustomer creates a customer to save cards for, and returns the processor's id.
	CreateCustomer(ctx context.Context, in NewCustomer) (string, error)
	// PreparePayment sets the customer of a payment, and whether the paying card is saved. It returns ErrPaymentFinal
	// if it is too late.
	PreparePayment(ctx context.Context, in Preparation) (Intent, error)
	// ConfirmPayment charges a saved card. A decline is the Failure of the result; off session,
	// authentication_required means that the bank requires a check. On session the bank's check is at RedirectURL. It
	// returns ErrPaymentFinal, and ErrCardRemoved if the card is no longer saved.
	ConfirmPayment(ctx context.Context, in Confirmation) (Intent, error)
	// GetMethod reads a card. It returns ErrUnknownObject for one that the account never had.
	GetMethod(ctx context.Context, account, id string) (CardMethod, error)
	// ListMethods lists the saved cards of a customer, the newest first.
	ListMethods(ctx context.Context, account, customer string) ([]CardMethod, error)
	// DetachMethod removes a saved card for good. One that is no longer saved is no error.
	DetachMethod(ctx context.Context, account, id, key string) error
}

// NewCustomer describes a customer to save cards for. The processor receives no name and no address.
type NewCustomer struct {
	Account  string
	Metadata map[string]string
	Key      string
}

// Preparation sets the customer of a payment before its card is charged.
type Preparation struct {
	Account  string
	Payment  string
	Customer string // of the processor; one that was set before cannot be changed
	SaveCard bool   // the customer consented to save the paying card and to later charges off session
	Key      string
}

// Confirmation describes the charge of a saved card.
type Confirmation struct {
	Account    string
	Payment    string
	Method     string
	OffSession bool   // the customer is absent, and consented before
	ReturnURL  string // the address after the bank's check; empty with OffSession
	Key        string
}

// CardMethod is a card at the processor.
type CardMethod struct {
	ID       string
	Customer string // of the processor; empty: it is not saved
	Card     Card
}
