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
	SourceID   uuid.UUID `db:",null"` // of a kind with a source, other than account credit
	// SourceLabel is the name of the source on receipts; empty: that of the kind.
	SourceLabel string
	State       State
	Amount      int64 // positive, in minor units of Currency
	Currency    money.Currency
	Position    int    // 1 and up: agreed with the order; 0: later
	Note        string // the terminal's receipt
	ActorKind   tenancy.ActorKind
	ActorName   string
	CapturedAt  time.Time `db:",null"`
	Parts       []Part    // of the order
}

// Draft is a tender that is agreed with an order, to be written with it.
type Draft struct {
	Kind             Kind
	SourceID         uuid.UUID  // of a kind with a source, other than account credit
	SourceLabel      string     // its name on receipts
	ServiceFeeAmount int64      // of the amount, by card
	ExpiresAt        *time.Time // of a kind with a source: until when it is reserved
	Parts            []Part     // of the lines of the order that is being written
}

// Prepaid is what a kind with a source pays of an order; before that, what it could pay.
type Prepaid struct {
	Kind     Kind      `json:"kind"`
	SourceID uuid.UUID `json:"sourceId"` // uuid.Nil: account credit
	Label    string    `json:"label"`    // of the source on receipts; empty: that of its kind
	Amount   int64     `json:"amount"`
}

// SumOf returns the sum of prepaid amounts of one kind; of an empty kind, of all.
func SumOf(list []Prepaid, kind Kind) (sum int64) {
	for _, p := range list {
		if kind == "" || p.Kind == kind {
			sum += p.Amount
		}
	}
	return sum
}
