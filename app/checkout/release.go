package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Release lets the cart's seats go at once. A payment that began is given up at the processor; should it succeed before
// that, the money goes back. The items stay in the cart. Without a hold nothing happens. It needs the session of who
// holds the cart. Errors: identity.ErrSignIn, not found, ErrOther, ErrOrdered, ErrPaymentPending.
func (s *Service) Release(ctx context.Context, sc tenancy.Scope, token string) error {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (struct{}, error) {
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return struct{}{}, err
		}
		if h := l.holding(); h != nil {
			return struct{}{}, booking.ReleaseTx(ctx, tx, sc, h.ID)
		}
		return struct{}{}, nil
	})
	return err
}

// use does something to a cart for the person who holds it, unless it is done.
func use[T any](ctx context.Context, s *Service, sc tenancy.Scope, token string, do func(*pg.Tx, loaded) (T, error)) (out T, err error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return out, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (T, error) {
		var none T
		l, err := s.lock(ctx, tx, token, person, lockToUse)
		if err != nil {
			return none, err
		}
		if err := s.ordered(l.Cart, person); err != nil {
			return none, err
		}
		return do(tx, l)
	})
}

// holding is the cart's hold, also one past its time that nobody has ended; nil when there is none.
func (l *loaded) holding() *booking.Hold {
	if l.Hold != nil {
		return l.Hold
	}
	return l.overdue
}

// FreeHold lets the seats of somebody's hold go, because the studio needs them. Like Release it gives a payment up that
// began; money that comes all the same goes back. A hold that is over already is left as it is. It needs booking.manage at
// the cart's location. Errors: not found; ErrPaymentPending while money is on its way.
func (s *Service) FreeHold(ctx context.Context, sc tenancy.Scope, hold uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		location, hash, err := cartOfHold(ctx, tx, hold)
		if err != nil {
			return err
		}
		if err := policy.RequireAt(sc, policy.BookingManage, location); err != nil {
			return err
		}
		l, err := lockCart(ctx, tx, s.billing.Env(), hash, 1, nil)
		if err != nil {
			return err
		}
		if h := l.holding(); h == nil || h.ID != hold {
			return nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return err
		}
		return booking.ReleaseTx(ctx, tx, sc, hold)
	})
}

// Extend gives the cart's hold ten more minutes, once, and never past thirty: by the customer's button, or while their
// bank asks them. Repeating it changes nothing. It needs the session of who holds the cart. Errors: identity.ErrSignIn,
// not found, ErrOther, ErrOrdered, booking.ErrHoldExpired.
func (s *Service) Extend(ctx context.Context, sc tenancy.Scope, token string) (booking.Hold, error) {
	return use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (booking.Hold, error) {
		if l.Hold == nil {
			return booking.Hold{}, booking.ErrHoldExpired
		}
		h, err := booking.ExtendTx(ctx, tx, *l.Hold)
		if err == nil && l.Order != nil && l.Totals.CreditAmount > 0 {
			err = setCreditUntil(ctx, tx, l.Order.ID, h.ExpiresAt)
		}
		return h, err
	})
}
