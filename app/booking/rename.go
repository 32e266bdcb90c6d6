package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// RenameTx says who is coming in the place of a held booking, or of those of a course. The caller holds the lock of the cart.
// Errors: ErrDuplicate when the customer has a seat for that person on such a date already; ErrHoldOver when one is not held
// any more.
func RenameTx(ctx context.Context, tx *pg.Tx, attendee string, bookings ...uuid.UUID) error {
	renamed, held, err := renameSeats(ctx, tx, bookings, attendee)
	switch {
	case err != nil || renamed == len(bookings):
		return err
	case held == len(bookings):
		return ErrDuplicate
	}
	return ErrHoldOver
}
