package fees

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
)

// Kind is what a fee is for.
type Kind string

// The kinds.
const (
	LateCancel Kind = "late_cancel"
	NoShow     Kind = "no_show"
)

// All lists them.
func (Kind) All() []Kind { return []Kind{LateCancel, NoShow} }

// Valid tells whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(k.All(), k) }

// State is what became of a fee.
type State string

// The states:
//
//	due ◀─▶ paid       at the desk, or by a card; due again when a payment at the desk was a mistake
//	   ╲──▶ waived     the studio lets it pass
//	   ╲──▶ withdrawn  the no-show was undone
//	forgiven           it was let pass from the start, by the policy's count
const (
	Due       State = "due"
	Paid      State = "paid"
	Waived    State = "waived"
	Forgiven  State = "forgiven"
	Withdrawn State = "withdrawn"
)

// All lists them.
func (State) All() []State { return []State{Due, Paid, Waived, Forgiven, Withdrawn} }

// Valid tells whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// Fee is a fee for cancelling late or for not coming. It is written down as due; taking the money is not this package's.
type Fee struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	BookingID    uuid.UUID
	CustomerID   uuid.UUID
	CustomerName string
	OfferingName string
	StartsAt     time.Time // of the booking
	Zone         string
	Kind         Kind
	State        State
	Amount       int64 // minor units of Currency
	Currency     money.Currency
	Reason       string    // why it was waived or forgiven
	ReviewUntil  time.Time // it is not asked for before
	ChargeAt     time.Time `db:",null"` // when it is charged to a kept card by itself; zero: it is not, or was tried
	ChargeFailed string    // why the last try to charge a card failed, by the processor's code; empty: none did
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// NewFee is a fee that is about to be written.
type NewFee struct {
	BookingID  uuid.UUID
	LocationID uuid.UUID
	CustomerID uuid.UUID
	Kind       Kind
	Amount     int64 // minor units of Currency
	Currency   money.Currency
	Forgive    catalog.ForgiveRules // of the policy that the booking keeps
	Review     time.Duration        // for which the studio looks at it
	Collect    bool                 // it is charged to a card that the customer had kept, when the review is over
	Waived     bool                 // from the start, for Reason
	Reason     string
}

// settle says what becomes of a fee when that many of its kind were forgiven in the window already.
func (f NewFee) settle(forgiven int) (state State, reason string) {
	if f.Waived {
		return Waived, f.Reason
	}
	if most := most(f.Forgive, f.Kind); forgiven < most {
		return Forgiven, fmt.Sprintf("%d of %d in %d days", forgiven+1, most, f.Forgive.Days)
	}
	return Due, ""
}

// Forgives says whether a fee of that kind is forgiven at an instant to somebody to whom fees of the kind were forgiven at
// those, and which one of the window it is, from 1 on: what WriteTx will find, as long as nothing else is forgiven until then.
func Forgives(r catalog.ForgiveRules, k Kind, before []time.Time, at time.Time) (nth int, ok bool) {
	nth = 1
	for _, t := range before {
		if t.After(since(r, at)) {
			nth++
		}
	}
	return nth, nth <= most(r, k)
}

// most is how many fees of a kind are forgiven in the window.
func most(r catalog.ForgiveRules, k Kind) int {
	if k == NoShow {
		return r.NoShows
	}
	return r.LateCancels
}

// since is where the window that is looked back on begins: what was forgiven after it counts.
func since(r catalog.ForgiveRules, at time.Time) time.Time { return at.Add(-Window(r)) }

// Window is how long something that was forgiven counts.
func Window(r catalog.ForgiveRules) time.Duration { return time.Duration(r.Days) * 24 * time.Hour }

// ErrNotDue refuses to waive a fee that is not due. details.state is its state.
var ErrNotDue = fault.New(fault.Conflict, "fee_not_due", "This fee is not due any more.")

// ListInput chooses fees; a filter that is not set chooses all.
type ListInput struct {
	State      State
	Kind       Kind
	CustomerID uuid.UUID
	BookingID  uuid.UUID
	LocationID uuid.UUID
	InReview   bool // due, and looked at still
	Page       paging.In[paging.Moment]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "Use due, paid, waived, forgiven or withdrawn.")
	c.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use late_cancel or no_show.")
	return c.Err()
}
