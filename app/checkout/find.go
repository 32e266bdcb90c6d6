package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Cart returns a cart by its token, in one round trip. Prices are worked out at every reading: see Price. The price of
// a seat that is kept stays, and while the cart is being paid for everything does.
func (s *Service) Cart(ctx context.Context, sc tenancy.Scope, token string) (Cart, error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return Cart{}, fault.Missing()
	}
	l, err := readCart(ctx, s.db.View(sc.Tenant), s.billing.Env(), hash)
	return l.Cart, err
}

// FindCart tells in which business, and at which location, the cart of a token is.
func (s *Service) FindCart(ctx context.Context, token string) (business, location uuid.UUID, found bool, err error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return uuid.Nil, uuid.Nil, false, nil
	}
	p, found, err := findCart(ctx, s.db, hash)
	return p.BusinessID, p.LocationID, found, err
}

// FindReceipt tells in which business the order of a receipt token is.
func (s *Service) FindReceipt(ctx context.Context, token string) (business uuid.UUID, found bool, err error) {
	hash, ok := hashOf(token, receiptChars)
	if !ok {
		return uuid.Nil, false, nil
	}
	p, found, err := findOrder(ctx, s.db, hash)
	return p.BusinessID, found, err
}

// change locks the cart of a token, counts a change of it, and runs fn, which may say no. Who holds the cart is the only
// one who may go on; somebody without a session may, as long as nothing is said about persons.
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

// ordered is ErrOrdered or ErrRefunded for a cart that is done, with the way to its receipt.
func (s *Service) ordered(c Cart) error {
	if c.State != CartOrdered || c.Order == nil {
		return nil
	}
	if c.Order.State == OrderRefunded {
		return ErrRefunded.With("receiptToken", s.ReceiptToken(c.Order.ID))
	}
	return ErrOrdered.With("receiptToken", s.ReceiptToken(c.Order.ID))
}
