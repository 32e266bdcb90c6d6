package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
)

// State is whether an occurrence takes place.
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
	OnlineCapacity int // how many of them the storefront may sell
	Taken          int // held or booked
	TakenOnline    int // of those, through the storefront
	Offered        int // on offer to the waitlist: neither the front desk nor the storefront has them
}

// Free is how many seats are left for the front desk.
func (s Seats) Free() int { return max(0, s.Capacity-s.Taken-s.Offered) }

// Spots is how many seats are left for the storefront. Every answer that names free seats is this one.
func (s Seats) Spots() int {
	return max(0, min(s.Capacity-s.Taken, s.OnlineCapacity-s.TakenOnline)-s.Offered)
}

// Occurrence is one date of a series, as operators see it.
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
	Waiting      int     // people on the waitlist, those with an offer too
	Overrides    []Field // what does not follow the series
	CancelReason string  // the studio's; empty unless the date was cancelled by hand
	DoubleBooked bool    // its instructor or its space had something else when it was written, or somebody allowed it
	Version      int64
}
