package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Bookings are the functions that this package needs of booking and waitlist: a change of dates changes their
// bookings in the same transaction. cmd/foyer connects it.
type Bookings struct {
	// BookedTx returns the bookings and requests of these dates, by date, and locks the live holds and the bookings
	// there, each in the order of their ids. It is called before the dates are locked, and again after. Dates without
	// bookings are left out.
	BookedTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error)
	// CancelBookedTx cancels all bookings of these dates on behalf of the studio, with full refunds.
	CancelBookedTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates []uuid.UUID, why Because) ([]CancelledBooking, error)
	// RescheduleBookedTx reschedules all bookings of some dates to others, each to the first of its candidates with room,
	// and returns their number.
	RescheduleBookedTx func(
		ctx context.Context, tx *pg.Tx, sc tenancy.Scope, transfers []Transfer, why Because,
	) (int, error)
	// RetimeBookedTx updates the bookings of these rescheduled dates to the new times.
	RetimeBookedTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error
	// CloseWaitlistTx ends the waitlists of these dates.
	CloseWaitlistTx func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates []uuid.UUID, reason string) error
	// RoundTx runs the waitlists of these dates: they have more seats, or begin at another time. The dates are under
	// lock.
	RoundTx func(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error
	// NoticeTx sends the messages about changed dates, after the transaction, and returns the number of those to
	// customers.
	NoticeTx func(ctx context.Context, tx *pg.Tx, notices []Notice) (int, error)
}

// complete reports whether nothing is missing.
func (b Bookings) complete() bool {
	return b.BookedTx != nil && b.CancelBookedTx != nil && b.RescheduleBookedTx != nil && b.RetimeBookedTx != nil &&
		b.CloseWaitlistTx != nil && b.RoundTx != nil && b.NoticeTx != nil
}

// Because is the reason for cancelling or rescheduling bookings. Their customers are notified unless it is silent.
type Because struct {
	Reason string
	Silent bool
}

// Transfer is a date whose bookings are rescheduled, with the candidate dates, the nearest first.
type Transfer struct {
	From uuid.UUID
	To   []uuid.UUID
}

// CancelledBooking is the outcome of cancelling one booking.
type CancelledBooking struct {
	RefundAmount int64 // minor units of Currency; 0: no payment
	Currency     money.Currency
	CourseGoesOn bool // a date of a course that continues without it: no refund
}

// NoticeKind is the kind of a notice.
type NoticeKind string

// The kinds of notices.
const (
	NoticeRescheduled NoticeKind = "moved"       // the date is rescheduled
	NoticeCancelled   NoticeKind = "cancelled"   // it is cancelled
	NoticeRestored    NoticeKind = "restored"    // it is restored
	NoticeSubstituted NoticeKind = "substituted" // it has another instructor
	NoticeRoom        NoticeKind = "room"        // it is in another space
	NoticeUnassigned  NoticeKind = "taken"       // to an instructor: the date has another instructor now
	NoticeGiven       NoticeKind = "given"       // to an instructor: the date is assigned to them
)

// Notice is a message about one date: to all customers with a booking, or to one member of the team.
type Notice struct {
	Kind       NoticeKind
	DateID     uuid.UUID
	MemberID   *uuid.UUID // nil: to the customers
	Was        time.Time  // when it was to begin
	Instructor bool       // it has another instructor
	Room       bool       // it is in another space
	Reason     string     // the studio's words; may be empty
}
