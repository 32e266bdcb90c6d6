package balance

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

// TransactionState reports whether a balance transaction is in the books.
type TransactionState string

// The states. Money held by the processor belongs to the studio all the time, so it is in no books.
const (
	TransactionNew       TransactionState = "new"
	TransactionBooked    TransactionState = "booked"
	TransactionHeld      TransactionState = "held"
	TransactionUnmatched TransactionState = "unmatched" // it differs from its payment of ours: a person has to check it
)

// All returns all states.
func (TransactionState) All() []TransactionState {
	return []TransactionState{TransactionNew, TransactionBooked, TransactionHeld, TransactionUnmatched}
}

// Transaction is a stored balance transaction of the processor. It is stored once, and only its match to a
// payment, its payout and its state ever change.
type Transaction struct {
	ID           uuid.UUID
	ExternalID   string // the processor's
	Type         string // the processor's own word
	Category     processor.Category
	Currency     money.Currency
	Gross        int64
	ProcessorFee int64
	PlatformFee  int64
	Net          int64
	Source       string    // the processor's object that caused it; may be empty
	IntentID     string    `db:"intent"`
	PaymentID    uuid.UUID `db:",null"` // ours; uuid.Nil: no payment
	LocationID   uuid.UUID `db:",null"` // of that payment
	OrderID      uuid.UUID `db:",null"` // of that payment
	State        TransactionState
	HappenedAt   time.Time
	AvailableAt  time.Time
}

// ours reports whether a sale or a refund of ours explains the balance transaction: then it is booked from there.
func (m Transaction) ours() bool {
	if m.PaymentID == uuid.Nil {
		return false
	}
	switch m.Category {
	case processor.CategoryCharge, processor.CategoryChargeFailure, processor.CategoryRefund, processor.CategoryRefundFailure:
		return true
	}
	return false
}

// entries returns the ledger entries of the balance transaction itself. Their sum on clearing.processor is its net.
// Held money has none, and a transaction that a sale or a refund explains has none but its fees, if any.
func (m Transaction) entries(at ledger.Context) []ledger.Entry {
	fees := ledger.Fees(at, m.ExternalID, m.ProcessorFee, m.PlatformFee)
	if m.ours() {
		return []ledger.Entry{fees}
	}
	platform := ledger.Fees(at, m.ExternalID, 0, m.PlatformFee)
	switch m.Category {
	case processor.CategoryCharge, processor.CategoryChargeFailure, processor.CategoryRefund, processor.CategoryRefundFailure:
		return []ledger.Entry{ledger.Outside(at, m.ExternalID, m.Gross), fees}
	case processor.CategoryDispute, processor.CategoryDisputeReversal:
		return []ledger.Entry{ledger.Disputed(at, m.ExternalID, m.Gross, m.ProcessorFee), platform}
	case processor.CategoryPayout, processor.CategoryPayoutReversal,
		processor.CategoryTopup, processor.CategoryTopupReversal:
		return []ledger.Entry{ledger.PaidOut(at, m.ExternalID, m.Gross, m.ProcessorFee), platform}
	case processor.CategoryPlatformFee:
		return []ledger.Entry{ledger.Platform(at, m.ExternalID, m.Net)}
	case processor.CategoryHeld:
		return nil
	}
	return []ledger.Entry{ledger.Other(at, m.ExternalID, m.Net)}
}
