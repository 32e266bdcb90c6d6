package waitlist

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
)

// State is the state of an entry of a waitlist; the picture is in doc.go.
type State string

// The states.
const (
	Waiting  State = "waiting"
	Offered  State = "offered"         // its party is reserved for it until the offer ends
	Promoted State = "promoted"        // it became a booking
	Declined State = "declined"        // the customer declined the offer
	Expired  State = "offer_expired"   // no answer by the deadline; the next entry got an offer
	Skipped  State = "skipped_payment" // could not be paid for, or the studio skipped it
	Left     State = "left"
	Closed   State = "closed" // the list has closed, the date was cancelled, or its waitlist removed
)

// All lists them.
func (State) All() []State {
	return []State{Waiting, Offered, Promoted, Declined, Expired, Skipped, Left, Closed}
}

// OnList reports whether an entry in this state may still get a seat, now or later.
func (s State) OnList() bool {
	return s == Waiting || s == Offered || s == Expired || s == Skipped
}

// Transition is a change of an entry's state.
type Transition string

// The transitions.
const (
	TransitionJoin    Transition = "join"
	TransitionOffer   Transition = "offer"
	TransitionPromote Transition = "promote"
	TransitionDecline Transition = "decline"
	TransitionExpire  Transition = "expire"
	TransitionSkip    Transition = "pass"  // skipped for the next one
	TransitionAgain   Transition = "again" // all entries had an offer: the list starts from the top
	TransitionRejoin  Transition = "rejoin"
	TransitionLeave   Transition = "leave"
	TransitionClose   Transition = "close"
)

// table is the whole table; "" is the state before the first. Statements take their states from here.
var table = map[Transition]struct {
	from []State
	to   State
}{
	TransitionJoin:    {[]State{""}, Waiting},
	TransitionOffer:   {[]State{Waiting}, Offered},
	TransitionPromote: {[]State{Waiting, Offered}, Promoted},
	TransitionDecline: {[]State{Offered}, Declined},
	TransitionExpire:  {[]State{Offered}, Expired},
	TransitionSkip:    {[]State{Waiting, Offered}, Skipped},
	TransitionAgain:   {[]State{Expired, Skipped}, Waiting},
	TransitionRejoin:  {[]State{Expired, Skipped}, Waiting},
	TransitionLeave:   {[]State{Waiting, Offered, Expired, Skipped}, Left},
	TransitionClose:   {[]State{Waiting, Offered, Expired, Skipped}, Closed},
}

// PaymentChoice is the way of paying for a seat from the waitlist.
type PaymentChoice string

// Effects of a choice at present: with each, the customer gets an offer, and only payByCard needs consent.
const (
	payLater  PaymentChoice = "choose_later"
	payByCard PaymentChoice = "card"
)

// All lists them.
func (PaymentChoice) All() []PaymentChoice {
	return []PaymentChoice{payLater, "plan", "best_plan", payByCard}
}

// Entry is one entry of the waitlist of a date: a party of a customer, or of an attendee they book for.
type Entry struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	OfferingID     uuid.UUID
	OccurrenceID   uuid.UUID
	CustomerID     uuid.UUID
	PersonID       *uuid.UUID // the person who may accept; nil: any person signed in with the customer's address
	State          State
	Rank           int64 // lower is sooner
	Party          int   // seats
	Attendee       string
	PaymentChoice  PaymentChoice
	ConsentAt      *time.Time // to a saved card being charged
	DropIfPromoted bool
	OfferedAt      *time.Time // the last offer
	OfferUntil     *time.Time // while one is open
	BookingID      *uuid.UUID // the booking after promotion
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Open reports whether the entry has an offer at that time. One past its deadline is expired for all readers, even
// before the sweep.
func (w Entry) Open(now time.Time) bool {
	return w.State == Offered && w.OfferUntil != nil && now.Before(*w.OfferUntil)
}

// The limits of an entry.
const (
	PartyMax  = 100
	rankSpace = 1 << 20 // between the ranks of two consecutive entries: room for reordering
)

// Reasons why a customer cannot wait, or cannot have the seat. A74.
var (
	// ErrSeatsFree: the seats can be booked, without waiting. details.spots is their number.
	ErrSeatsFree = fault.New(fault.Conflict, "seats_free", "There are spots available: book one instead.")
	// ErrOff: the date has no waitlist.
	ErrOff = fault.New(fault.Conflict, "waitlist_off", "There is no waitlist for this.")
	// ErrClosed: from details.at on no entries are added and no offers made.
	ErrClosed = fault.New(fault.Conflict, "waitlist_closed", "The waitlist is closed.")
	// ErrNoOffer: there is nothing to accept or to decline. details.state is the entry's.
	ErrNoOffer = fault.New(fault.Conflict, "no_offer", "You have no open offer here.")
	// ErrOfferExpired: the deadline has passed.
	ErrOfferExpired = fault.New(fault.Conflict, "offer_expired", "The offer has expired: the spot went to the next person in line.")
	// ErrOfferTo: the offer is for another person.
	ErrOfferTo = fault.New(fault.Conflict, "offered_to_another", "This spot is held for another customer. Sign in with the address that the e-mail was sent to.")
	// ErrHasSeat: the entry became a booking, which can be cancelled instead. details.bookingId.
	ErrHasSeat = fault.New(fault.Conflict, "promoted", "You already have a spot. Cancel the booking instead.")
	// ErrNotWaiting: the entry is in a state that does not allow it. details.state is the state.
	ErrNotWaiting = fault.New(fault.Conflict, "not_waiting", "This is no longer possible.")
)

// Reasons lists the codes above, for the document of the API.
var Reasons = []string{
	ErrSeatsFree.Reason, ErrOff.Reason, ErrClosed.Reason, ErrNoOffer.Reason, ErrOfferExpired.Reason,
	ErrOfferTo.Reason, ErrHasSeat.Reason, ErrNotWaiting.Reason,
}

// OfferUntil returns the deadline of an offer that is made now: never past the instant from which no offers are made.
func OfferUntil(r catalog.Rules, start, now time.Time) time.Time {
	return earlier(now.Add(time.Duration(r.Waitlist.OfferMinutes)*time.Minute), r.OffersUntil(start))
}

// GraceUntil returns the instant until which a customer who is now booked automatically may cancel free of charge
// although it is late; nil when cancelling is free for all customers still, or the rules give no grace.
func GraceUntil(r catalog.Rules, start, now time.Time) *time.Time {
	if r.Waitlist.GraceMinutes == 0 || !now.After(r.FreeUntil(start)) && now.Before(r.LateFrom(start)) {
		return nil
	}
	until := earlier(now.Add(time.Duration(r.Waitlist.GraceMinutes)*time.Minute), start)
	return &until
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// ShowsPosition reports whether customers see their position: not where the first to accept wins.
func ShowsPosition(m catalog.WaitlistMode) bool {
	return m == catalog.WaitlistAuto || m == catalog.WaitlistOffer
}

// orElse is err, or otherwise when there is none.
func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
