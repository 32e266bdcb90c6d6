package credit

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
)

// Kind is the kind of a credit transaction.
type Kind string

// The kinds.
const (
	Granted  Kind = "granted"  // by hand
	Removed  Kind = "removed"  // by hand
	Spent    Kind = "spent"    // a payment with credit
	Refunded Kind = "refunded" // a refund as credit
)

// All returns all kinds.
func (Kind) All() []Kind { return []Kind{Granted, Removed, Spent, Refunded} }

// Transaction is one change of a customer's credit. It never changes.
type Transaction struct {
	ID         uuid.UUID
	CustomerID uuid.UUID
	LocationID uuid.UUID // of the change; credit itself belongs to the whole business
	Currency   money.Currency
	Kind       Kind
	Amount     int64      // minor units of Currency; negative if spent or removed
	Balance    int64      // after it
	TenderID   *uuid.UUID // the payment with credit
	RefundID   *uuid.UUID // the refund as credit
	Note       string
	ActorKind  tenancy.ActorKind
	ActorName  string
	CreatedAt  time.Time
}

// ErrShort refuses to spend more account credit than is available. details.creditAmount is the available credit in
// minor units, without credit reserved for an order in payment.
var ErrShort = fault.New(fault.Conflict, "insufficient_credit", "There is not enough account credit.")
