package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
)

// State is the state of an occurrence.
type State string

// The states.
const (
	Scheduled State = "scheduled"
	Cancelled State = "cancelled"
)

// All lists them.
func (State) All() []State { return []State{Scheduled, Cancelled} }

// Seats are the counters of an occurrence.
type Seats struct {
	Capacity       int
	OnlineCapacity int // seats that the storefront may sell
	Taken          int // held or booked
	TakenOnline    int // of those, through the storefront
	Offered        int // on offer to the waitlist: available neither at the front desk nor in the storefront
}

// Free returns the number of seats available at the front desk.
func (s Seats) Free() int { return max(0, s.Capacity-s.Taken-s.Offered) }

// Spots returns the number of seats available in the storefront. Every answer with available seats has this number.
func (s Seats) Spots() int {
	return max(0, min(s.Capacity-s.Taken, s.OnlineCapacity-s.TakenOnline)-s.Offered)
}

// Occurrence is one date of a series in the operators' view.
type Occurrence struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	SeriesID     uuid.UUID
	LocalDate    civil.Date // on the location's wall clock
	StartsAt     time.Time
	EndsAt       time.Time
	MemberID     *uuid.UUID
	Instructor   string // the member's name; empty without one
	SpaceID      *uuid.UUID
	Space        string // the space's name; empty without one
	State        State
	Seats
	Waiting      int     // people on the waitlist, with those with an offer
	Overrides    []Field // fields that do not follow the series
	CancelReason string  // the studio's; empty unless the date was cancelled by hand
	DoubleBooked bool    // its instructor or its space was busy when it was written, or a conflict was allowed
	Version      int64
}
