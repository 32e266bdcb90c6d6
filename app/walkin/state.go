package walkin

import (
	"slices"
	"strings"
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

// ErrUnknownListing: of the listings that were asked for, none takes walk-ins here. E68, E110.
var ErrUnknownListing = fault.New(fault.NotFound, "unknown_listing", "No such listing takes walk-ins here.")

// Why nobody can be let in now.
var (
	ErrOff        = fault.New(fault.Conflict, string(Off), "Walk-ins are switched off here.")
	ErrPaused     = fault.New(fault.Conflict, string(Paused), "Walk-ins are paused right now.")
	ErrDoorClosed = fault.New(fault.Conflict, "closed", "This is closed now.")
	// ErrLastEntry: a stay of that length would go on past closing. details.closesAt is when that is.
	ErrLastEntry = fault.New(fault.Conflict, "last_entry", "It is too late to come in for that long.")
	// ErrNoSeats is ErrFull for who stands at the door. details.spots is how many there still are.
	ErrNoSeats = booking.ErrFull.Say("There are not that many seats left.")
)

// Reasons lists the codes of the refusals of walk-ins, for the document of the API.
var Reasons = []string{
	booking.ErrFull.Reason, ErrLastEntry.Reason, ErrDoorClosed.Reason, ErrPaused.Reason, ErrOff.Reason, booking.ErrNotBookable.Reason,
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
	Rooms     []int        // indices into WalkinFacts.Rooms, first choice first
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

// LiveOf computes what the door says now. slugs are listings: only rooms that host one of those count, each once; none
// of them counts all. Those that take no walk-ins are left out; ErrUnknownListing when none is left. E62 to E69.
func LiveOf(f Facts, slugs []string, now time.Time) (Walkins, error) {
	offers, found := f.listed(slugs)
	if len(slugs) > 0 && len(offers) == 0 {
		return Walkins{}, ErrUnknownListing
	}
	w := Walkins{State: Closed, Slugs: found, Rooms: []Spots{}}
	d := f.door(now)
	total, closes := 0, time.Time{}
	for i, r := range f.Rooms {
		spots, hosts := d.bestOf(offers, i)
		if !hosts {
			continue
		}
		row := Spots{SpaceID: r.ID, Name: r.Name, Capacity: spots.capacity, Inside: r.inside(d.start), Spots: spots.free}
		w.Rooms = append(w.Rooms, row)
		if spots.open {
			total += row.Capacity
			w.Spots += row.Spots
			closes = later(closes, spots.closes)
		}
	}
	w.Hidden, w.Until = f.hidden(w.Rooms, now)
	switch {
	case w.Hidden != "":
		w.close()
	case total == 0:
		w.Until = d.opens(w.Rooms)
	default:
		w.Until = &closes
		w.Level = level(w.Spots, total)
		w.State = stateOf(w.Level)
	}
	return w, nil
}

// listed are the offers with these slugs, in their order, and the slugs that there are; all offers without any.
func (f *Facts) listed(slugs []string) (offers []Listing, found []string) {
	found = []string{}
	if len(slugs) == 0 {
		return f.Offers, found
	}
	for _, slug := range slugs {
		i := slices.IndexFunc(f.Offers, func(o Listing) bool { return o.Slug == slug })
		if i >= 0 && !slices.Contains(found, slug) {
			offers, found = append(offers, f.Offers[i]), append(found, slug)
		}
	}
	return offers, found
}

// Slugs reads a comma-separated list of listings.
func Slugs(list string) []string {
	var out []string
	for slug := range strings.SplitSeq(list, ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			out = append(out, slug)
		}
	}
	return out
}

// hidden tells why nothing is shown, and until when as far as that is known.
func (f *Facts) hidden(rooms []Spots, now time.Time) (Hidden, *time.Time) {
	switch {
	case f.Off:
		return Off, nil
	case f.Paused:
		return Paused, nil
	case f.PausedUntil != nil && now.Before(*f.PausedUntil):
		return Paused, f.PausedUntil
	case len(rooms) == 0:
		return NoCapacity, nil
	}
	return "", nil
}

// shut is hidden as a refusal at the desk; nil when walk-ins are taken.
func (f *Facts) shut(now time.Time) error {
	switch hidden, until := f.hidden([]Spots{{}}, now); {
	case hidden == Off:
		return ErrOff
	case hidden == Paused && until != nil:
		return ErrPaused.With("until", until.UTC())
	case hidden == Paused:
		return ErrPaused.Say("The studio takes no bookings right now.")
	}
	return nil
}

// close takes all seats away: what is hidden has none.
func (w *Walkins) close() {
	w.Spots = 0
	for i := range w.Rooms {
		w.Rooms[i].Spots = 0
	}
}

// level is the band of a share of free seats. E63.
func level(free, of int) Level {
	switch {
	case free*2 > of:
		return Plenty
	case free*5 > of:
		return FillingUp
	case free > 0:
		return NearlyFull
	}
	return AllTaken
}

func stateOf(l Level) State {
	switch l {
	case AllTaken:
		return Full
	case NearlyFull:
		return Busy
	}
	return Open
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
