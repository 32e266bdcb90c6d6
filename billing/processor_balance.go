package billing

import (
	"context"
	"time"

	"foyer/app/money"
)

// Balances is what the product asks of the processor about the money that lies there: it is the part of Processor from which a lost
// event is made good. What it lists has the newest first, in pages.
type Balances interface {
	// Balance is what an account has there now, by currency.
	Balance(ctx context.Context, account string) ([]Held, error)
	ListBalance(ctx context.Context, in BalanceList) (Listed[ProcessorTransaction], error)

	GetPayout(ctx context.Context, account, id string) (ProcessorPayout, error)
	ListPayouts(ctx context.Context, in List) (Listed[ProcessorPayout], error)

	GetDispute(ctx context.Context, account, id string) (ProcessorDispute, error)
	// AnswerDispute hands in what the studio says, once: the dispute is under review then. ErrProcessorRefused when it can no longer be said.
	AnswerDispute(ctx context.Context, in DisputeAnswer) (ProcessorDispute, error)
	ListDisputes(ctx context.Context, in List) (Listed[ProcessorDispute], error)

	// ListRefunds is every refund of a payment, whoever made it.
	ListRefunds(ctx context.Context, account, payment string) ([]Refund, error)
}

// DisputeEvidence is what a studio says about a dispute.
type DisputeAnswer struct {
	Account string
	Dispute string
	Words   EvidenceWords
	Key     string
}

// List asks for a page of what was made on an account.
type List struct {
	Account string
	Since   time.Time // made then or later; zero: ever
	After   string    // the id of the last of the page before; empty: from the newest
}

// BalanceList is List for balance transactions.
type BalanceList struct {
	List
	Payout string // only those that this automatic payout paid out; empty: all
}

// Listed is a page of a list.
type Listed[T any] struct {
	Items []T
	More  bool // there are older ones
}

// Held is what an account has at the processor in a currency.
type Held struct {
	Currency  money.Currency
	Available int64 // can be paid out; negative when the studio owes
	Pending   int64 // on its way to be available
}

// Category is what a balance transaction means.
type Category string

// The categories. What the processor may add to its own is CategoryOther.
const (
	CategoryCharge          Category = "charge"
	CategoryChargeFailure   Category = "charge_failure"
	CategoryRefund          Category = "refund"
	CategoryRefundFailure   Category = "refund_failure" // it did not arrive: the money is back on the balance
	CategoryDispute         Category = "dispute"        // the bank took a payment back
	CategoryDisputeReversal Category = "dispute_reversal"
	CategoryFee             Category = "fee"          // of the processor, for no one payment
	CategoryPlatformFee     Category = "platform_fee" // the platform's share, in a row of its own: taken or given back
	CategoryPayout          Category = "payout"       // to the studio's bank account; also taken from it, when it owes
	CategoryPayoutReversal  Category = "payout_reversal"
	CategoryTopup           Category = "topup" // from the studio's bank account
	CategoryTopupReversal   Category = "topup_reversal"
	CategoryHeld            Category = "held" // put aside by the processor, or released: it is the studio's all the time
	CategoryOther           Category = "other"
)

// All lists them.
func (Category) All() []Category {
	return []Category{
		CategoryCharge, CategoryChargeFailure, CategoryRefund, CategoryRefundFailure, CategoryDispute, CategoryDisputeReversal, CategoryFee,
		CategoryPlatformFee, CategoryPayout, CategoryPayoutReversal, CategoryTopup, CategoryTopupReversal, CategoryHeld, CategoryOther,
	}
}

// ProcessorTransaction is one movement of an account's balance. It never changes.
type ProcessorTransaction struct {
	Settlement
	Type      string // the processor's own word, finer than Category
	Category  Category
	Source    string            // what moved it: the id of a charge, a refund, a payout, a dispute …; may be empty
	PaymentID string            // the payment that belongs to, may be empty
	Metadata  map[string]string // of the source: what we put there, if it is ours
	CreatedAt time.Time
	// AvailableOn is when it can be paid out.
	AvailableOn time.Time
}

// PayoutStatus is where a payout stands.
type PayoutStatus string

// The statuses. One that was paid can still fail some days later, when the bank sends it back.
const (
	PayoutPending   PayoutStatus = "pending"
	PayoutInTransit PayoutStatus = "in_transit"
	PayoutPaid      PayoutStatus = "paid"
	PayoutFailed    PayoutStatus = "failed"
	PayoutCanceled  PayoutStatus = "canceled"
)

// All lists them.
func (PayoutStatus) All() []PayoutStatus {
	return []PayoutStatus{PayoutPending, PayoutInTransit, PayoutPaid, PayoutFailed, PayoutCanceled}
}

// ProcessorPayout is money on its way to the studio's bank account, as the processor has it now.
type ProcessorPayout struct {
	ID       string
	Amount   int64 // negative when the bank account is debited
	Currency money.Currency
	Status   PayoutStatus
	// ArrivesOn is a date of the calendar, at midnight of UTC: in the studio's zone it would be the day before in the Americas.
	ArrivesOn time.Time
	Automatic bool
	// Complete says that the list of its balance transactions is: of automatic ones only.
	Complete       bool
	FailureCode    string
	FailureMessage string
	CreatedAt      time.Time
}

// DisputeStatus is where a dispute stands.
type DisputeStatus string

// The statuses. The warnings are inquiries: no money has moved.
const (
	DisputeWarning       DisputeStatus = "warning_needs_response"
	DisputeWarningReview DisputeStatus = "warning_under_review"
	DisputeWarningClosed DisputeStatus = "warning_closed"
	DisputeNeedsResponse DisputeStatus = "needs_response" // the studio has until EvidenceDueBy
	DisputeUnderReview   DisputeStatus = "under_review"
	DisputeWon           DisputeStatus = "won"
	DisputeLost          DisputeStatus = "lost"
)

// All lists them.
func (DisputeStatus) All() []DisputeStatus {
	return []DisputeStatus{
		DisputeWarning, DisputeWarningReview, DisputeWarningClosed, DisputeNeedsResponse, DisputeUnderReview, DisputeWon, DisputeLost,
	}
}

// Over reports whether nothing more is decided.
func (s DisputeStatus) Over() bool {
	return s == DisputeWon || s == DisputeLost || s == DisputeWarningClosed
}

// ProcessorDispute is a payment that the customer's bank wants back, as the processor has it now.
type ProcessorDispute struct {
	ID        string
	ChargeID  string
	PaymentID string // may be empty
	Amount    int64
	Currency  money.Currency
	Status    DisputeStatus
	Reason    string // the bank's: fraudulent, product_not_received …
	// EvidenceDueBy is until when the studio can answer; zero when it cannot.
	EvidenceDueBy time.Time
	Answered      bool         // the studio has handed something in, here or there
	Settlements   []Settlement // the money it took, and gave back: none to two
	CreatedAt     time.Time
}
