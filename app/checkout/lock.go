package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// lock locks the cart of a token for the verb that goes on with it. Once somebody holds a cart they are the only one who
// may use it; filling it takes the token alone.
func (s *Service) lock(ctx context.Context, tx *pg.Tx, token string, person uuid.UUID, how locking) (loaded, error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return loaded{}, fault.Missing()
	}
	var claim *uuid.UUID
	if how == lockToHold {
		claim = &person
	}
	bump := 1
	if how == lockToLook {
		bump = 0
	}
	l, err := lockCart(ctx, tx, s.billing.Env(), hash, bump, claim)
	if err != nil {
		return loaded{}, err
	}
	if how != lockToFill && l.PersonID != nil && *l.PersonID != person {
		return loaded{}, ErrOther
	}
	return l, nil
}

// locking says what a cart is locked for.
type locking int

const (
	lockToFill locking = iota // whoever has the token
	lockToHold                // the cart becomes the person's, if it is nobody's
	lockToUse                 // the person who holds it
	lockToLook                // the same, and nothing changes
)

// ordered is ErrOrdered or ErrRefunded for a cart that is done. Only who held it is told the way to the receipt.
func (s *Service) ordered(c Cart, person uuid.UUID) error {
	if c.State != CartOrdered || c.Order == nil {
		return nil
	}
	refusal := ErrOrdered
	if c.Order.State == OrderRefunded {
		refusal = ErrRefunded
	}
	if c.PersonID == nil || *c.PersonID != person {
		return refusal
	}
	return refusal.With("receiptToken", s.ReceiptToken(c.Order.ID))
}
