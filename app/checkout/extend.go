package checkout

import (
	"context"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Extend gives the cart's hold ten more minutes, once, and never past thirty: by the customer's button, or while their
// bank asks them. Repeating it changes nothing. It needs the session of who holds the cart. Errors: identity.ErrSignIn,
// not found, ErrOther, ErrOrdered, booking.ErrHoldOver.
func (s *Service) Extend(ctx context.Context, sc tenancy.Scope, token string) (booking.Hold, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return booking.Hold{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (booking.Hold, error) {
		l, err := s.lock(ctx, tx, token, person, lockToUse)
		if err != nil {
			return booking.Hold{}, err
		}
		if err := s.ordered(l.Cart, person); err != nil {
			return booking.Hold{}, err
		}
		if l.Hold == nil {
			return booking.Hold{}, booking.ErrHoldOver
		}
		return booking.ExtendTx(ctx, tx, *l.Hold)
	})
}
