package booking

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
)

// PenaltyKind is what a fee is for.
type PenaltyKind string

// The kinds.
const (
	LateCancel PenaltyKind = "late_cancel"
	DidNotCome PenaltyKind = "no_show"
)

// All lists them.
func (PenaltyKind) All() []PenaltyKind { return []PenaltyKind{LateCancel, DidNotCome} }

// Valid tells whether k is one of the kinds.
func (k PenaltyKind) Valid() bool { return slices.Contains(k.All(), k) }

// FeeState is what became of a fee.
type FeeState string

// The states:
//
//	due ──▶ waived     the studio lets it pass
//	   ╲──▶ withdrawn  the no-show was undone
//	forgiven           it was let pass from the start, by the policy's count
const (
	FeeDue       FeeState = "due"
	FeeWaived    FeeState = "waived"
	FeeForgiven  FeeState = "forgiven"
	FeeWithdrawn FeeState = "withdrawn"
)

// All lists them.
func (FeeState) All() []FeeState { return []FeeState{FeeDue, FeeWaived, FeeForgiven, FeeWithdrawn} }

// Valid tells whether s is one of the states.
func (s FeeState) Valid() bool { return slices.Contains(s.All(), s) }

// Penalty is a fee for cancelling late or for not coming. It is written down as due; charging it is not this package's.
type Penalty struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	BookingID    uuid.UUID
	CustomerID   uuid.UUID
	CustomerName string
	OfferingName string
	StartsAt     time.Time // of the booking
	Zone         string
	Kind         PenaltyKind
	State        FeeState
	Amount       int64 // minor units of Currency
	Currency     money.Currency
	Reason       string    // why it was waived or forgiven
	ReviewUntil  time.Time // it is not asked for before
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// fee is a penalty that is about to be written.
type fee struct {
	subject
	Kind   PenaltyKind
	Amount int64
	review time.Duration
	waived bool
	words  string
}

// settle says what becomes of a fee when that many of its kind were forgiven in the window already.
func (f fee) settle(forgiven int) (state FeeState, reason string) {
	if f.waived {
		return FeeWaived, f.words
	}
	most := f.Rules.Forgive.LateCancels
	if f.Kind == DidNotCome {
		most = f.Rules.Forgive.NoShows
	}
	if forgiven < most {
		return FeeForgiven, fmt.Sprintf("%d of %d in %d days", forgiven+1, most, f.Rules.Forgive.Days)
	}
	return FeeDue, ""
}
