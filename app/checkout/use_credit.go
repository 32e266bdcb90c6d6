package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
)

// CartCredit is the account credit that the customer of a held cart has with the studio, in the cart's currency.
type CartCredit struct {
	FreeAmount int64 // without what is kept for other payments of theirs
	Use        *bool // whether it pays first; nil: they have not said, and it does not
}

// CreditOf is what whoever is signed in could pay with at the studio of a cart, in its currency. The cart tells it once they hold it.
func (s *Service) CreditOf(ctx context.Context, sc tenancy.Scope, c Cart) (int64, error) {
	return credit.FreeOf(ctx, s.db.View(sc.Tenant), sc.Person(), c.currency())
}

// UseCredit says whether the account credit of who holds the cart pays first: all of the cart if there is that much, and else as much as
// leaves a card nothing less than it can pay. It is taken when the cart is booked; while a card is paying the rest it is kept for that, as long
// as the seats are. A card payment that began with the other choice is given up; should its money come all the same, it goes back. Saying the
// same again changes nothing. It answers the cart as it is then.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; not found; ErrOther, ErrOrdered; ErrNotHeld for a cart that nobody
// has held; ErrPaymentPending while money is on its way.
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

// credited is what the customer may pay with, and whether they want to.
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

// hideCredit is for somebody who may look at the cart of another.
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

// toPay is the order of the cart, as it is paid with credit.
func (l *loaded) toPay(order uuid.UUID) lockedOrder {
	return lockedOrder{
		ID: order, LocationID: l.LocationID, CustomerID: l.Hold.CustomerID, Currency: l.currency(), CreditAmount: l.Totals.CreditAmount,
	}
}

// lockCredit locks the credit that pays for an order, if any does. credit.ErrShort when it is not there any more: of two carts at once the
// second hears that.
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

// spend takes the credit that pays for an order, and writes down what it paid for.
func (s *Service) spend(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, o lockedOrder) error {
	if err := o.lockCredit(ctx, tx); err != nil {
		return err
	}
	b := tx.Batch()
	rows := soldLines(b, tx, o.ID)
	if err := b.Send(ctx); err != nil {
		return err
	}
	_, err := s.billing.RecordPaymentTx(ctx, tx, sc, billing.ManualPaymentInput{
		LocationID: o.LocationID, OrderID: o.ID, CustomerID: o.CustomerID, Currency: o.Currency, Method: billing.MethodCredit,
		Parts: byCredit(*rows, o.CreditAmount),
	})
	return err
}
