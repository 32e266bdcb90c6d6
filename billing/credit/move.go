package credit

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
)

// Kind is why a customer's credit has changed.
type Kind string

// The kinds.
const (
	Granted  Kind = "granted"  // by hand
	Removed  Kind = "removed"  // by hand
	Spent    Kind = "spent"    // something was paid with it
	Returned Kind = "returned" // what was paid went back here
)

// All lists them.
func (Kind) All() []Kind { return []Kind{Granted, Removed, Spent, Returned} }

// Transaction is one change of what a customer has. It never changes.
type Transaction struct {
	ID              uuid.UUID
	CustomerID      uuid.UUID
	LocationID      uuid.UUID // where it was; credit itself is of the whole business
	Currency        money.Currency
	Kind            Kind
	Amount          int64      // minor units of Currency; less than nothing where it was spent or removed
	Balance         int64      // after it
	ManualPaymentID *uuid.UUID // what was paid with it, or handed back as credit
	RefundID        *uuid.UUID // of a card payment that was refunded as credit
	Note            string
	ActorKind       tenancy.ActorKind
	ActorName       string
	CreatedAt       time.Time
}

// ErrShort refuses to spend more account credit than is available. details.creditAmount is the available credit in minor
// units, without credit reserved for an order in payment.
var ErrShort = fault.New(fault.Conflict, "credit_short", "There is not that much account credit.")
