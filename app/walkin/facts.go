package walkin

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
)

// State is the walk-in state of a location. E62.
type State string

// The states.
const (
	Open   State = "open"
	Busy   State = "busy" // nearly full
	Full   State = "full" // open, without an available seat
	Closed State = "closed"
)

// All lists them.
func (State) All() []State { return []State{Open, Busy, Full, Closed} }

// Level is the occupancy; empty when it is closed. E63.
type Level string

// The levels, by the share of the seats that is free.
const (
	Plenty     Level = "plenty"      // more than half
	FillingUp  Level = "filling_up"  // more than a fifth
	NearlyFull Level = "nearly_full" // any
	LevelFull  Level = "full"        // none
)

// All lists them.
func (Level) All() []Level { return []Level{Plenty, FillingUp, NearlyFull, LevelFull} }

// Hidden is the reason why walk-ins are not shown: the location then has none, at any hour. E72, E109.
type Hidden string

// The reasons.
const (
	Off        Hidden = "off"
	Paused     Hidden = "paused"      // by the desk for a while, or with the whole business
	NoCapacity Hidden = "no_capacity" // no space takes walk-ins
)

// All lists them.
func (Hidden) All() []Hidden { return []Hidden{Off, Paused, NoCapacity} }

// ErrUnknownListing refuses a request for listings without one that accepts walk-ins. E68, E110.
var ErrUnknownListing = fault.New(fault.NotFound, "unknown_listing", "None of these listings takes walk-ins.")

// Reasons for refusing walk-ins now.
var (
	ErrOff    = fault.New(fault.Conflict, string(Off), "Walk-ins are switched off here.")
	ErrPaused = fault.New(fault.Conflict, string(Paused), "Walk-ins are paused right now.")
	ErrClosed = fault.New(fault.Conflict, "closed", "The location is closed now.")
	// ErrLastEntry: a stay of that length would end after closing. details.closesAt is the closing time.
	ErrLastEntry = fault.New(fault.Conflict, "last_entry", "It is too late for a stay of this length.")
	// ErrNoSeats is ErrFull for walk-ins. details.spots is the number of available seats.
	ErrNoSeats = booking.ErrFull.WithMessage("There are not enough seats available.")
)

// Reasons lists the codes of the refusals of walk-ins, for the document of the API.
var Reasons = []string{
	booking.ErrFull.Reason, ErrLastEntry.Reason, ErrClosed.Reason, ErrPaused.Reason, ErrOff.Reason, booking.ErrNotBookable.Reason,
}

// Facts are the input of the state: one location at one moment.
type Facts struct {
	Off         bool // switched off, or the location is archived
	Paused      bool // the business takes no bookings
	PausedUntil *time.Time
	Zone        *time.Location
	Week        []business.Interval // opening hours of the location
	Special     []availability.SpecialDays
	Rooms       []Room
	Offers      []Listing
}

// Room is a shared space.
type Room struct {
	ID       uuid.UUID
	Name     string
	Capacity int
	Week     []business.Interval // hours of its own; none: open with the location
	Busy     []Claim
}

// Claim is a time at which seats of a room are occupied.
type Claim struct {
	From, To time.Time // To is free again
	Seats    int       // 0: the whole room
}

// Listing is an offering that takes walk-ins: published, a rental, sold by the person.
type Listing struct {
	ID        uuid.UUID
	Slug      string
	Lengths   catalog.Lengths
	After     int          // minutes for which a seat is blocked after a stay
	LastStart *civil.Clock // last entry, on the wall clock
	Capacity  int          // of it, in any room
	Rooms     []int        // indices into Facts.Rooms, first choice first
}

// Walkins is the walk-in state of a location with its seats.
type Walkins struct {
	State  State
	Level  Level
	Spots  int        // available seats of all rooms; 0 when closed. E64
	Until  *time.Time // end of the state: closing, opening or the end of a pause; nil: unknown
	Hidden Hidden
	Slugs  []string // the requested listings that were found; empty: all
	Rooms  []Spots
}

// Spots is one room of Walkins.
type Spots struct {
	SpaceID  uuid.UUID
	Name     string
	Capacity int
	Inside   int // people in the rooms now
	Spots    int
}
