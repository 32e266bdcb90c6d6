package booking

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
)

// State is where a booking stands.
type State string

// The states that exist now.
const (
	Held      State = "held"      // counts, for as long as its hold lives
	Expired   State = "expired"   // the hold ended before it was confirmed; the seat is free
	Confirmed State = "confirmed" // counts
)

// Valid tells whether s is one of the states.
func (s State) Valid() bool { return s == Held || s == Expired || s == Confirmed }

// Counts tells whether a booking in this state takes a seat.
func (s State) Counts() bool { return s == Held || s == Confirmed }

// Move is a change of state, by the name that is kept as the reason in booking_moves.
type Move string

// The moves that exist now; the picture is in the package comment.
const (
	MoveHold    Move = "held"
	MoveConfirm Move = "confirmed"
	MoveExpire  Move = "expired"  // the time is over
	MoveRelease Move = "released" // the customer let go
	MoveRetake  Move = "retaken"  // paid too late, and the seat was still free
)

// moves is the whole table; "" is the state before the first. Statements take their states from here.
var moves = map[Move]struct{ from, to State }{
	MoveHold:    {"", Held},
	MoveConfirm: {Held, Confirmed},
	MoveExpire:  {Held, Expired},
	MoveRelease: {Held, Expired},
	MoveRetake:  {Expired, Confirmed},
}

// From is the state that the move leaves.
func (m Move) From() State { return moves[m].from }

// To is the state that the move leads to.
func (m Move) To() State { return moves[m].to }

// After returns the state after a move; ok is false when s does not allow it.
func (s State) After(m Move) (State, bool) {
	step, known := moves[m]
	if !known || step.from != s {
		return s, false
	}
	return step.to, true
}

// Booking is one seat of one customer on one date.
type Booking struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	CustomerID   uuid.UUID
	HoldID       *uuid.UUID // the hold it began as
	OrderID      *uuid.UUID // what it is sold with; nil before the payment began
	State        State
	Online       bool   // counts among the seats sold online
	Attendee     string // who is coming, when it is somebody else than the customer
	StartsAt     time.Time
	EndsAt       time.Time
	PriceAmount  int64 // as listed when it was held, in minor units of Currency
	Currency     money.Currency
	ConfirmedAt  *time.Time
	Version      int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Why a seat cannot be had. Each carries details.occurrenceId. A74.
var (
	ErrFull        = fault.New(fault.Conflict, "full", "This time is full.")
	ErrStarted     = fault.New(fault.Conflict, "started", "This has already begun.")
	ErrNotBookable = fault.New(fault.Conflict, "not_bookable", "This cannot be booked online.")
	ErrCancelled   = fault.New(fault.Conflict, "cancelled", "The studio has cancelled this time.")
	ErrDuplicate   = fault.New(fault.Conflict, "duplicate", "This person is already booked at this time.")
)

// Why a hold cannot be had or used.
var (
	// ErrTooManyHolds bounds what one person can keep from others. A74.
	ErrTooManyHolds = fault.New(fault.Conflict, "too_many_holds", "You are holding other times already. Finish or release one of them first.")
	// ErrHoldOver: the hold has expired or was released.
	ErrHoldOver = fault.New(fault.Conflict, "hold_expired", "Your time is up: the seats are no longer kept for you.")
	// ErrPaymentStarted: the seat is being paid for and cannot be let go.
	ErrPaymentStarted = fault.New(fault.Conflict, "payment_started", "This is being paid for right now.")
)

func at(e *fault.Error, occurrence uuid.UUID) error {
	return e.With("occurrenceId", occurrence.String())
}
