package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
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

// FindCart tells in which business, and at which location, the cart of a token is. Who asks again is told from memory.
func (s *Service) FindCart(ctx context.Context, token string) (business, location uuid.UUID, found bool, err error) {
	hash, ok := hashOf(token, cartTokenChars)
	if !ok {
		return uuid.Nil, uuid.Nil, false, nil
	}
	p, found, err := s.db.CartOf(ctx, [32]byte(hash))
	return p.Business, p.Location, found, err
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
