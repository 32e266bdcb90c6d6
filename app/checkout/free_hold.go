package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// FreeHold lets the seats of somebody's hold go, because the studio needs them. Like Release it gives a payment up that
// began; money that comes all the same goes back. A hold that is over already is left as it is. It needs booking.manage at
// the cart's location. Errors: not found; ErrPaymentPending while money is on its way.
func (s *Service) FreeHold(ctx context.Context, sc tenancy.Scope, hold uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return err
	}
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		location, hash, err := cartOfHold(ctx, tx, hold)
		if err != nil {
			return struct{}{}, err
		}
		if err := policy.RequireAt(sc, policy.BookingManage, location); err != nil {
			return struct{}{}, err
		}
		l, err := lockCart(ctx, tx, s.billing.Env(), hash, 1, nil)
		if err != nil {
			return struct{}{}, err
		}
		h := l.Hold
		if h == nil {
			h = l.overdue
		}
		if h == nil || h.ID != hold {
			return struct{}{}, nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, booking.ReleaseTx(ctx, tx, sc, hold)
	})
	return err
}
