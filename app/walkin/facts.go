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

// State is what the door says. E62.
type State string

// The states.
const (
	Open   State = "open"
	Busy   State = "busy" // nearly full
	Full   State = "full" // open, and no seat left
	Closed State = "closed"
)

// All lists them.
func (State) All() []State { return []State{Open, Busy, Full, Closed} }

// Level is how full it is; empty when it is closed. E63.
type Level string

// The levels, by the share of the seats that is free.
const (
	Plenty     Level = "plenty"      // more than half
	FillingUp  Level = "filling_up"  // more than a fifth
	NearlyFull Level = "nearly_full" // any
	AllTaken   Level = "full"        // none
)

// All lists them.
func (Level) All() []Level { return []Level{Plenty, FillingUp, NearlyFull, AllTaken} }

// Hidden is why nothing is shown at all: the place is closed to walk-ins then, whatever the hour. E72, E109.
type Hidden string

// The reasons.
const (
	Off        Hidden = "off"
	Paused     Hidden = "paused"      // by the desk for a while, or with the whole business
	NoCapacity Hidden = "no_capacity" // no space takes walk-ins
)

// All lists them.
func (Hidden) All() []Hidden { return []Hidden{Off, Paused, NoCapacity} }

// ErrUnknownListing refuses a request for listings of which none accepts walk-ins. E68, E110.
var ErrUnknownListing = fault.New(fault.NotFound, "unknown_listing", "No such listing takes walk-ins here.")

// Why nobody can be let in now.
var (
	ErrOff    = fault.New(fault.Conflict, string(Off), "Walk-ins are switched off here.")
	ErrPaused = fault.New(fault.Conflict, string(Paused), "Walk-ins are paused right now.")
	ErrClosed = fault.New(fault.Conflict, "closed", "This is closed now.")
	// ErrLastEntry: a stay of that length would go on past closing. details.closesAt is when that is.
	ErrLastEntry = fault.New(fault.Conflict, "last_entry", "It is too late to come in for that long.")
	// ErrNoSeats is ErrFull for who stands at the door. details.spots is how many there still are.
	ErrNoSeats = booking.ErrFull.WithMessage("There are not that many seats left.")
)

// Reasons lists the codes of the refusals of walk-ins, for the document of the API.
var Reasons = []string{
	booking.ErrFull.Reason, ErrLastEntry.Reason, ErrClosed.Reason, ErrPaused.Reason, ErrOff.Reason, booking.ErrNotBookable.Reason,
}

// Facts are what the state is computed from: one location at one moment.
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

// Room is a space that people share.
type Room struct {
	ID       uuid.UUID
	Name     string
	Capacity int
	Week     []business.Interval // hours of its own; none: open with the location
	Busy     []Claim
}

// Claim is a time for which seats of a room are taken.
type Claim struct {
	From, To time.Time // To is free again
	Seats    int       // 0: nobody else can be there
}

// Listing is an offering that takes walk-ins: published, a rental, sold by the person.
type Listing struct {
	ID        uuid.UUID
	Slug      string
	Lengths   catalog.Lengths
	After     int          // minutes for which a seat is kept after a stay
	LastStart *civil.Clock // nobody comes in later, on the wall clock
	Capacity  int          // of it, in any room
	Rooms     []int        // indices into Facts.Rooms, first choice first
}

// Walkins is what the door says.
type Walkins struct {
	State  State
	Level  Level
	Spots  int        // open seats of all rooms; 0 when closed. E64
	Until  *time.Time // when that ends: closing, opening or the end of a pause; nil: nobody knows
	Hidden Hidden
	Slugs  []string // the listings that were asked for and found; empty: all
	Rooms  []Spots
}

// Spots is one room of Walkins.
type Spots struct {
	SpaceID  uuid.UUID
	Name     string
	Capacity int
	Inside   int // people who are there now
	Spots    int
}
