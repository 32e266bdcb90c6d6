package checkout

import (
	"context"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Release lets the cart's seats go at once. A payment that began is given up at the processor; should it succeed before
// that, the money goes back. The items stay in the cart. Without a hold nothing happens. It needs the session of who
// holds the cart. Errors: identity.ErrSignIn, not found, ErrOther, ErrOrdered, ErrPaymentPending.
func (s *Service) Release(ctx context.Context, sc tenancy.Scope, token string) error {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		l, err := s.lock(ctx, tx, token, person, lockToUse)
		if err != nil {
			return struct{}{}, err
		}
		if err := s.ordered(l.Cart, person); err != nil {
			return struct{}{}, err
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return struct{}{}, err
		}
		h := l.Hold
		if h == nil {
			h = l.overdue
		}
		if h == nil {
			return struct{}{}, nil
		}
		return struct{}{}, booking.ReleaseTx(ctx, tx, sc, h.ID)
	})
	return err
}
