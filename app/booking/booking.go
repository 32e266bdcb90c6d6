package booking

import (
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
func (State) All() []State { return States }

// States lists them all.
var States = []State{Held, Expired, Requested, Declined, Confirmed, Cancelled, LateCancelled, StudioCancelled, CheckedIn, NoShow, Completed}

// Standing are, for statements, the states in which the customer has, or may get, this very seat.
const Standing = `('held', 'requested', 'confirmed', 'checked_in', 'no_show', 'completed')`

// Valid tells whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// TakesSeat tells whether a booking in this state takes its seats.
func TakesSeat(s State) bool {
	switch s {
	case Held, Confirmed, CheckedIn, NoShow, Completed:
		return true
	}
	return false
}

// Live tells whether a booking in this state still lies ahead or goes on: it can be moved or ended.
func (s State) Live() bool { return s == Requested || s == Confirmed || s == CheckedIn }

// Move is a change of state, by the name that is kept in booking_moves.
type Move string

// The moves.
const (
	MoveHold         Move = "held"
	MoveConfirm      Move = "confirmed"
	MoveRequest      Move = "requested"   // confirmed by the customer; the studio has the last word
	MoveExpire       Move = "expired"     // the time is over
	MoveRelease      Move = "released"    // the customer let go
	MoveRetake       Move = "retaken"     // paid too late, and the seat was still free
	MoveBook         Move = "booked"      // by the studio, for a customer
	MovePromote      Move = "promoted"    // from the waitlist
	MoveApprove      Move = "approved"    // the seat is taken again, under the lock
	MoveDecline      Move = "declined"    // all of the money goes back
	MoveReschedule   Move = "rescheduled" // another time, the same booking
	MoveRetime       Move = "retimed"     // the date itself was moved
	MoveCancel       Move = "cancelled"   // in time
	MoveCancelLate   Move = "cancelled_late"
	MoveStudioCancel Move = "cancelled_by_studio"
	MoveCheckIn      Move = "checked_in"
	MoveUndoCheckIn  Move = "check_in_undone"
	MoveNoShow       Move = "no_show"
	MoveUndoNoShow   Move = "no_show_undone"
	MoveComplete     Move = "completed"
)

// All lists them.
func (Move) All() []Move {
	return []Move{
		MoveHold, MoveConfirm, MoveRequest, MoveExpire, MoveRelease, MoveRetake, MoveBook, MovePromote, MoveApprove,
		MoveDecline, MoveReschedule, MoveRetime, MoveCancel, MoveCancelLate, MoveStudioCancel, MoveCheckIn,
		MoveUndoCheckIn, MoveNoShow, MoveUndoNoShow, MoveComplete,
	}
}

// moves is the whole table; "" is the state before the first, and as the state after: it stays. Statements take their
// states from here.
var moves = map[Move]struct {
	from []State
	to   State
}{
	MoveHold:         {[]State{""}, Held},
	MoveConfirm:      {[]State{Held}, Confirmed},
	MoveRequest:      {[]State{Held, Expired}, Requested},
	MoveExpire:       {[]State{Held}, Expired},
	MoveRelease:      {[]State{Held}, Expired},
	MoveRetake:       {[]State{Expired}, Confirmed},
	MoveBook:         {[]State{""}, Confirmed},
	MovePromote:      {[]State{""}, Confirmed},
	MoveApprove:      {[]State{Requested}, Confirmed},
	MoveDecline:      {[]State{Requested}, Declined},
	MoveReschedule:   {[]State{Confirmed}, Confirmed},
	MoveRetime:       {[]State{Held, Requested, Confirmed, CheckedIn}, ""},
	MoveCancel:       {[]State{Requested, Confirmed}, Cancelled},
	MoveCancelLate:   {[]State{Confirmed}, LateCancelled},
	MoveStudioCancel: {[]State{Requested, Confirmed, CheckedIn}, StudioCancelled},
	MoveCheckIn:      {[]State{Confirmed}, CheckedIn},
	MoveUndoCheckIn:  {[]State{CheckedIn, Completed}, Confirmed},
	MoveNoShow:       {[]State{Confirmed}, NoShow},
	MoveUndoNoShow:   {[]State{NoShow}, Confirmed},
	MoveComplete:     {[]State{CheckedIn}, Completed},
}

// Moves lists the moves there are, in no order.
func Moves() []Move {
	out := make([]Move, 0, len(moves))
	for m := range moves {
		out = append(out, m)
	}
	return out
}

// From is the state that the move leaves, or the first of them.
func (m Move) From() State { return moves[m].from[0] }

// To is the state that the move leads to; empty for one that leaves the state as it is.
func (m Move) To() State { return moves[m].to }

// After returns the state after a move; ok is false when s does not allow it.
func (s State) After(m Move) (State, bool) {
	step, known := moves[m]
	if !known || !slices.Contains(step.from, s) {
		return s, false
	}
	if step.to == "" {
		return s, true
	}
	return step.to, true
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
