package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// ApplyCode applies a promo code to a cart, in place of an earlier one. A code that takes nothing off is refused and
// changes nothing. The discount is computed again at every reading, and stays when the order is made: a code that is
// used up, expired or changed by then changes the total, reported as any change of the price (ErrPriceChanged). It
// returns:
//
//   - a validation error on body.code with the reason of discount.ErrUnknown, ErrNotYet, ErrExpired, ErrUsedUp,
//     ErrUsed, ErrNotFirst, ErrMembers, ErrNotThis, ErrTooLittle (details.least, details.currency) or ErrNothingMore
//   - a not found error for an unknown cart
//   - booking.ErrPaymentStarted
//   - ErrOther, ErrOrdered
func (s *Service) ApplyCode(ctx context.Context, sc tenancy.Scope, token, code string) (Cart, error) {
	code, err := typed(code)
	if err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return s.tryCode(ctx, tx, l, token, code) })
}

// typed returns a code in its stored form, if it can be one.
func typed(code string) (string, error) {
	switch code = discount.NormalizeCode(code); {
	case code == "":
		return "", fault.Invalid("code", "Enter a code.")
	case len(code) > discount.CodeMax:
		return "", discount.ErrUnknown
	}
	return code, nil
}

// tryCode applies a code to a cart if it takes something off.
func (s *Service) tryCode(ctx context.Context, tx *pg.Tx, l loaded, token, code string) error {
	if err := setCode(ctx, tx, l.ID, code); err != nil {
		return err
	}
	hash, _ := order.TokenHash(token, cartTokenChars)
	with, err := s.readCart(ctx, tx, hash)
	if err == nil && with.Code.Problem != nil {
		err = with.Code.Problem
	}
	return err
}

// RemoveCode removes the code of a cart. Without one nothing happens. It returns a not found error,
// booking.ErrPaymentStarted, ErrOther and ErrOrdered.
func (s *Service) RemoveCode(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return setCode(ctx, tx, l.ID, "") })
}

// ApplyCodeAtPayment is ApplyCode for a cart that is held and being paid: its seats stay held. A card payment with
// the earlier total is canceled; if it succeeds all the same, it is refunded.
//
// It needs the session of the cart's holder. It returns identity.ErrSignIn, ErrNotHeld for a cart that is not held,
// ErrPaymentPending while a payment is in progress, and the errors of ApplyCode.
func (s *Service) ApplyCodeAtPayment(ctx context.Context, sc tenancy.Scope, token, code string) (Cart, error) {
	code, err := typed(code)
	if err != nil {
		return Cart{}, err
	}
	return s.atPayment(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return s.tryCode(ctx, tx, l, token, code) })
}

// RemoveCodeAtPayment is RemoveCode for a cart that is held and being paid. It returns the errors of
// ApplyCodeAtPayment, without those of the code.
func (s *Service) RemoveCodeAtPayment(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	return s.atPayment(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return setCode(ctx, tx, l.ID, "") })
}

// atPayment changes the price of a held cart.
func (s *Service) atPayment(ctx context.Context, sc tenancy.Scope, token string, change func(*pg.Tx, loaded) error) (Cart, error) {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (none struct{}, err error) {
		if l.PersonID == nil {
			return none, ErrNotHeld
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return none, err
		}
		return none, change(tx, l)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// lockToOrder is lock for a method that may make an order: its limited discounts and the plans of its holder are locked
// too, and the cart is read as it is then.
func (s *Service) lockToOrder(ctx context.Context, tx *pg.Tx, token string, person uuid.UUID, how locking) (loaded, error) {
	l, err := s.lock(ctx, tx, token, person, how)
	if err != nil {
		return loaded{}, err
	}
	uses, owned := l.limited(), l.memberships()
	if len(uses)+len(owned) == 0 {
		return l, nil
	}
	if err := discount.LockTx(ctx, tx, uses); err != nil {
		return loaded{}, err
	}
	if err := plan.LockTx(ctx, tx, owned); err != nil {
		return loaded{}, err
	}
	hash, _ := order.TokenHash(token, cartTokenChars)
	return s.readCart(ctx, tx, hash)
}
