package business

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// AtAddress returns the business at the first part of a public address: its own, or that of one of its locations. It
// serves the command line. Errors: fault.Missing.
func AtAddress(ctx context.Context, db *pg.DB, slug string) (Business, error) {
	f, err := findSlug(ctx, db.View(uuid.Nil), strings.ToLower(slug))
	if err != nil {
		return Business{}, err
	}
	return BusinessOf(ctx, db.View(f.Business))
}

// SetFeeRate sets the platform fee of a business in parts per million, for future payments. It serves the command
// line: the system sets it, no role of the studio may. Errors: fault.Missing, Validation on feePpm. A25.
func SetFeeRate(ctx context.Context, db *pg.DB, id uuid.UUID, ppm int64) (Business, error) {
	if ppm < 0 || ppm > MaxFeePPM {
		return Business{}, fault.Invalid("feePpm", fmt.Sprintf("Use 0 to %d parts per million.", MaxFeePPM))
	}
	ctx = tenancy.Acting(ctx, tenancy.System(id, tenancy.SurfaceCLI))
	return pg.InTx(ctx, db, id, func(tx *pg.Tx) (Business, error) {
		b, err := lockBusiness(ctx, tx)
		if err != nil {
			return Business{}, err
		}
		b.FeePPM = ppm
		return saveBusiness(ctx, tx, b)
	})
}
