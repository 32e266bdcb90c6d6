package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ApplyCode gives a cart the code of a discount, in place of one that it has. A code that takes nothing off is refused and changes
// nothing. What it takes off is asked again at every reading, and stays when the order is made: a code that is used up, over or changed
// by then changes the total, which is told as any change of the price is (ErrPriceChanged).
//
// Errors: Validation on body.code with the reason of discount.ErrUnknown, ErrNotYet, ErrOver, ErrUsedUp, ErrUsed, ErrNotFirst, ErrNotThis,
// ErrTooLittle (details.least, details.currency) or ErrNothingMore; not found for an unknown cart; booking.ErrPaymentStarted, ErrOther,
// ErrOrdered.
func (s *Service) ApplyCode(ctx context.Context, sc tenancy.Scope, token, code string) (Cart, error) {
	code, err := typed(code)
	if err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return s.tryCode(ctx, tx, l, token, code) })
}

// typed is a code as it is kept, if it can be one.
func typed(code string) (string, error) {
	switch code = discount.NormalizeCode(code); {
	case code == "":
		return "", fault.Invalid("code", "Type a code.")
	case len(code) > discount.CodeMax:
		return "", discount.ErrUnknown
	}
	return code, nil
}

// tryCode gives a cart a code that takes something off.
func (s *Service) tryCode(ctx context.Context, tx *pg.Tx, l loaded, token, code string) error {
	if err := setCode(ctx, tx, l.ID, code); err != nil {
		return err
	}
	hash, _ := hashOf(token, cartTokenChars)
	with, err := readCart(ctx, tx, s.billing.Env(), hash)
	if err == nil && with.Code.Problem != nil {
		err = with.Code.Problem
	}
	return err
}

// RemoveCode takes the code out of a cart. Without one nothing happens. Errors: not found; booking.ErrPaymentStarted, ErrOther, ErrOrdered.
func (s *Service) RemoveCode(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return setCode(ctx, tx, l.ID, "") })
}

// ApplyCodeAtPayment is ApplyCode for a cart that is held and being paid: its seats stay. A card payment that began at the total of before is
// given up; should its money come all the same, it goes back.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; ErrNotHeld for a cart that nobody has held; ErrPaymentPending
// while money is on its way; and those of ApplyCode.
func (s *Service) ApplyCodeAtPayment(ctx context.Context, sc tenancy.Scope, token, code string) (Cart, error) {
	code, err := typed(code)
	if err != nil {
		return Cart{}, err
	}
	return s.atPayment(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return s.tryCode(ctx, tx, l, token, code) })
}

// RemoveCodeAtPayment is RemoveCode for a cart that is held and being paid. Errors: those of ApplyCodeAtPayment but those of the code.
func (s *Service) RemoveCodeAtPayment(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	return s.atPayment(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return setCode(ctx, tx, l.ID, "") })
}

// atPayment changes what a held cart costs.
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

// lockToOrder is lock for a verb that may make an order: discounts that orders use up are locked too, and the cart is read as it is then.
func (s *Service) lockToOrder(ctx context.Context, tx *pg.Tx, token string, person uuid.UUID, how locking) (loaded, error) {
	l, err := s.lock(ctx, tx, token, person, how)
	if err != nil {
		return loaded{}, err
	}
	uses := l.limited()
	if len(uses) == 0 {
		return l, nil
	}
	if err := discount.LockTx(ctx, tx, uses); err != nil {
		return loaded{}, err
	}
	hash, _ := hashOf(token, cartTokenChars)
	return readCart(ctx, tx, s.billing.Env(), hash)
}
