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

// DropTx lets one seat of a hold go; the others stay kept. A booking that is not held any more is left alone.
func DropTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, booking uuid.UUID) error {
	_, err := dropSeat(ctx, tx, sc, booking)
	return err
}
