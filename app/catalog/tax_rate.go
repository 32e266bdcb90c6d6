package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// MoveTaxRateTx puts the successor of a tax rate on every offering that has the old one: business.Options.TaxRateMovedTx.
// It is an edit: versions go up.
func MoveTaxRateTx(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return moveRate(ctx, tx, old, successor)
}
