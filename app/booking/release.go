package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ReleaseTx lets the seats of a hold go at once. A hold that is not live is left alone. The caller holds the lock of the
// cart, and has seen to a payment that began.
func ReleaseTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, hold uuid.UUID) error {
	_, err := endHolds(ctx, tx, sc, MoveRelease, hold)
	return err
}

// DropTx lets some seats of a hold go: one, or those of a course; the others stay kept. Bookings that are not held any more
// are left alone.
func DropTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, bookings ...uuid.UUID) error {
	return dropSeats(ctx, tx, sc, bookings)
}
