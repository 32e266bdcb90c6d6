package booking

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// Walk-ins are people who come in and stay for a while in a space that they share: a rental that is sold by the person and
// takes people at the door. What the door says is computed from rows, never typed: here, from WalkinFacts, for the page,
// the storefront and the desk alike. The desk sells what is shown: both ask stay.
//
// A stay begins at the minute that has begun. It fits when the space is open for all of it, and when there is a seat at
// every moment of it: a room that a party has booked for half an hour from now has no seats for an hour now.

// WalkinState is what the door says. E62.
type WalkinState string

// The states.
const (
	WalkinOpen   WalkinState = "open"
	WalkinBusy   WalkinState = "busy" // nearly full
	WalkinFull   WalkinState = "full" // open, and no seat left
	WalkinClosed WalkinState = "closed"
)

// WalkinLevel is how full it is; empty when it is closed. E63.
type WalkinLevel string

// The levels, by the share of the seats that is free.
const (
	WalkinPlenty     WalkinLevel = "plenty"      // more than half
	WalkinFillingUp  WalkinLevel = "filling_up"  // more than a fifth
	WalkinNearlyFull WalkinLevel = "nearly_full" // any
	WalkinAllTaken   WalkinLevel = "full"        // none
)

// WalkinHidden is why nothing is shown at all: the place is closed to walk-ins then, whatever the hour. E72, E109.
type WalkinHidden string

// The reasons.
const (
	WalkinsOff    WalkinHidden = "off"
	WalkinsPaused WalkinHidden = "paused"      // by the desk for a while, or with the whole business
	WalkinsNoRoom WalkinHidden = "no_capacity" // no space takes walk-ins
)

// ErrUnknownListing: of the listings that were asked for, none takes walk-ins here. E68, E110.
var ErrUnknownListing = fault.New(fault.NotFound, "unknown_listing", "No such listing takes walk-ins here.")

// Why nobody can be let in now.
var (
	ErrWalkinsOff    = fault.New(fault.Conflict, string(WalkinsOff), "Walk-ins are switched off here.")
	ErrWalkinsPaused = fault.New(fault.Conflict, string(WalkinsPaused), "Walk-ins are paused right now.")
	ErrDoorClosed    = fault.New(fault.Conflict, "closed", "This is closed now.")
	// ErrLastEntry: a stay of that length would go on past closing. details.closesAt is when that is.
	ErrLastEntry = fault.New(fault.Conflict, "last_entry", "It is too late to come in for that long.")
	// ErrNoSeats is ErrFull for who stands at the door. details.spots is how many there still are.
	ErrNoSeats = ErrFull.Say("There are not that many seats left.")
)

// WalkinReasons lists the codes of the refusals of walk-ins, for the document of the API.
var WalkinReasons = []string{
	ErrFull.Reason, ErrLastEntry.Reason, ErrDoorClosed.Reason, ErrWalkinsPaused.Reason, ErrWalkinsOff.Reason, ErrNotBookable.Reason,
}

// WalkinFacts are what the state is computed from: one location at one moment.
type WalkinFacts struct {
	Off         bool // switched off, or the location is archived
	Paused      bool // the business takes no bookings
	PausedUntil *time.Time
	Zone        *time.Location
	Week        []business.Interval // opening hours of the location
	Special     []schedule.SpecialDays
	Rooms       []WalkinRoom
	Offers      []WalkinOffer
}

// WalkinRoom is a space that people share.
type WalkinRoom struct {
	ID       uuid.UUID
	Name     string
	Capacity int
	Week     []business.Interval // hours of its own; none: open with the location
	Busy     []WalkinClaim
}

// WalkinClaim is a time for which seats of a room are taken.
type WalkinClaim struct {
	From, To time.Time // To is free again
	Seats    int       // 0: nobody else can be there
}

// WalkinOffer is an offering that takes walk-ins: published, a rental, sold by the person.
type WalkinOffer struct {
	ID        uuid.UUID
	Slug      string
	Lengths   catalog.Lengths
	After     int             // minutes for which a seat is kept after a stay
	LastStart *schedule.Clock // nobody comes in later, on the wall clock
	Capacity  int             // of it, in any room
	Rooms     []int           // indices into WalkinFacts.Rooms, first choice first
}

// Walkins is what the door says.
type Walkins struct {
	State  WalkinState
	Level  WalkinLevel
	Spots  int        // open seats of all rooms; 0 when closed. E64
	Until  *time.Time // when that ends: closing, opening or the end of a pause; nil: nobody knows
	Hidden WalkinHidden
	Slugs  []string // the listings that were asked for and found; empty: all
	Rooms  []WalkinSpots
}

// WalkinSpots is one room of Walkins.
type WalkinSpots struct {
	SpaceID  uuid.UUID
	Name     string
	Capacity int
	Inside   int // people who are there now
	Spots    int
}

// LiveWalkins computes what the door says now. slugs are listings: only rooms that host one of those count, each once; none
// of them counts all. Those that take no walk-ins are left out; ErrUnknownListing when none is left. E62 to E69.
func LiveWalkins(f WalkinFacts, slugs []string, now time.Time) (Walkins, error) {
	offers, found := f.listed(slugs)
	if len(slugs) > 0 && len(offers) == 0 {
		return Walkins{}, ErrUnknownListing
	}
	w := Walkins{State: WalkinClosed, Slugs: found, Rooms: []WalkinSpots{}}
	d := f.door(now)
	total, closes := 0, time.Time{}
	for i, r := range f.Rooms {
		spots, hosts := d.bestOf(offers, i)
		if !hosts {
			continue
		}
		row := WalkinSpots{SpaceID: r.ID, Name: r.Name, Capacity: spots.capacity, Inside: r.inside(d.start), Spots: spots.free}
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
func (f *WalkinFacts) listed(slugs []string) (offers []WalkinOffer, found []string) {
	found = []string{}
	if len(slugs) == 0 {
		return f.Offers, found
	}
	for _, slug := range slugs {
		i := slices.IndexFunc(f.Offers, func(o WalkinOffer) bool { return o.Slug == slug })
		if i >= 0 && !slices.Contains(found, slug) {
			offers, found = append(offers, f.Offers[i]), append(found, slug)
		}
	}
	return offers, found
}

// WalkinSlugs reads a comma-separated list of listings.
func WalkinSlugs(list string) []string {
	var out []string
	for slug := range strings.SplitSeq(list, ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			out = append(out, slug)
		}
	}
	return out
}

// hidden tells why nothing is shown, and until when as far as that is known.
func (f *WalkinFacts) hidden(rooms []WalkinSpots, now time.Time) (WalkinHidden, *time.Time) {
	switch {
	case f.Off:
		return WalkinsOff, nil
	case f.Paused:
		return WalkinsPaused, nil
	case f.PausedUntil != nil && now.Before(*f.PausedUntil):
		return WalkinsPaused, f.PausedUntil
	case len(rooms) == 0:
		return WalkinsNoRoom, nil
	}
	return "", nil
}

// shut is hidden as a refusal at the desk; nil when walk-ins are taken.
func (f *WalkinFacts) shut(now time.Time) error {
	switch hidden, until := f.hidden([]WalkinSpots{{}}, now); {
	case hidden == WalkinsOff:
		return ErrWalkinsOff
	case hidden == WalkinsPaused && until != nil:
		return ErrWalkinsPaused.With("until", until.UTC())
	case hidden == WalkinsPaused:
		return ErrWalkinsPaused.Say("The studio takes no bookings right now.")
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
func level(free, of int) WalkinLevel {
	switch {
	case free*2 > of:
		return WalkinPlenty
	case free*5 > of:
		return WalkinFillingUp
	case free > 0:
		return WalkinNearlyFull
	}
	return WalkinAllTaken
}

func stateOf(l WalkinLevel) WalkinState {
	switch l {
	case WalkinAllTaken:
		return WalkinFull
	case WalkinNearlyFull:
		return WalkinBusy
	}
	return WalkinOpen
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
