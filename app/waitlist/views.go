package waitlist

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// CustomerEntry is an entry of a waitlist as its customer sees it, wherever it is.
type CustomerEntry struct {
	Entry
	BusinessID       uuid.UUID
	BusinessName     string
	LocationName     string
	LocationSlug     string
	Zone             string // IANA: the wall clock of the times
	business.Address        // of the location
	Accent           string // "#rrggbb": the location's colour
	Currency         money.Currency
	OfferingName     string
	OfferingSlug     string
	Instructor       string // empty: nobody is named
	Space            string // empty: none is named
	StartsAt         time.Time
	EndsAt           time.Time
	Cancelled        bool  // the date does not take place, or the offering was put away
	PriceAmount      int64 // of the whole party, as listed, in minor units of Currency
	catalog.Pricing        // what is added to that
	Mode             catalog.WaitlistMode
	Position         *int      // 1 is first; nil when it is not shown or nobody waits any more
	AsksUntil        time.Time // from then on nobody is asked
	Acceptable       bool      // there is something to accept now
	Recipient        Recipient
	GraceUntil       *time.Time    // of what it became: leaving is free until then
	BookingState     booking.State // of what it became; empty
}

// Pending tells whether it may still become something.
func (w CustomerEntry) Pending(now time.Time) bool {
	return w.State.OnList() && !w.Cancelled && now.Before(w.StartsAt)
}

// Others tells whether it is known to be another person's.
func (w CustomerEntry) Others(person uuid.UUID) bool {
	return w.PersonID != nil && *w.PersonID != person
}

// Recipient is whom the mails about something go to.
type Recipient struct {
	Email  string // may be empty
	Name   string // may be empty
	Phone  string
	Locale string // the language to write to them in
}

// ListInput chooses a part of the waitlist of a date.
type ListInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Ended        bool // also who is not on the list any more
	Page         paging.In[Key]
}

// Key is where a page of a waitlist ended: entries are ordered by rank and id.
type Key struct {
	Rank int64
	ID   uuid.UUID
}

// List is who waits for a date, as the studio sees it.
type List struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	LocationID   uuid.UUID
	StartsAt     time.Time
	Zone         string // IANA: the wall clock of the times
	State        schedule.State
	Mode         catalog.WaitlistMode
	AsksUntil    time.Time // from then on nobody is added or asked
	schedule.Seats
	Entries paging.Page[StudioEntry, Key] // in their order
}

// StudioEntry is an entry with who it is and why it stands where it stands.
type StudioEntry struct {
	Entry
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
	Position      int      // 1 is first; 0 for who does not wait
	Log           []Change // the oldest first
}

// Change is one change of an entry, and why. From and To are the same for a remark.
type Change struct {
	From      State // empty for the first
	To        State
	ActorKind tenancy.ActorKind
	ActorName string // may be empty
	Surface   tenancy.Surface
	Reason    string
	At        time.Time
}

// LetterKind is what a mail about a waitlist says.
type LetterKind string

// The letters.
const (
	LetterJoined    LetterKind = "joined"
	LetterOffered   LetterKind = "offered"  // a place is kept until a deadline
	LetterFree      LetterKind = "free"     // there is room, and the first to accept wins
	LetterPromoted  LetterKind = "promoted" // booked from the list
	LetterExpired   LetterKind = "expired"  // nobody answered in time
	LetterCancelled LetterKind = "cancelled"
)

// Letter is what a mail about a waitlist is written from.
type Letter struct {
	Letter LetterKind
	CustomerEntry
	Token     string                  // of the link that accepts, declines and leaves
	Booking   booking.CustomerBooking // LetterPromoted: what it became
	CostBasis booking.CostBasis       // LetterPromoted: what cancelling that is about
}

// OpenCart is what a cart for an accepted place begins with.
type OpenCart struct {
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	PersonID     uuid.UUID // whose cart it is
	Party        int
	Attendee     string
	PriceAmount  int64 // of the whole party, as listed
}
