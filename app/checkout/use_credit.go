package checkout

import (
	"context"

	"foyer/app/tenancy"
	"foyer/billing/credit"
	"foyer/billing/tender"
)

// CartCredit is the account credit that the customer of a held cart has with the studio, in the cart's currency.
type CartCredit struct {
	FreeAmount int64 // without credit reserved for other payments of theirs
	Use        *bool // whether it pays first; nil: no choice yet, and it does not
}

// CreditOf returns the account credit that the signed-in person can use at the studio of a cart, in its currency. The
// cart shows it once they hold it.
func (s *Service) CreditOf(ctx context.Context, sc tenancy.Scope, c Cart) (int64, error) {
	return credit.FreeOf(ctx, s.db.View(sc.Tenant), sc.Person(), c.currency())
}

// UseCredit sets whether the account credit of the cart's holder pays first: all of the cart if it suffices, and else
// as much as leaves an amount that a card can pay. It is spent when the cart is booked; during the card payment of
// the remaining amount it is reserved, as long as the seats are held. A card payment with the other choice is
// canceled; if it succeeds all the same, it is refunded. The same choice again changes nothing. It returns the cart
// as it is then.
//
// It needs the session of the cart's holder. It returns:
//
//   - identity.ErrSignIn
//   - a not found error
//   - ErrOther, ErrOrdered
//   - ErrNotHeld for a cart that is not held
//   - ErrPaymentPending while a payment is in progress
func (s *Service) UseCredit(ctx context.Context, sc tenancy.Scope, token string, yes bool) (Cart, error) {
	return s.choosePrepaid(ctx, sc, token, choice{Kind: tender.AccountCredit, Used: yes})
}
