package processor

import (
	"context"
	"time"

	"foyer/app/money"
)

// Balances is the part of Processor about a studio's balance. It makes up for lost events. Its lists have the newest
// first, in pages.
type Balances interface {
	// Balance returns the balance of an account now, by currency.
	Balance(ctx context.Context, account string) ([]Balance, error)
	ListBalance(ctx context.Context, in BalanceList) (Listed[Transaction], error)

	GetPayout(ctx context.Context, account, id string) (Payout, error)
	ListPayouts(ctx context.Context, in List) (Listed[Payout], error)

	GetDispute(ctx context.Context, account, id string) (Dispute, error)
	// SubmitEvidence submits the studio's evidence, once: the dispute is under review then. It returns
	// ErrRefused if the dispute no longer accepts evidence.
	SubmitEvidence(ctx context.Context, in EvidenceSubmission) (Dispute, error)
	ListDisputes(ctx context.Context, in List) (Listed[Dispute], error)

	// ListRefunds returns every refund of a payment, whatever its origin.
	ListRefunds(ctx context.Context, account, payment string) ([]Refund, error)
}

// EvidenceSubmission is a studio's evidence about a dispute.
type EvidenceSubmission struct {
	Account string
	Dispute string
	Words   Evidence
	Key     string
}

// List selects a page of the objects of an account.
type List struct {
	Account string
	Since   time.Time // made then or later; zero: ever
	After   string    // the last id of the page before; empty: from the newest
}

// BalanceList is List for balance transactions.
type BalanceList struct {
	List
	Payout string // only those in this automatic payout; empty: all
}

// Listed is a page of a list.
type Listed[T any] struct {
	Items []T
	More  bool // there are older ones
}

// Balance is the balance of an account at the processor in a currency.
type Balance struct {
	Currency  money.Currency
	Available int64 // can be paid out; negative if the studio's balance is negative
	Pending   int64 // on its way to be available
}

// Category is the meaning of a balance transaction.
type Category string

// The categories. A category that the processor adds later is CategoryOther.
const (
	CategoryCharge          Category = "charge"
	CategoryChargeFailure   Category = "charge_failure"
	CategoryRefund          Category = "refund"
	CategoryRefundFailure   Category = "refund_failure" // it did not arrive: the money is on the balance again
	CategoryDispute         Category = "dispute"        // the bank reversed a payment
	CategoryDisputeReversal Category = "dispute_reversal"
	CategoryFee             Category = "fee"          // of the processor, for no single payment
	CategoryPlatformFee     Category = "platform_fee" // the platform's share by itself: collected or refunded
	CategoryPayout          Category = "payout"       // to the bank account, or from it (a debit)
	CategoryPayoutReversal  Category = "payout_reversal"
	CategoryTopup           Category = "topup" // from the studio's bank account
	CategoryTopupReversal   Category = "topup_reversal"
	CategoryHeld            Category = "held" // held by the processor, or released: it is the studio's all the time
	CategoryOther           Category = "other"
)

// All returns all categories.
func (Category) All() []Category {
	return []Category{
		CategoryCharge, CategoryChargeFailure, CategoryRefund, CategoryRefundFailure, CategoryDispute, CategoryDisputeReversal, CategoryFee,
		CategoryPlatformFee, CategoryPayout, CategoryPayoutReversal, CategoryTopup, CategoryTopupReversal, CategoryHeld, CategoryOther,
	}
}

// Transaction is a balance transaction of an account. It never changes.
type Transaction struct {
	Settlement
	Type      string // the processor's own word, finer than Category
	Category  Category
	Source    string            // the id of its charge, refund, payout, dispute …; may be empty
	PaymentID string            // its payment, may be empty
	Metadata  map[string]string // of the source: ours, if the source is ours
	CreatedAt time.Time
	// AvailableOn is the date from which it can be paid out.
	AvailableOn time.Time
}

// PayoutStatus is the status of a payout.
type PayoutStatus string

// The statuses. A paid payout can still fail some days later, if the bank returns it.
const (
	PayoutPending   PayoutStatus = "pending"
	PayoutInTransit PayoutStatus = "in_transit"
	PayoutPaid      PayoutStatus = "paid"
	PayoutFailed    PayoutStatus = "failed"
	PayoutCanceled  PayoutStatus = "canceled"
)

// All returns all statuses.
func (PayoutStatus) All() []PayoutStatus {
	return []PayoutStatus{PayoutPending, PayoutInTransit, PayoutPaid, PayoutFailed, PayoutCanceled}
}

// Payout is a payout to the studio's bank account, as the processor has it now.
type Payout struct {
	ID       string
	Amount   int64 // negative when the bank account is debited
	Currency money.Currency
	Status   PayoutStatus
	// ArrivesOn is a calendar date, at midnight UTC: in the studio's zone it would be the day before in the Americas.
	ArrivesOn time.Time
	Automatic bool
	// Complete reports whether the list of its balance transactions is complete: of automatic ones only.
	Complete       bool
	FailureCode    string
	FailureMessage string
	CreatedAt      time.Time
}

// DisputeStatus is the status of a dispute.
type DisputeStatus string

// The statuses. The warnings are inquiries: no money was withdrawn.
const (
	DisputeWarning       DisputeStatus = "warning_needs_response"
	DisputeWarningReview DisputeStatus = "warning_under_review"
	DisputeWarningClosed DisputeStatus = "warning_closed"
	DisputeNeedsResponse DisputeStatus = "needs_response" // the studio has until EvidenceDueBy
	DisputeUnderReview   DisputeStatus = "under_review"
	DisputeWon           DisputeStatus = "won"
	DisputeLost          DisputeStatus = "lost"
)

// All returns all statuses.
func (DisputeStatus) All() []DisputeStatus {
	return []DisputeStatus{
		DisputeWarning, DisputeWarningReview, DisputeWarningClosed, DisputeNeedsResponse, DisputeUnderReview, DisputeWon, DisputeLost,
	}
}

// Over reports whether the dispute is decided.
func (s DisputeStatus) Over() bool {
	return s == DisputeWon || s == DisputeLost || s == DisputeWarningClosed
}

// Dispute is a payment that the customer's bank disputes, as the processor has it now.
type Dispute struct {
	ID        string
	ChargeID  string
	PaymentID string // may be empty
	Amount    int64
	Currency  money.Currency
	Status    DisputeStatus
	Reason    string // the bank's: fraudulent, product_not_received …
	// EvidenceDueBy is the deadline for evidence; zero if none can be submitted.
	EvidenceDueBy     time.Time
	EvidenceSubmitted bool         // the studio has submitted evidence, here or there
	Settlements       []Settlement // withdrawn and reinstated: none to two
	CreatedAt         time.Time
}

// Awaits reports whether a response of the studio is due.
func (s DisputeStatus) Awaits() bool { return s == DisputeNeedsResponse || s == DisputeWarning }

// Inquiry reports whether no money was withdrawn.
func (s DisputeStatus) Inquiry() bool {
	return s == DisputeWarning || s == DisputeWarningReview || s == DisputeWarningClosed
}
