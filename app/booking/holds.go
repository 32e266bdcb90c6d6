package booking

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/names"
)

// The limits of holds.
const (
	HoldLife   = 10 * time.Minute // and once more when it is extended
	HoldLimit  = 30 * time.Minute // from the beginning; also a constraint of the database
	HoldsMax   = 5                // open holds of one person in one business
	HoldsSweep = 200              // expired holds that one pass of the sweep ends
)

// HoldState is the state of a hold.
type HoldState string

// The states of a hold.
const (
	HoldLive      HoldState = "live"
	HoldConfirmed HoldState = "confirmed"
	HoldExpired   HoldState = "expired"
	HoldReleased  HoldState = "released"
)

// Hold is seats held for a cart for a while: all of them or none.
type Hold struct {
	ID         uuid.UUID
	CartID     uuid.UUID
	PersonID   uuid.UUID
	CustomerID uuid.UUID
	State      HoldState
	CreatedAt  time.Time
	ExpiresAt  time.Time
	Extended   bool
	Seats      []HeldSeat // in the order of the input
}

// HeldSeat is one booking of a hold.
type HeldSeat struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	Attendee     string
	PriceAmount  int64
}

// Live reports whether the hold has its seats at that time. A hold past its time is expired, even before the sweep.
func (h Hold) Live(now time.Time) bool { return h.State == HoldLive && now.Before(h.ExpiresAt) }

// Extend returns the hold with ten more minutes. It can be extended once and never past HoldLimit; a hold that was
// extended stays as it is, so that a repeated call is harmless. It returns ErrHoldExpired if the hold has expired.
func (h Hold) Extend(now time.Time) (Hold, error) {
	if !h.Live(now) {
		return h, ErrHoldExpired
	}
	if h.Extended {
		return h, nil
	}
	h.Extended = true
	if h.ExpiresAt = h.ExpiresAt.Add(HoldLife); h.ExpiresAt.After(h.CreatedAt.Add(HoldLimit)) {
		h.ExpiresAt = h.CreatedAt.Add(HoldLimit)
	}
	return h, nil
}

// missing returns the seats that the hold does not have yet. Two seats are the same if they have the same time and
// attendee.
func (h Hold) missing(seats []Seat) []Seat {
	return slices.DeleteFunc(slices.Clone(seats), func(s Seat) bool {
		return slices.ContainsFunc(h.Seats, func(kept HeldSeat) bool {
			return kept.OccurrenceID == s.OccurrenceID && names.Same(kept.Attendee, s.Attendee)
		})
	})
}

// Seat is one seat that a cart requests. Two seats of a cart differ in the occurrence or in the attendee.
type Seat struct {
	OccurrenceID uuid.UUID
	Attendee     string
	Party        int       // people at a time of an appointment or a rental; 0 is 1
	PriceAmount  int64     // price shown to the customer: stays as long as the hold lives
	Group        uuid.UUID // of a date of a course: the seats of one course share it; Nil otherwise
	Follows      bool      // a later date of a course: lead time and booking window apply to the first
}

// HoldInput is the input of HoldTx.
type HoldInput struct {
	CartID     uuid.UUID
	LocationID uuid.UUID
	PersonID   uuid.UUID
	CustomerID uuid.UUID
	Currency   money.Currency // of the location
	Seats      []Seat
	Current    *Hold // the cart's live hold, with its seats; nil when there is none
}

// Span is a time of an appointment or a rental in a cart.
type Span struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int
}

// OpenHold is a live hold in the studio's view.
type OpenHold struct {
	ID            uuid.UUID
	LocationID    uuid.UUID
	LocationName  string
	CustomerID    uuid.UUID
	CustomerName  string // may be empty
	CustomerEmail string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	Paying        bool // its payment has begun
	Seats         []OpenSeat
}

// OpenSeat is one booking of an open hold.
type OpenSeat struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	StartsAt     time.Time
	Zone         string
	Party        int
	Attendee     string
}
