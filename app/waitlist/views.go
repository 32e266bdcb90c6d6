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

// CustomerEntry is an entry of a waitlist in its customer's view, in any business.
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
	Instructor       string // empty: no instructor is named
	Space            string // empty: none is named
	StartsAt         time.Time
	EndsAt           time.Time
	Cancelled        bool  // the date is cancelled, or the offering archived
	PriceAmount      int64 // of the whole party, as listed, in minor units of Currency
	catalog.Pricing        // additions to that
	Mode             catalog.WaitlistMode
	Position         *int      // 1 is first; nil when it is not shown or the entry does not wait any more
	OffersUntil      time.Time // from then on no offers are made
	Acceptable       bool      // there is something to accept now
	Recipient        Recipient
	GraceUntil       *time.Time    // of the booking: cancelling is free until then
	BookingState     booking.State // of the booking; empty without one
}

// Pending reports whether the entry can still become a booking.
func (w CustomerEntry) Pending(now time.Time) bool {
	return w.State.OnList() && !w.Cancelled && now.Before(w.StartsAt)
}

// Others reports whether the entry is known to be another person's.
func (w CustomerEntry) Others(person uuid.UUID) bool {
	return w.PersonID != nil && *w.PersonID != person
}

// Recipient is the recipient of the mails about an entry.
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
	Ended        bool // also entries that are not on the list any more
	Page         paging.In[Key]
}

// Key is the end of a page of a waitlist: entries are ordered by rank and id.
type Key struct {
	Rank int64
	ID   uuid.UUID
}

// List is the waitlist of a date in the studio's view.
type List struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	LocationID   uuid.UUID
	StartsAt     time.Time
	Zone         string // IANA: the wall clock of the times
	State        schedule.State
	Mode         catalog.WaitlistMode
	OffersUntil  time.Time // from then on no entries are added and no offers made
	schedule.Seats
	Entries paging.Page[StudioEntry, Key] // in their order
}

// StudioEntry is an entry with its customer and the reason for its state.
type StudioEntry struct {
	Entry
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
	Position      int      // 1 is first; 0 for an entry that does not wait
	Log           []Change // the oldest first
}

// Change is one change of an entry, with its reason. From and To are the same for a remark.
type Change struct {
	From      State // empty for the first
	To        State
	ActorKind tenancy.ActorKind
	ActorName string // may be empty
	Surface   tenancy.Surface
	Reason    string
	At        time.Time
}

// LetterKind is the kind of a mail about a waitlist.
type LetterKind string

// The kinds of letters.
const (
	LetterJoined    LetterKind = "joined"
	LetterOffered   LetterKind = "offered"  // seats are reserved until a deadline
	LetterFree      LetterKind = "free"     // there is room, and the first to accept wins
	LetterPromoted  LetterKind = "promoted" // booked from the list
	LetterExpired   LetterKind = "expired"  // no answer by the deadline
	LetterCancelled LetterKind = "cancelled"
)

// Letter has the facts for a mail about a waitlist.
type Letter struct {
	Letter LetterKind
	CustomerEntry
	Token     string                  // of the link that accepts, declines and leaves
	Booking   booking.CustomerBooking // LetterPromoted: the booking
	CostBasis booking.CostBasis       // LetterPromoted: the amounts behind cancelling it
}

// OpenCart is the content of a cart for an accepted offer.
type OpenCart struct {
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	PersonID     uuid.UUID // owner of the cart
	Party        int
	Attendee     string
	PriceAmount  int64 // of the whole party, as listed
}
