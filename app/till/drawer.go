package till

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
)

// Drawer is the cash drawer of a location from when it was opened. Amounts are minor units of Currency.
type Drawer struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	LocationName   string
	Zone           string // the wall clock of the times
	Currency       money.Currency
	FloatAmount    int64 // that was in it when it was opened
	FoundAmount    int64 // that had to be in it then
	PaidAmount     int64 // cash that customers paid, but for mistakes
	RefundedAmount int64 // cash that was handed back to them
	InAmount       int64 // paid in
	OutAmount      int64 // paid out
	OpenedBy       string
	Count          *Count // nil: it is open
	Version        int64
	CreatedAt      time.Time // when it was opened
	UpdatedAt      time.Time
}

// Count is how a drawer was closed.
type Count struct {
	At             time.Time
	By             string
	ExpectedAmount int64 // that had to be in it
	CountedAmount  int64
	LeftAmount     int64 // that stays in it; the rest was taken to the bank
	Note           string
}

// Difference is how much more was counted than there had to be; less is negative.
func (c Count) Difference() int64 { return c.CountedAmount - c.ExpectedAmount }

// Banked is what was taken to the bank.
func (c Count) Banked() int64 { return c.CountedAmount - c.LeftAmount }

// Expected is what has to be in the drawer now; of one that is closed, what had to be when it was counted.
func (d Drawer) Expected() int64 {
	if d.Count != nil {
		return d.Count.ExpectedAmount
	}
	return d.FloatAmount + d.PaidAmount - d.RefundedAmount + d.InAmount - d.OutAmount
}

// TransactionKind is which way cash went.
type TransactionKind string

// The kinds.
const (
	PayIn  TransactionKind = "pay_in"
	PayOut TransactionKind = "pay_out"
)

// All lists them.
func (TransactionKind) All() []TransactionKind { return []TransactionKind{PayIn, PayOut} }

// Transaction is cash that was put into a drawer or taken out of it, and that no customer paid or got.
type Transaction struct {
	ID        uuid.UUID
	Kind      TransactionKind
	Amount    int64 // positive
	Note      string
	ActorKind tenancy.ActorKind
	ActorName string
	CreatedAt time.Time
}

// The refusals.
var (
	// ErrOpen: the location's drawer is open. details.drawerId is it.
	ErrOpen = fault.New(fault.Conflict, "drawer_open", "The drawer is open already. Count it first.")
	// ErrClosed: the drawer has been counted.
	ErrClosed = fault.New(fault.Conflict, "drawer_closed", "This drawer has been counted.")
	// ErrDrawerChanged: cash went into the drawer or out of it since it was counted. details.expectedAmount is what has to be in it now.
	ErrDrawerChanged = fault.New(fault.Conflict, "drawer_moved", "Cash went into the drawer, or out of it, since you counted. Count it again.")
	// ErrNotEnough: there is less in the drawer. details.expectedAmount is what has to be in it.
	ErrNotEnough = fault.New(fault.Conflict, "not_enough_cash", "There is not that much in the drawer.")
	// ErrNotOutstanding: less than that was paid elsewhere and has not arrived. details.outstandingAmount is what has not.
	ErrNotOutstanding = fault.New(fault.Conflict, "not_outstanding", "There is not that much on its way to your bank.")
)

// Reasons lists the codes of the refusals, for the document of the API.
var Reasons = []string{ErrOpen.Reason, ErrClosed.Reason, ErrDrawerChanged.Reason, ErrNotEnough.Reason, ErrNotOutstanding.Reason}

// amountMost bounds an amount, in minor units: more is a slip of the finger.
const amountMost = 1_000_000_000_000

func checkAmount(c *fault.Checks, field string, amount, least int64) {
	c.That(amount >= least && amount <= amountMost, field, "Say how much, as an amount that is not below zero.")
}
