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

// Kind is the reason for a fee.
type Kind string

// The kinds.
const (
	LateCancel Kind = "late_cancel"
	NoShow     Kind = "no_show"
)

// All lists them.
func (Kind) All() []Kind { return []Kind{LateCancel, NoShow} }

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(k.All(), k) }

// State is the state of a fee.
type State string

// The states:
//
//	due ◀─▶ paid       at the desk, or by a card; due again when a payment at the desk was a mistake
//	   ╲──▶ waived     by the studio
//	   ╲──▶ withdrawn  the no-show was undone
//	grace_waived       waived from the start, by the policy's grace rule
const (
	Due         State = "due"
	Paid        State = "paid"
	Waived      State = "waived"
	GraceWaived State = "grace_waived"
	Withdrawn   State = "withdrawn"
)

// All lists them.
func (State) All() []State { return []State{Due, Paid, Waived, GraceWaived, Withdrawn} }

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// Fee is a late-cancellation or no-show fee. It is recorded as due; its payment belongs to package owed.
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
	Reason       string    // reason of the waiver
	ReviewUntil  time.Time // it is not charged before
	ChargeAt     time.Time `db:",null"` // time of the automatic charge to a saved card; zero: none, or tried already
	ChargeFailed string    // processor's code of the last failed charge; empty: none failed
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// NewFee is a fee to be written.
type NewFee struct {
	BookingID  uuid.UUID
	LocationID uuid.UUID
	CustomerID uuid.UUID
	Kind       Kind
	Amount     int64 // minor units of Currency
	Currency   money.Currency
	Grace      catalog.GraceRules // of the booking's copy of the policy
	Review     time.Duration      // review period of the studio
	Collect    bool               // charge it to the customer's saved card after the review
	Waived     bool               // from the start, for Reason
	Reason     string
}

// settle returns the state of a fee when that many of its kind were waived by the grace rule in the window already.
func (f NewFee) settle(used int) (state State, reason string) {
	if f.Waived {
		return Waived, f.Reason
	}
	if most := most(f.Grace, f.Kind); used < most {
		return GraceWaived, fmt.Sprintf("%d of %d in %d days", used+1, most, f.Grace.Days)
	}
	return Due, ""
}

// WithinGrace reports whether the grace rule waives a fee of that kind at an instant, and its number in the window, from
// 1 on. before are the times of the customer's fees of the kind that it waived. It agrees with WriteTx, as long as no
// other fee is waived until then.
func WithinGrace(r catalog.GraceRules, k Kind, before []time.Time, at time.Time) (nth int, ok bool) {
	nth = 1
	for _, t := range before {
		if t.After(since(r, at)) {
			nth++
		}
	}
	return nth, nth <= most(r, k)
}

// most returns the number of fees of a kind that are waived in the window.
func most(r catalog.GraceRules, k Kind) int {
	if k == NoShow {
		return r.NoShows
	}
	return r.LateCancels
}

// since returns the beginning of the window: waivers after it count.
func since(r catalog.GraceRules, at time.Time) time.Time { return at.Add(-Window(r)) }

// Window returns the period in days during which waivers count.
func Window(r catalog.GraceRules) time.Duration { return time.Duration(r.Days) * 24 * time.Hour }

// ErrNotDue refuses to waive a fee that is not due. details.state is its state.
var ErrNotDue = fault.New(fault.Conflict, "fee_not_due", "This fee is not due any more.")

// ListInput chooses fees; an empty filter chooses all.
type ListInput struct {
	State      State
	Kind       Kind
	CustomerID uuid.UUID
	BookingID  uuid.UUID
	LocationID uuid.UUID
	InReview   bool // due, and in its review period
	Page       paging.In[paging.Moment]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.State == "" || in.State.Valid(), "state", "Use due, paid, waived, grace_waived or withdrawn.")
	c.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use late_cancel or no_show.")
	return c.Err()
}
