package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// HasDatesTx tells whether a location has a date ahead or a series that will give one: business.Options.HasDatesTx.
func HasDatesTx(ctx context.Context, tx *pg.Tx, location uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "location_id", location)
}

// DatesOfOfferingTx reports whether an offering has a date ahead or a series that will give one.
func DatesOfOfferingTx(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "offering_id", offering)
}

// DatesInSpaceTx reports whether a date ahead takes place in a space or a series will give one there.
func DatesInSpaceTx(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "space_id", space)
}
