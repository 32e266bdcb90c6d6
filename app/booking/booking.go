package booking

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
)

// State is where a booking stands.
type State string

// The states; the picture is in the package comment.
const (
	Held            State = "held"             // counts, for as long as its hold lives
	Expired         State = "expired"          // the hold ended before it was confirmed; the seat is free
	Requested       State = "requested"        // the studio has not said yes or no yet; no seat is taken
	Declined        State = "declined"         // the studio said no
	Confirmed       State = "confirmed"        // counts
	Cancelled       State = "cancelled"        // by the customer, in time
	LateCancelled   State = "late_cancelled"   // by the customer, late
	StudioCancelled State = "studio_cancelled" // by the studio
	CheckedIn       State = "checked_in"       // the customer is there; counts
	NoShow          State = "no_show"          // the customer did not come; counts
	Completed       State = "completed"        // the customer was there, and it is over; counts
)

// All lists them.
func (State) All() []State {
	return []State{Held, Expired, Requested, Declined, Confirmed, Cancelled, LateCancelled, StudioCancelled, CheckedIn, NoShow, Completed}
}

// SameAttendeeSQL is, for statements, the condition that two rows are for one person: those of these two tables or aliases, which have the
// attendee's name and its names.Key. Rows from before there were keys are compared as they were typed.
func SameAttendeeSQL(a, b string) string {
	return "(" + a + ".attendee = " + b + ".attendee or " + a + ".attendee_key = " + b + ".attendee_key)"
}

// ActiveStatesSQL are, for statements, the states in which the customer has, or may get, this very seat.
const ActiveStatesSQL = `('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed')`

// Valid tells whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// TakesSeat tells whether a booking in this state takes its seats.
func TakesSeat(s State) bool {
	return s == Held || s == Confirmed || s == CheckedIn || s == NoShow || s == Completed
}

// Live tells whether a booking in this state still lies ahead or goes on: it can be moved or ended.
func (s State) Live() bool { return s == Requested || s == Confirmed || s == CheckedIn }

// Transition is a change of state, by the name that is kept in booking_transitions.
type Transition string

// The transitions.
const (
	TransitionHold         Transition = "held"
	TransitionConfirm      Transition = "confirmed"
	TransitionRequest      Transition = "requested"   // confirmed by the customer; the studio has the last word
	TransitionExpire       Transition = "expired"     // the time is over
	TransitionRelease      Transition = "released"    // the customer let go
	TransitionRetake       Transition = "retaken"     // paid too late, and the seat was still free
	TransitionBook         Transition = "booked"      // by the studio, for a customer
	TransitionPromote      Transition = "promoted"    // from the waitlist
	TransitionApprove      Transition = "approved"    // the seat is taken again, under the lock
	TransitionDecline      Transition = "declined"    // all of the money goes back
	TransitionReschedule   Transition = "rescheduled" // another time, the same booking
	TransitionRetime       Transition = "retimed"     // the date itself was moved
	TransitionRelocate     Transition = "relocated"   // the date itself goes on at another location
	TransitionCancel       Transition = "cancelled"   // in time
	TransitionCancelLate   Transition = "cancelled_late"
	TransitionStudioCancel Transition = "cancelled_by_studio"
	TransitionCheckIn      Transition = "checked_in"
	TransitionUndoCheckIn  Transition = "check_in_undone"
	TransitionNoShow       Transition = "no_show"
	TransitionUndoNoShow   Transition = "no_show_undone"
	TransitionComplete     Transition = "completed"
)

// All lists them.
func (Transition) All() []Transition {
	return []Transition{
		TransitionHold, TransitionConfirm, TransitionRequest, TransitionExpire, TransitionRelease, TransitionRetake,
		TransitionBook, TransitionPromote, TransitionApprove, TransitionDecline, TransitionReschedule, TransitionRetime,
		TransitionRelocate, TransitionCancel, TransitionCancelLate, TransitionStudioCancel, TransitionCheckIn, TransitionUndoCheckIn,
		TransitionNoShow, TransitionUndoNoShow, TransitionComplete,
	}
}

// table is the whole table; "" is the state before the first, and as the state after: it stays. Statements take their
// states from here.
var table = map[Transition]struct {
	from []State
	to   State
}{
	TransitionHold:         {[]State{""}, Held},
	TransitionConfirm:      {[]State{Held}, Confirmed},
	TransitionRequest:      {[]State{Held, Expired}, Requested},
	TransitionExpire:       {[]State{Held}, Expired},
	TransitionRelease:      {[]State{Held}, Expired},
	TransitionRetake:       {[]State{Expired}, Confirmed},
	TransitionBook:         {[]State{""}, Confirmed},
	TransitionPromote:      {[]State{""}, Confirmed},
	TransitionApprove:      {[]State{Requested}, Confirmed},
	TransitionDecline:      {[]State{Requested}, Declined},
	TransitionReschedule:   {[]State{Confirmed}, Confirmed},
	TransitionRetime:       {[]State{Held, Requested, Confirmed, CheckedIn}, ""},
	TransitionRelocate:     {[]State{Requested, Confirmed, CheckedIn}, ""},
	TransitionCancel:       {[]State{Requested, Confirmed}, Cancelled},
	TransitionCancelLate:   {[]State{Confirmed}, LateCancelled},
	TransitionStudioCancel: {[]State{Requested, Confirmed, CheckedIn}, StudioCancelled},
	TransitionCheckIn:      {[]State{Confirmed}, CheckedIn},
	TransitionUndoCheckIn:  {[]State{CheckedIn, Completed}, Confirmed},
	TransitionNoShow:       {[]State{Confirmed}, NoShow},
	TransitionUndoNoShow:   {[]State{NoShow}, Confirmed},
	TransitionComplete:     {[]State{CheckedIn}, Completed},
}

// From is the state that the transition leaves, or the first of them.
func (t Transition) From() State { return table[t].from[0] }

// To is the state that the transition leads to; empty for one that leaves the state as it is.
func (t Transition) To() State { return table[t].to }

// After returns the state after a transition; ok is false when s does not allow it.
func (s State) After(t Transition) (State, bool) {
	if !slices.Contains(table[t].from, s) {
		return s, false
	}
	return cmp.Or(table[t].to, s), true
}

// Booking is the seats of one customer at one time: one seat of a class, or an appointment or a rental for a party.
type Booking struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	HoldID       *uuid.UUID // the hold it began as
	OrderID      *uuid.UUID // what it is sold with; nil before the payment began, and when nothing was sold yet
	GroupID      *uuid.UUID // bookings that were made together
	CourseFrom   *time.Time // a date of a course: when the first date of its group begins or began; nil otherwise
	State        State
	Online       bool   // counts among the seats sold online
	Party        int    // seats that it takes
	Attendee     string // who is coming, when it is somebody else than the customer
	Note         string // the studio's
	StartsAt     time.Time
	EndsAt       time.Time
	PriceAmount  int64 // as listed when it was held, in minor units of Currency
	Currency     money.Currency
	Rules        catalog.Rules // the policy as it was when the booking was made
	ConfirmedAt  *time.Time
	CancelledAt  *time.Time
	CheckedInAt  *time.Time
	CheckedOutAt *time.Time // left early
	Reschedules  int        // how often the customer moved it
	ReviewAt     *time.Time // of a no-show: until then the studio looks at the fee
	GraceUntil   *time.Time // promoted late from the waitlist: leaving is free until then
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// orNull is what a statement gets of an id that may be Nil.
func orNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

// each makes a list of a list, one by one.
func each[R, T any](rows []R, one func(R) T) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = one(r)
	}
	return out
}
