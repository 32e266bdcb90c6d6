package walkin

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CheckOut checks a party out before the end of its stay: its seats are available from now on. The booking and its
// price stay as they were sold. It accepts every stay in a shared space, sold as a walk-in or before. A party that
// has left already stays so. It needs booking.manage at the location.
//
// Errors: not found for a booking that the location does not have, or that is no such stay; ErrState with
// details.state when the party is not checked in.
func (s *Service) CheckOut(ctx context.Context, sc tenancy.Scope, location, id uuid.UUID) (Stay, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Stay{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Stay, error) {
		if err := atDoor(ctx, tx, sc, location); err != nil {
			return Stay{}, err
		}
		stay, err := lockStay(ctx, tx, location, id)
		if err != nil {
			return Stay{}, err
		}
		if stay.CheckedOutAt != nil {
			return stay, nil
		}
		if stay.State != booking.CheckedIn {
			return Stay{}, booking.WrongState(stay.State)
		}
		return leave(ctx, tx, stay)
	})
}
