package booking

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
)

// State is the state of a booking.
type State string

// The states; the picture is in the package comment.
const (
	Held            State = "held"             // counts as long as its hold lives
	Expired         State = "expired"          // the hold ended before it was confirmed; the seat is available
	Requested       State = "requested"        // the studio has not decided yet; occupies no seat
	Declined        State = "declined"         // the studio declined the request
	Confirmed       State = "confirmed"        // counts
	Cancelled       State = "cancelled"        // by the customer, in time
	LateCancelled   State = "late_cancelled"   // by the customer, late
	StudioCancelled State = "studio_cancelled" // by the studio
	CheckedIn       State = "checked_in"       // checked in; counts
	NoShow          State = "no_show"          // the customer did not come; counts
	Completed       State = "completed"        // the customer attended, and the occurrence has ended; counts
)

// All lists them.
func (State) All() []State {
	return []State{Held, Expired, Requested, Declined, Confirmed, Cancelled, LateCancelled, StudioCancelled, CheckedIn, NoShow, Completed}
}

// SameAttendeeSQL is a condition for statements: two rows are for the same attendee. a and b are tables or aliases
// with the attendee's name and its names.Key. Rows from before there were keys are compared as they were typed.
func SameAttendeeSQL(a, b string) string {
	return "(" + a + ".attendee = " + b + ".attendee or " + a + ".attendee_key = " + b + ".attendee_key)"
}

// ActiveStatesSQL lists, for statements, the states in which the customer has a seat or may still get this very seat.
const ActiveStatesSQL = `('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed')`

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// TakesSeat reports whether a booking in this state occupies its seats.
func TakesSeat(s State) bool {
	return s == Held || s == Confirmed || s == CheckedIn || s == NoShow || s == Completed
}

// Live reports whether a booking in this state is upcoming or in progress: it can be rescheduled or ended.
func (s State) Live() bool { return s == Requested || s == Confirmed || s == CheckedIn }

// Transition is a change of state, by its name in booking_transitions.
type Transition string

// The transitions.
const (
	TransitionHold         Transition = "held"
	TransitionConfirm      Transition = "confirmed"
	TransitionRequest      Transition = "requested"   // confirmed by the customer; awaits approval
	TransitionExpire       Transition = "expired"     // the hold expired
	TransitionRelease      Transition = "released"    // the customer released the hold
	TransitionRetake       Transition = "retaken"     // paid too late, and the seat was still available
	TransitionBook         Transition = "booked"      // by the studio, for a customer
	TransitionPromote      Transition = "promoted"    // from the waitlist
	TransitionApprove      Transition = "approved"    // the seat is occupied again, under the lock
	TransitionDecline      Transition = "declined"    // everything is refunded
	TransitionReschedule   Transition = "rescheduled" // another time, the same booking
	TransitionRetime       Transition = "retimed"     // the date itself was rescheduled
	TransitionRelocate     Transition = "relocated"   // the date itself continues at another location
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

// From returns the state that the transition leaves, or the first of them.
func (t Transition) From() State { return table[t].from[0] }

// To returns the state after the transition; empty for one that does not change the state.
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
	OrderID      *uuid.UUID // the order that sells it; nil before the payment began, and when nothing was sold yet
	GroupID      *uuid.UUID // bookings that were made together
	CourseFrom   *time.Time // a date of a course: start of the first date of its group; nil otherwise
	State        State
	Online       bool   // counts among the seats sold online
	Party        int    // seats that it takes
	Attendee     string // the attendee, if not the customer
	Note         string // the studio's
	StartsAt     time.Time
	EndsAt       time.Time
	PriceAmount  int64 // as listed when it was held, in minor units of Currency
	Currency     money.Currency
	Rules        catalog.Rules // the policy from when the booking was made
	ConfirmedAt  *time.Time
	CancelledAt  *time.Time
	CheckedInAt  *time.Time
	CheckedOutAt *time.Time // checked out early
	Reschedules  int        // number of reschedulings by the customer
	ReviewAt     *time.Time // of a no-show: end of the studio's review of the fee
	GraceUntil   *time.Time // promoted late from the waitlist: cancelling is free until then
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// each makes a list of a list, one by one.
func each[R, T any](rows []R, one func(R) T) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = one(r)
	}
	return out
}
