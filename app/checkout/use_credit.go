package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/credit"
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
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (struct{}, error) {
		switch {
		case l.PersonID == nil:
			return struct{}{}, ErrNotHeld
		case l.useCredit != nil && *l.useCredit == yes:
			return struct{}{}, nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, setUseCredit(ctx, tx, l.ID, yes)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// credited sets the credit that the customer may use, and their choice.
func (l *loaded) credited(f cartRow) {
	l.useCredit = f.UseCredit
	if l.Hold == nil || f.FreeCredit <= 0 {
		return
	}
	l.Credit = &CartCredit{FreeAmount: f.FreeCredit, Use: f.UseCredit}
	if f.UseCredit != nil && *f.UseCredit {
		l.terms.CreditAmount = f.FreeCredit
	}
}

// hideCredit hides the credit from a viewer other than the holder.
func (l *loaded) hideCredit() {
	l.Credit = nil
	if l.Totals.CreditAmount == 0 {
		return
	}
	l.Totals.CreditAmount = 0
	if l.ordered {
		return
	}
	l.terms.CreditAmount, l.terms.Tender = 0, ""
	terms := l.terms
	q, _, card := l.payable(terms)
	l.Totals, l.Card = q.Totals, card
	if l.Deposit != nil {
		l.Deposit = l.choice(terms)
	}
}

// toPay returns the order of the cart, as it is paid with credit.
func (l *loaded) toPay(orderID uuid.UUID) lockedOrder {
	return lockedOrder{
		ID: orderID, LocationID: l.LocationID, CustomerID: l.Hold.CustomerID, Currency: l.currency(), CreditAmount: l.Totals.CreditAmount,
	}
}

// lockCredit locks the credit that pays for an order, if any does. It returns credit.ErrShort if it is no longer
// available: the second of two carts at once gets that.
func (o lockedOrder) lockCredit(ctx context.Context, tx *pg.Tx) error {
	if o.CreditAmount == 0 {
		return nil
	}
	has, err := credit.LockForTx(ctx, tx, o.CustomerID, o.Currency, o.ID)
	if err == nil && has.Free() < o.CreditAmount {
		err = credit.ErrShort.With("creditAmount", has.Free())
	}
	return err
}

// spend spends the credit that pays for an order.
func (s *Service) spend(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, o lockedOrder) error {
	if err := o.lockCredit(ctx, tx); err != nil {
		return err
	}
	return s.billing.CaptureCreditTx(ctx, tx, sc, o.ID)
}
