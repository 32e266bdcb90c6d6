package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// CloseTx closes the waitlists of dates that do not take place any more: whoever waits there is told, seats on
// offer go back, and nobody is asked again. reason is the studio's words for the log; it may be empty.
// It locks the occurrences, in the order of their ids, if the caller has not.
func CloseTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, occurrences []uuid.UUID, reason string) error {
	if len(occurrences) == 0 {
		return nil
	}
	entries, err := listsOf(ctx, tx, occurrences)
	if err != nil || len(entries) == 0 {
		return err
	}
	why := "the date was cancelled"
	if reason != "" {
		why += ": " + reason
	}
	closed, err := transit(ctx, tx, sc, TransitionClose, why, entries...)
	if err != nil {
		return err
	}
	for _, e := range closed {
		if err := enqueueLetter(ctx, tx, e.ID, LetterCancelled); err != nil {
			return err
		}
	}
	return booking.DropRoundsTx(ctx, tx, occurrences...)
}

// PutAwayTx counts what is still to come of an offering and, when nobody is booked, closes the waitlists of its dates:
// catalog.Options.PutAwayTx.
func PutAwayTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (catalog.Ahead, error) {
	a, awaited, err := ahead(ctx, tx, offering)
	if err != nil || a.Bookings > 0 {
		return a, err
	}
	return a, CloseTx(ctx, tx, sc, awaited, "")
}

// Calendar is what package schedule asks of bookings and waitlists when dates are cancelled, moved or given to somebody else.
func Calendar(b *booking.Service) schedule.Bookings {
	c := b.Calendar()
	c.CloseWaitlistTx = CloseTx
	return c
}
