package business

import (
	"context"
	"fmt"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// SetFeeRate sets the platform fee of a business in parts per million, for payments from now on. It is for the command
// line: only the system may, no role of the studio. Errors: policy.ErrOwnerOnly for everybody else, Validation on feePpm.
// A25.
func (s *Service) SetFeeRate(ctx context.Context, sc tenancy.Scope, ppm int64) (Business, error) {
	if sc.Kind != tenancy.ActorSystem {
		return Business{}, policy.ErrOwnerOnly.Say("Only the platform may do this.")
	}
	if ppm < 0 || ppm > MaxFeePPM {
		return Business{}, fault.Invalid("feePpm", fmt.Sprintf("Use 0 to %d parts per million.", MaxFeePPM))
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Business, error) {
		b, err := lockBusiness(ctx, tx)
		if err != nil {
			return Business{}, err
		}
		b.FeePPM = ppm
		return saveBusiness(ctx, tx, b)
	})
}
