package giftcard

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
)

// Use pays a held cart with a gift card, before account credit and a card, or with one more. It returns:
//
//   - giftcard.ErrTooMany and giftcard.ErrUnusable
//   - ErrBuysNone
//   - the errors of checkout.UseCredit
func (s *Service) Use(ctx context.Context, sc tenancy.Scope, token, code string) (checkout.Cart, error) {
	cart, err := s.o.Checkout.Cart(ctx, sc, token)
	switch {
	case err != nil:
		return checkout.Cart{}, err
	case cart.State == checkout.CartOpen && cart.Hold == nil:
		return checkout.Cart{}, checkout.ErrNotHeld
	case !cart.BelongsTo(sc.Person()):
		return checkout.Cart{}, checkout.ErrOther
	case cart.Sells(order.GiftCard):
		return checkout.Cart{}, ErrBuysNone
	}
	sc.Tenant = cart.BusinessID
	card, err := s.o.Cards.Try(ctx, sc, code, cart.Totals.Currency)
	if err != nil {
		return checkout.Cart{}, err
	}
	return s.o.Checkout.UsePrepaid(ctx, sc, token, tender.GiftCard, card.ID, true)
}

// Remove pays a held cart without a gift card, or without any: uuid.Nil. It returns the errors of checkout.UseCredit.
func (s *Service) Remove(ctx context.Context, sc tenancy.Scope, token string, card uuid.UUID) (checkout.Cart, error) {
	cart, err := s.o.Checkout.Cart(ctx, sc, token)
	for _, p := range cart.Sources {
		if err == nil && p.Kind == tender.GiftCard && (card == uuid.Nil || card == p.SourceID) {
			cart, err = s.o.Checkout.UsePrepaid(ctx, sc, token, tender.GiftCard, p.SourceID, false)
		}
	}
	return cart, err
}

// Balance returns the card of a code to whoever has the code. It returns giftcard.ErrTooMany and giftcard.ErrUnusable.
func (s *Service) Balance(ctx context.Context, sc tenancy.Scope, code string) (giftcard.Card, error) {
	return s.o.Cards.Try(ctx, sc, code, "")
}

// OfferedAt returns the terms of the gift cards of a location, for its visitors. It returns a not found error.
func (s *Service) OfferedAt(ctx context.Context, business, location uuid.UUID) (giftcard.Terms, error) {
	return giftcard.ReadTerms(ctx, s.o.DB.View(business), location)
}
