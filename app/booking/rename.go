package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// RenameTx says who is coming in the place of a held booking. The caller holds the lock of the cart. Errors: ErrDuplicate
// when the customer has a seat for that person on this date already; ErrHoldOver when it is not held any more.
func RenameTx(ctx context.Context, tx *pg.Tx, booking uuid.UUID, attendee string) error {
	renamed, held, err := renameSeat(ctx, tx, booking, attendee)
	switch {
	case err != nil || renamed:
		return err
	case held:
		return ErrDuplicate
	}
	return ErrHoldOver
}
