package booking

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/names"
)

// How long seats are kept.
const (
	HoldLife   = 10 * time.Minute // and once more when it is extended
	HoldLimit  = 30 * time.Minute // from the beginning; the database says so too
	HoldsMax   = 5                // open holds of one person in one business
	HoldsSweep = 200              // overdue holds that one round of the sweep ends
)

// HoldState is where a hold stands.
type HoldState string

// The states of a hold.
const (
	HoldLive      HoldState = "live"
	HoldConfirmed HoldState = "confirmed"
	HoldExpired   HoldState = "expired"
	HoldReleased  HoldState = "released"
)

// Hold is seats kept for a cart for a while: all of them or none.
type Hold struct {
	ID         uuid.UUID
	CartID     uuid.UUID
	PersonID   uuid.UUID
	CustomerID uuid.UUID
	State      HoldState
	CreatedAt  time.Time
	ExpiresAt  time.Time
	Extended   bool
	Seats      []HeldSeat // in the order they were asked for
}

// HeldSeat is one booking of a hold.
type HeldSeat struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	Attendee     string
	PriceAmount  int64
}

// Live tells whether the hold keeps its seats at that time. A hold past its time is over, whether or not the sweep has
// been there.
func (h Hold) Live(now time.Time) bool { return h.State == HoldLive && now.Before(h.ExpiresAt) }

// Extend returns the hold with ten more minutes. It can be done once and never past HoldLimit; a hold that was extended
// stays as it is, so that pressing twice is harmless. ErrHoldExpired when it is over.
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

// missing returns the seats that the hold does not keep yet. The time and who is coming make a seat one and the same.
func (h Hold) missing(seats []Seat) []Seat {
	return slices.DeleteFunc(slices.Clone(seats), func(s Seat) bool {
		return slices.ContainsFunc(h.Seats, func(kept HeldSeat) bool {
			return kept.OccurrenceID == s.OccurrenceID && names.Same(kept.Attendee, s.Attendee)
		})
	})
}

// Seat is one seat that a cart asks for. Two seats of a cart differ in the occurrence or in who is coming.
type Seat struct {
	OccurrenceID uuid.UUID
	Attendee     string
	Party        int       // people, for a time of an appointment or a rental; 0 is 1
	PriceAmount  int64     // what the customer was told: it stays for as long as the hold lives
	Group        uuid.UUID // of a date of a course: the seats of one course have one; Nil of anything else
	Follows      bool      // a later date of a course: notice and window are asked of the first
}

// HoldInput is what HoldTx needs to know.
type HoldInput struct {
	CartID     uuid.UUID
	LocationID uuid.UUID
	PersonID   uuid.UUID
	CustomerID uuid.UUID
	Currency   money.Currency // of the location
	Seats      []Seat
	Current    *Hold // the cart's hold in state live, with its seats; nil when there is none
}

// Span is a time of an appointment or a rental that a cart asks for.
type Span struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int
}

// OpenHold is a hold that keeps seats right now, as the studio sees it.
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
