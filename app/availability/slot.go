package availability

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// Availability is decided in this file and those it names only: the storefront, the search of staff and assistants,
// the explanation and the hold are one computation over Facts, without a database.
//
// A service needs a person, a space, or both. When it needs a person only, that person's hours count; otherwise the
// location's hours, within them those of the space, and the person must work as well. A closure closes everything.
// Starts lie on a grid on the wall clock that is counted from each opening. From start to end everything must be
// open; the buffers before and after may lie outside the hours, but the person and the space must be free in them.

// Facts are the input of availability: one location, the requested offers, and all of their candidates. Busy times
// need to be here from the longest buffer before the first start to the longest buffer after the last end. Everything
// is in whole seconds.
type Facts struct {
	Now      time.Time
	Zone     *time.Location
	Paused   bool                // the business takes no bookings
	DailyCap int                 // appointments and rentals of the location on one day; 0: no limit
	Given    map[civil.Date]int  // number of appointments and rentals; needed with a cap only
	Week     []business.Interval // opening hours of the location
	Special  []SpecialDays
	Offers   []Offer
	People   []Person
	Spaces   []Space // those of the offers, with the wholes they are parts of and their parts
}

// Offer is a service with computed times.
type Offer struct {
	ID    uuid.UUID
	Name  string
	State catalog.State
	catalog.Lengths
	Before      int // buffers, minutes
	After       int
	Grid        int          // minutes; 0: one after the other
	LastStart   *civil.Clock // the latest start on the wall clock
	Compact     bool
	Capacity    int // people of one booking; of all sharing a space
	Rules       catalog.Rules
	NeedsPerson bool
	NeedsSpace  bool
	People      []int // its instructors: indices into Facts.People, first choice first
	Spaces      []int // its spaces: indices into Facts.Spaces, first choice first
}

// Person is a member with appointments at the location.
type Person struct {
	ID        uuid.UUID
	Name      string
	Week      []business.Interval // hours at the location; none: no appointments there
	Busy      []Busy
	DailyCap  int                // appointments on one day; 0: no limit
	WeeklyCap int                // from Monday to Sunday
	Given     map[civil.Date]int // number of appointments; needed with a cap only
}

// Space is a room of the location, or a part of one.
type Space struct {
	ID       uuid.UUID
	Name     string
	Whole    int // index of the space it is a part of; -1: none
	Capacity int
	Week     []business.Interval // hours of its own; none: open with the location
	Busy     []Busy
}

// BusyKind is the reason why a person or a space is busy.
type BusyKind int

// The kinds.
const (
	Claimed       BusyKind = iota // booked: a person, or the whole of a space
	ClaimedSeats                  // some seats of a space are
	ClaimedInPart                 // seats of the whole are, of which this space is a part
	TimeOffReason                 // a person has time off, a space is blocked
)

// Busy is a time at which a person or a space has none or fewer of its seats. Unix seconds, To is free again.
type Busy struct {
	From, To int64
	Kind     BusyKind
	Seats    int
}

// Question searches the starts of a visit: one service, or several in a row, each beginning where the one before
// ends.
type Question struct {
	From  time.Time // the first start
	To    time.Time // starts are before this
	Parts []Part
}

// Part is one service of a visit.
type Part struct {
	Offer    int   // index into Facts.Offers
	Minutes  int   // how long
	Party    int   // number of people
	People   []int // allowed people; nil: all of its instructors
	Together bool  // all of People must be free, not just one
	Space    *int  // where; nil: anywhere
}

// Code is a reason against a start. The list is closed; it is that of details.reason as well.
type Code string

// The codes. Those of calendars, plans and agreements join them with calendars, plans and agreements.
const (
	CodeClosed    Code = "closed"            // nothing is open, or there is no start at this time
	CodePaused    Code = "paused"            // the business takes no bookings
	CodeTooEarly  Code = "too_early"         // it cannot be booked that long ahead
	CodeTooLate   Code = "too_late"          // it begins too soon, or has begun
	CodeStaffBusy Code = "staff_busy"        // none of its instructors is free
	CodeSpaceBusy Code = "space_busy"        // no space is free
	CodeFull      Code = "full"              // no seats are available, or the day has reached a cap
	CodeWaitlist  Code = "waitlist_reserved" // the available seats are on offer to the waitlist
)

// All lists them.
func (Code) All() []Code { return codeList[:] }

// Codes is a set of codes.
type Codes uint16

var codeList = [...]Code{CodeClosed, CodePaused, CodeTooEarly, CodeTooLate, CodeStaffBusy, CodeSpaceBusy, CodeFull, CodeWaitlist}

const (
	closedBit Codes = 1 << iota
	pausedBit
	earlyBit
	lateBit
	staffBit
	spaceBit
	fullBit
	waitlistBit

	resourceBits = closedBit | staffBit | spaceBit | fullBit | waitlistBit
)

// List returns the codes of the set in their order. The slice is shared: a search returns hundreds of them.
func (c Codes) List() []Code { return codeLists[c] }

// codeLists are all the sets there are.
var codeLists = func() (lists [1 << len(codeList)][]Code) {
	for c := range lists {
		lists[c] = []Code{}
		for i, code := range codeList {
			if c&(1<<i) != 0 {
				lists[c] = append(lists[c], code)
			}
		}
	}
	return lists
}()

// First returns the first code of the list, for callers with room for one. It is empty for the empty set.
func (c Codes) First() Code {
	for i, code := range codeList {
		if c&(1<<i) != 0 {
			return code
		}
	}
	return ""
}

// Start is a possible start of a visit.
type Start struct {
	OccurrenceID uuid.UUID // of a class; Nil for computed times
	StartsAt     time.Time
	EndsAt       time.Time  // of its last service
	Date         civil.Date // of the location
	Codes        Codes      // codes against it
	Seats        int        // the largest party with room
	Touches      bool       // of an offer with Compact: it begins or ends where another booking ends or begins
	Parts        []StartPart
}

// StartPart is one service of a start, with the free people and spaces.
type StartPart struct {
	StartsAt time.Time
	EndsAt   time.Time
	People   []int // indices into Facts.People, first choice first
	Spaces   []int // indices into Facts.Spaces, first choice first
}

// Available reports whether the people and spaces are free.
func (s Start) Available() bool { return s.Codes&resourceBits == 0 }

// Bookable reports whether the policy allows it, too.
func (s Start) Bookable() bool { return s.Codes == 0 }

// Shared reports whether several parties share a space: a rental that is sold by the person.
func (o *Offer) Shared() bool { return o.Kind.ByTheHead(o.SoldAs) }

// Price returns the price of a booking of so many minutes for so many people, in minor units. A length that the
// storefront does not sell has the price of the default one.
func (o *Offer) Price(minutes, party int) int64 {
	price, ok := o.Lengths.Price(minutes, party)
	if !ok {
		price, _ = o.Lengths.Price(o.Lengths.Default(), party)
	}
	return price
}

// parties are the smallest and the largest party that can book, by the policy and by the room there is.
func (o *Offer) parties() (least, most int) {
	least, most = max(1, o.Rules.PartyMin), o.Capacity
	if o.Rules.PartyMax > 0 {
		most = min(most, o.Rules.PartyMax)
	}
	return least, most
}

// window is how far ahead an offer can be booked. Times are computed, so without a limit there is still an end.
func (o *Offer) window() time.Duration {
	days := o.Rules.WindowDays
	if days == 0 {
		days = OpenWindowDays
	}
	return time.Duration(days) * 24 * time.Hour
}

// OpenWindowDays is the booking window of rules without one.
const OpenWindowDays = 366
