package walkin

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CheckOut lets a party go before its time is over: its seats are free from now on. The booking stays as it was sold,
// and so does its price. It takes every stay in a shared space, sold at the door or before. Somebody who has left already
// is left alone. It needs booking.manage at the location.
//
// Errors: not found for a booking that the location does not have, or that is no such stay; ErrState with details.state
// when nobody is there.
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
