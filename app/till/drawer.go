package till

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
)

// Drawer is the cash drawer of a location from its opening on. Amounts are minor units of Currency.
type Drawer struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	LocationName   string
	Zone           string // the wall clock of the times
	Currency       money.Currency
	FloatAmount    int64 // opening float
	FoundAmount    int64 // expected at the opening
	PaidAmount     int64 // cash payments of customers, without void ones
	RefundedAmount int64 // cash refunds
	InAmount       int64 // paid in
	OutAmount      int64 // paid out
	OpenedBy       string
	Count          *Count // nil: it is open
	Version        int64
	CreatedAt      time.Time // of the opening
	UpdatedAt      time.Time
}

// Count is the count that closed a drawer.
type Count struct {
	At              time.Time
	By              string
	ExpectedAmount  int64 // at the time of the count
	CountedAmount   int64
	RemainingAmount int64 // that stays in it; the remainder was taken to the bank
	Note            string
}

// Difference returns the counted amount less the expected one: over is positive, short negative.
func (c Count) Difference() int64 { return c.CountedAmount - c.ExpectedAmount }

// Banked returns the amount taken to the bank.
func (c Count) Banked() int64 { return c.CountedAmount - c.RemainingAmount }

// Expected returns the amount that should be in the drawer now; of a closed one, at its count.
func (d Drawer) Expected() int64 {
	if d.Count != nil {
		return d.Count.ExpectedAmount
	}
	return d.FloatAmount + d.PaidAmount - d.RefundedAmount + d.InAmount - d.OutAmount
}

// TransactionKind is the direction of a cash transaction.
type TransactionKind string

// The kinds.
const (
	PayIn  TransactionKind = "pay_in"
	PayOut TransactionKind = "pay_out"
)

// All returns all kinds.
func (TransactionKind) All() []TransactionKind { return []TransactionKind{PayIn, PayOut} }

// Transaction is a pay in or pay out of a drawer: cash that is not a customer's payment or refund.
type Transaction struct {
	ID        uuid.UUID
	Kind      TransactionKind
	Amount    int64 // positive
	Note      string
	ActorKind tenancy.ActorKind
	ActorName string
	CreatedAt time.Time
}

// Errors of drawers and settlements.
var (
	// ErrOpen means that the location's drawer is open. details.drawerId is its id.
	ErrOpen = fault.New(fault.Conflict, "drawer_open", "The drawer is already open. Count it first.")
	// ErrClosed means that the drawer has been counted.
	ErrClosed = fault.New(fault.Conflict, "drawer_closed", "This drawer is already closed.")
	// ErrDrawerChanged means that cash was paid into the drawer or out of it since the count. details.expectedAmount
	// is the expected amount now.
	ErrDrawerChanged = fault.New(fault.Conflict, "drawer_changed", "The cash in the drawer has changed since you counted. Count it again.")
	// ErrNotEnough means that the drawer has less cash. details.expectedAmount is the expected amount.
	ErrNotEnough = fault.New(fault.Conflict, "not_enough_cash", "There is not enough cash in the drawer.")
	// ErrNotOutstanding means that the unsettled payments by other methods are less than the amount.
	// details.outstandingAmount is their amount.
	ErrNotOutstanding = fault.New(fault.Conflict, "not_outstanding", "The amount is larger than the payments not settled yet.")
)

// Reasons lists the codes of the refusals, for the document of the API.
var Reasons = []string{ErrOpen.Reason, ErrClosed.Reason, ErrDrawerChanged.Reason, ErrNotEnough.Reason, ErrNotOutstanding.Reason}

// amountMost bounds an amount, in minor units: more is a typing mistake.
const amountMost = 1_000_000_000_000

func checkAmount(c *fault.Checks, field string, amount, least int64) {
	c.That(amount >= least && amount <= amountMost, field, "Enter an amount of zero or more.")
}
