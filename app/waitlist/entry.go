package waitlist

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
)

// State is where an entry of a waitlist stands; the picture is in doc.go.
type State string

// The states.
const (
	Waiting  State = "waiting"
	Offered  State = "offered"         // its party is kept for it until the offer ends
	Promoted State = "promoted"        // it became a booking
	Declined State = "declined"        // the customer said no to the offer
	Expired  State = "offer_expired"   // nobody answered; the next one was asked
	Skipped  State = "skipped_payment" // could not be paid for, or the studio asked the next one
	Left     State = "left"
	Closed   State = "closed" // the time for asking is over, the date was cancelled, or there is nothing to wait for
)

// All lists them.
func (State) All() []State {
	return []State{Waiting, Offered, Promoted, Declined, Expired, Skipped, Left, Closed}
}

// OnList tells whether an entry in this state may still get a seat: it is asked now or later.
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
	TransitionSkip    Transition = "pass"  // over to the next one
	TransitionAgain   Transition = "again" // everybody was asked: the list starts from the top
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

// PaymentChoice is how a seat from the waitlist will be paid for.
type PaymentChoice string

// What a choice does so far: whatever it is, the customer is asked, and only payByCard needs consent.
const (
	payAsk    PaymentChoice = "ask"
	payByCard PaymentChoice = "card"
)

// All lists them.
func (PaymentChoice) All() []PaymentChoice {
	return []PaymentChoice{payAsk, "plan", "best_plan", payByCard}
}

// Entry is one entry of the waitlist of a date: a customer, or somebody they book for, who wants a party of seats there.
type Entry struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	OfferingID     uuid.UUID
	OccurrenceID   uuid.UUID
	CustomerID     uuid.UUID
	PersonID       *uuid.UUID // who may accept; nil: whoever signs in with the customer's address
	State          State
	Rank           int64 // lower is sooner
	Party          int   // seats
	Attendee       string
	PaymentChoice  PaymentChoice
	ConsentAt      *time.Time // to a saved card being charged
	DropIfPromoted bool
	OfferedAt      *time.Time // the last offer
	OfferUntil     *time.Time // while one is open
	BookingID      *uuid.UUID // what it became
	Version        int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Open tells whether the entry has an offer at that time. One past its time is over for everybody, whether or not the
// sweep has been there.
func (w Entry) Open(now time.Time) bool {
	return w.State == Offered && w.OfferUntil != nil && now.Before(*w.OfferUntil)
}

// The bounds of an entry.
const (
	PartyMax  = 100
	rankSpace = 1 << 20 // between the ranks of two who join after each other: room for those who are moved
)

// Why somebody cannot wait, or cannot have the seat. A74.
var (
	// ErrSeatsFree: there is no need to wait: the seats can be booked. details.spots is how many.
	ErrSeatsFree = fault.New(fault.Conflict, "seats_free", "There is room: book it instead.")
	// ErrOff: there is none for this.
	ErrOff = fault.New(fault.Conflict, "waitlist_off", "There is no waitlist for this.")
	// ErrClosed: from details.at on nobody is added or asked.
	ErrClosed = fault.New(fault.Conflict, "waitlist_closed", "The waitlist is closed.")
	// ErrNoOffer: there is nothing to accept or to decline. details.state is the entry's.
	ErrNoOffer = fault.New(fault.Conflict, "no_offer", "Nothing is on offer to you here.")
	// ErrOfferExpired: the time for answering is over.
	ErrOfferExpired = fault.New(fault.Conflict, "offer_expired", "The time for answering is over: the place went to the next in line.")
	// ErrOfferTo: the place is for somebody else.
	ErrOfferTo = fault.New(fault.Conflict, "offered_to_another", "This place is kept for somebody else. Sign in with the address that the mail came to.")
	// ErrHasSeat: the entry became a booking; that is what can be cancelled. details.bookingId.
	ErrHasSeat = fault.New(fault.Conflict, "promoted", "You have got a seat already. Cancel the booking instead.")
	// ErrNotWaiting: the entry is in a state that does not allow it. details.state is the state.
	ErrNotWaiting = fault.New(fault.Conflict, "not_waiting", "This is not possible any more.")
)

// Reasons lists the codes above, for the document of the API.
var Reasons = []string{
	ErrSeatsFree.Reason, ErrOff.Reason, ErrClosed.Reason, ErrNoOffer.Reason, ErrOfferExpired.Reason,
	ErrOfferTo.Reason, ErrHasSeat.Reason, ErrNotWaiting.Reason,
}

// OfferUntil is how long an offer that is made now stands: never past the instant from which nobody is asked.
func OfferUntil(r catalog.Rules, start, now time.Time) time.Time {
	return earlier(now.Add(time.Duration(r.Waitlist.OfferMinutes)*time.Minute), r.AsksUntil(start))
}

// GraceUntil is how long somebody who is booked from the list now, unasked, may leave free of charge although it is late;
// nil when cancelling is free for everybody still, or the rules give no grace.
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

// ShowsPosition tells whether those who wait are told how many are before them: not where the first to answer wins.
func ShowsPosition(m catalog.WaitlistMode) bool {
	return m == catalog.WaitlistAuto || m == catalog.WaitlistOffer
}

// orElse is err, or what to say when there is none.
func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
