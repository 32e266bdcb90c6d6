package notice

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Dismiss takes a failed mail off the list of what needs somebody: they were told in another way, or need not be. back puts it there
// again. Doing so twice is the same as once. Errors: policy.ErrMissingFeature (booking.manage where the mail is about), not found.
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
