package owed

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// Payment is the data for a browser to pay an amount due, with its receipt.
type Payment struct {
	checkout.Payment
	Receipt order.Receipt // the future one
	Failed  string        // the code of the failed charge of a saved card; empty: not tried, or not declined
}

// Pay begins the payment of an amount due, a fee or prices of bookings, by its customer, with the link: the token of
// its receipt. It is the payment that a saved card could not make, or the next one. It returns:
//
//   - a not found error, also for an order with a cart
//   - ErrNothingToPay if it is no longer due, or paid
//   - processor.ErrDown, processor.ErrCardUnavailable, billing.ErrPaymentCanceled
func (s *Service) Pay(ctx context.Context, sc tenancy.Scope, token string) (Payment, error) {
	chosen := func(_ *pg.Tx, _ dueOrder, p billing.Payment) (billing.Payment, error) { return p, nil }
	return s.payDue(ctx, sc, token, chosen, "")
}

// PaySaved is Pay with a card of CardsFor, which is charged: back is the address after the bank's check. A
// decline is the FailureCode. It needs the session of the customer. It returns the errors of Pay,
// identity.ErrSignIn and processor.ErrCardRemoved.
func (s *Service) PaySaved(ctx context.Context, sc tenancy.Scope, token string, card uuid.UUID, back string) (Payment, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Payment{}, err
	}
	choose := func(tx *pg.Tx, o dueOrder, p billing.Payment) (billing.Payment, error) {
		customer, found, err := customerOfOrder(ctx, tx, person, o.ID)
		if err = fault.When(!found, fault.Missing(), err); err != nil {
			return p, err
		}
		return s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: customer, CardID: card})
	}
	return s.payDue(ctx, sc, token, choose, back)
}

// payDue returns the payment of a receipt token's order; choose writes its payment method.
func (s *Service) payDue(ctx context.Context, sc tenancy.Scope, token string,
	choose func(tx *pg.Tx, o dueOrder, p billing.Payment) (billing.Payment, error), back string,
) (Payment, error) {
	o, err := s.findDueOrder(ctx, sc, token)
	if err != nil {
		return Payment{}, err
	}
	p, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (billing.Payment, error) {
		p, err := s.payOpen(ctx, tx, o)
		if err != nil {
			return p, err
		}
		return choose(tx, o, p)
	})
	if err != nil {
		return Payment{}, err
	}
	ready, err := s.billing.Attach(ctx, sc.Tenant, p, back)
	if err != nil {
		return Payment{}, err
	}
	r, err := order.ReceiptOf(ctx, s.db.View(sc.Tenant), o.ID)
	p = ready.Payment
	return Payment{Receipt: r, Failed: o.Failed, Payment: checkout.Payment{
		Status: p.Status, ClientSecret: ready.ClientSecret, AccountID: p.AccountID, PublishableKey: ready.PublishableKey,
		Amount: p.Amount, Currency: p.Currency, Test: p.Test(), RedirectURL: ready.RedirectURL, FailureCode: p.FailureCode,
	}}, err
}

// payOpen returns the payment of an open order whose amounts are all still due.
func (s *Service) payOpen(ctx context.Context, tx *pg.Tx, o dueOrder) (billing.Payment, error) {
	if err := billing.LockPaymentsTx(ctx, tx, []uuid.UUID{o.ID}); err != nil {
		return billing.Payment{}, err
	}
	due, err := lockStillDue(ctx, tx, o)
	if err != nil {
		return billing.Payment{}, err
	}
	if _, err := fees.DueTx(ctx, tx, o.Fees); errors.Is(err, fees.ErrNotDue) {
		due = false
	} else if err != nil {
		return billing.Payment{}, err
	}
	now, _, err := readDueOrder(ctx, tx, "id", o.ID)
	if err = fault.When(!due || now.State != order.Open, checkout.ErrNothingToPay, err); err != nil {
		return billing.Payment{}, err
	}
	return s.payment(ctx, tx, o.ID)
}

// Paid reads the payment of a fee or of prices from the processor when its customer returns. Nil means that it is
// paid. It returns:
//
//   - a not found error
//   - ErrNothingToPay if it was paid otherwise meanwhile, or is no longer due: the payment is then refunded
//   - ErrPaymentRequired, ErrPaymentPending
//   - processor.ErrDown
func (s *Service) Paid(ctx context.Context, sc tenancy.Scope, token string) error {
	o, err := s.findDueOrder(ctx, sc, token)
	if err = fault.When(o.State == order.Void, checkout.ErrNothingToPay, err); err != nil || o.State != order.Open {
		return err
	}
	return s.checkout.Await(ctx, sc.Tenant, o.ID)
}

func (s *Service) findDueOrder(ctx context.Context, sc tenancy.Scope, token string) (dueOrder, error) {
	hash, ok := order.TokenHash(token, order.ReceiptChars)
	if !ok {
		return dueOrder{}, fault.Missing()
	}
	o, found, err := readDueOrder(ctx, s.db.View(sc.Tenant), "receipt_hash", hash)
	return o, fault.When(!found, fault.Missing(), err)
}

// CardsFor returns the saved cards of the signed-in person that can pay the order of the receipt token, the newest
// first. There are none for a visitor who has the link and is not its customer.
func (s *Service) CardsFor(ctx context.Context, sc tenancy.Scope, token string) ([]billing.SavedCard, error) {
	o, err := s.findDueOrder(ctx, sc, token)
	if err != nil || sc.Person() == uuid.Nil {
		return nil, err
	}
	v := s.db.View(sc.Tenant)
	customer, found, err := customerOfOrder(ctx, v, sc.Person(), o.ID)
	if err != nil || !found {
		return nil, err
	}
	return s.billing.SavedCards(ctx, v, customer)
}
