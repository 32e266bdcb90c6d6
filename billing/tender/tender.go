package tender

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/tenancy"
)

// Tender is an amount of an order that one method pays. Its amount and parts never change.
type Tender struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID // of the order
	Kind       Kind
	State      State
	Amount     int64 // positive, in minor units of Currency
	Currency   money.Currency
	Position   int    // 1 and up: agreed with the order; 0: later
	Note       string // the terminal's receipt
	ActorKind  tenancy.ActorKind
	ActorName  string
	CapturedAt time.Time `db:",null"`
	Parts      []Part    // of the order
}

// Draft is a tender that is agreed with an order, to be written with it.
type Draft struct {
	Kind             Kind
	ServiceFeeAmount int64      // of the amount, by card
	ExpiresAt        *time.Time // of account credit: until when it is reserved
	Parts            []Part     // of the lines of the order that is being written
}
