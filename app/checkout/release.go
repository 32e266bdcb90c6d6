package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
	"foyer/policy"
)

// Release releases the cart's seats at once. A payment that began is canceled at the processor; if it succeeds before
// that, it is refunded. The items stay in the cart. Without a hold nothing happens. It needs the session of the
// cart's holder. It returns identity.ErrSignIn, a not found error, ErrOther, ErrOrdered and ErrPaymentPending.
func (s *Service) Release(ctx context.Context, sc tenancy.Scope, token string) error {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (struct{}, error) {
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.free(ctx, tx, sc, l)
	})
	return err
}

// use does something to a cart for its holder, unless it is done.
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

// holding returns the cart's hold, even an expired one that has not been ended; nil if there is none.
func (l *loaded) holding() *booking.Hold {
	if l.Hold != nil {
		return l.Hold
	}
	return l.overdue
}

// FreeHold releases the seats of a customer's hold, because the studio needs them. Like Release it cancels a payment
// that began; one that succeeds all the same is refunded. An expired hold is left as it is. It needs booking.manage
// at the cart's location. It returns a not found error, and ErrPaymentPending while a payment is in progress.
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
		l, err := s.lockCart(ctx, tx, hash, 1, nil)
		if err != nil {
			return err
		}
		if h := l.holding(); h == nil || h.ID != hold {
			return nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return err
		}
		return s.free(ctx, tx, sc, l)
	})
}

// free ends the hold of a locked cart.
func (s *Service) free(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded) error {
	if err := s.releaseItems(ctx, tx, l.kept()); err != nil {
		return err
	}
	if h := l.holding(); h != nil {
		return booking.ReleaseTx(ctx, tx, sc, h.ID)
	}
	return nil
}

// Extend gives the cart's hold ten more minutes, once, and never past thirty: by the customer's button, or during the
// bank's check. A second call changes nothing. It needs the session of the cart's holder. It returns
// identity.ErrSignIn, a not found error, ErrOther, ErrOrdered and booking.ErrHoldExpired.
func (s *Service) Extend(ctx context.Context, sc tenancy.Scope, token string) (booking.Hold, error) {
	return use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (booking.Hold, error) {
		if l.Hold == nil {
			return booking.Hold{}, booking.ErrHoldExpired
		}
		h, err := booking.ExtendTx(ctx, tx, *l.Hold)
		if err == nil && l.Order != nil && len(l.Totals.Prepaid) > 0 {
			err = tender.ExtendTx(ctx, tx, l.Order.ID, h.ExpiresAt)
		}
		return h, err
	})
}
