package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/schedule"
)

// HasTimesTx tells whether people could choose a time of an offering: catalog.Options.HasTimesTx. A class has a date
// ahead or a series that will give one; for an appointment and a rental somebody, or a space, has hours.
func HasTimesTx(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error) {
	class, err := isClass(ctx, tx, offering)
	if err != nil {
		return false, err
	}
	if !class {
		return hasHours(ctx, tx, offering)
	}
	return schedule.DatesOfOfferingTx(ctx, tx, offering)
}

// SpaceInUseTx tells whether a date ahead takes place in a space, a series will give one, or a published offering can be
// booked there: business.Options.SpaceInUseTx.
func SpaceInUseTx(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error) {
	used, err := rentedOut(ctx, tx, space)
	if err != nil || used {
		return used, err
	}
	return schedule.DatesInSpaceTx(ctx, tx, space)
}
