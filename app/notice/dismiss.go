package notice

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Dismiss removes a failed mail from the list of problems: the recipient was informed otherwise, or need not be. back
// restores it. A repeated call changes nothing. Errors: policy.ErrMissingFeature (booking.manage at the mail's
// location), not found.
func (s *Service) Dismiss(ctx context.Context, sc tenancy.Scope, mail uuid.UUID, back bool) error {
	cover, err := policy.Where(sc, policy.BookingManage)
	if err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		found, err := dismissed(ctx, tx, cover, mail, !back)
		if err == nil && !found {
			err = fault.Missing()
		}
		return struct{}{}, err
	})
	return err
}
