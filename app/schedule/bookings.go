package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Bookings is what this package asks of the one that knows who is booked: it decides about dates, and whoever is booked on
// them has to follow in the same transaction. cmd/foyer connects it to packages booking and waitlist.
type Bookings struct {
	// BookedTx returns the bookings of these dates, by date, of who has a seat and of who has asked for one, and locks the
	// live holds and the bookings there, each in the order of their ids: it is asked before the dates are locked, and again
	// after. Dates without bookings are left out.
	BookedTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error)
	// CancelBookedTx cancels all bookings of these dates because the studio does: everything is given back.
	CancelBookedTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates []uuid.UUID, why Because) ([]CancelledBooking, error)
	// MoveBookedTx moves all bookings of some dates to others, each to the first of its candidates that has room, and says
	// how many.
	MoveBookedTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, transfers []Transfer, why Because) (int, error)
	// RetimeBookedTx lets the bookings of these dates, which have been moved, take place when their dates do.
	RetimeBookedTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error
	// CloseWaitlistTx ends the waitlists of these dates.
	CloseWaitlistTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates []uuid.UUID, reason string) error
	// RoundTx has the waitlists of these dates looked at: they have more seats, or begin at another time. The dates are
	// under lock.
	RoundTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error
	// NoticeTx sends the messages about dates that have changed, after the transaction, and returns how many of them go to
	// customers.
	NoticeTx func(ctx context.Context, tx *pg.Tx, notices []Notice) (int, error)
}

// complete reports whether nothing is missing.
func (b Bookings) complete() bool {
	return b.BookedTx != nil && b.CancelBookedTx != nil && b.MoveBookedTx != nil && b.RetimeBookedTx != nil &&
		b.CloseWaitlistTx != nil && b.RoundTx != nil && b.NoticeTx != nil
}

// Because is why bookings are cancelled or moved. Their customers are notified unless it is silent.
type Because struct {
	Reason string
	Silent bool
}

// Transfer is a date that loses its bookings, with the dates that could take them, the nearest first.
type Transfer struct {
	From uuid.UUID
	To   []uuid.UUID
}

// CancelledBooking is what became of a booking.
type CancelledBooking struct {
	RefundAmount int64 // minor units of Currency; 0: nothing was paid
	Currency     money.Currency
	CourseGoesOn bool // a date of a course that goes on without it, so that nothing is given back
}

// NoticeKind is what a notice tells.
type NoticeKind string

// The kinds of notices.
const (
	NoticeMoved       NoticeKind = "moved"       // the date takes place at another time
	NoticeCancelled   NoticeKind = "cancelled"   // it does not take place
	NoticeRestored    NoticeKind = "restored"    // it takes place after all
	NoticeSubstituted NoticeKind = "substituted" // another instructor teaches
	NoticeRoom        NoticeKind = "room"        // it takes place in another space
	NoticeTaken       NoticeKind = "taken"       // to an instructor: the date is somebody else's now
	NoticeGiven       NoticeKind = "given"       // to an instructor: the date is theirs now
)

// Notice is a message about one date: to everybody who is booked on it, or to one member of the team.
type Notice struct {
	Kind       NoticeKind
	DateID     uuid.UUID
	MemberID   *uuid.UUID // nil: to the customers
	Was        time.Time  // when it was to begin
	Instructor bool       // another one teaches
	Room       bool       // it is in another space
	Reason     string     // the studio's words; may be empty
}
