package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// PutAwayTx counts what is still to come of an offering and, when nobody is booked, closes the waitlists of its dates:
// catalog.Options.PutAwayTx.
func PutAwayTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (catalog.Ahead, error) {
	a, awaited, err := ahead(ctx, tx, offering)
	if err != nil || a.Bookings > 0 {
		return a, err
	}
	return a, CloseTx(ctx, tx, sc, awaited, "")
}
