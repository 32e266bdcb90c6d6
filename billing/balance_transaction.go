package billing

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/billing/ledger"
)

// TransactionState says whether a movement is in the books.
type TransactionState string

// The states. What is held by the processor is the studio's all the time, so it is in no books.
const (
	TransactionNew       TransactionState = "new"
	TransactionBooked    TransactionState = "booked"
	TransactionHeld      TransactionState = "held"
	TransactionUnmatched TransactionState = "unmatched" // it is said to be of a payment of ours, which says something else: a person has to look
)

// All lists them.
func (TransactionState) All() []TransactionState {
	return []TransactionState{TransactionNew, TransactionBooked, TransactionHeld, TransactionUnmatched}
}

// BalanceTransaction is a balance transaction of the processor as it is kept: once, and never changed but for what is found out about it.
type BalanceTransaction struct {
	ID           uuid.UUID
	ExternalID   string // the processor's
	Type         string // the processor's own word
	Category     Category
	Currency     money.Currency
	Gross        int64
	ProcessorFee int64
	PlatformFee  int64
	Net          int64
	Source       string    // what moved it, at the processor; may be empty
	IntentID     string    `db:"intent"`
	PaymentID    uuid.UUID `db:",null"` // ours; uuid.Nil: it belongs to none
	LocationID   uuid.UUID `db:",null"` // of that payment
	OrderID      uuid.UUID `db:",null"` // of that payment
	State        TransactionState
	HappenedAt   time.Time
	AvailableAt  time.Time
}

// ours reports whether a sale or a refund of ours explains a movement: then it is booked from there.
func (m BalanceTransaction) ours() bool {
	if m.PaymentID == uuid.Nil {
		return false
	}
	switch m.Category {
	case CategoryCharge, CategoryChargeFailure, CategoryRefund, CategoryRefundFailure:
		return true
	}
	return false
}

// entries are what a movement does to the books by itself. What they do to clearing.processor is its net. There are none of what is
// held, and none but its fees, if it has some, of what a sale or a refund explains.
func (m BalanceTransaction) entries(at ledger.Context) []ledger.Entry {
	fees := ledger.Fees(at, m.ExternalID, m.ProcessorFee, m.PlatformFee)
	if m.ours() {
		return []ledger.Entry{fees}
	}
	platform := ledger.Fees(at, m.ExternalID, 0, m.PlatformFee)
	switch m.Category {
	case CategoryCharge, CategoryChargeFailure, CategoryRefund, CategoryRefundFailure:
		return []ledger.Entry{ledger.Outside(at, m.ExternalID, m.Gross), fees}
	case CategoryDispute, CategoryDisputeReversal:
		return []ledger.Entry{ledger.Disputed(at, m.ExternalID, m.Gross, m.ProcessorFee), platform}
	case CategoryPayout, CategoryPayoutReversal, CategoryTopup, CategoryTopupReversal:
		return []ledger.Entry{ledger.PaidOut(at, m.ExternalID, m.Gross, m.ProcessorFee), platform}
	case CategoryPlatformFee:
		return []ledger.Entry{ledger.Platform(at, m.ExternalID, m.Net)}
	case CategoryHeld:
		return nil
	}
	return []ledger.Entry{ledger.Other(at, m.ExternalID, m.Net)}
}
