package checkout

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// FeePayment is what a browser needs to pay what somebody owes, and what it is for.
type FeePayment struct {
	Payment
	Receipt Receipt // that it will have
	Failed  string  // why the saved card could not be charged, by its code; empty: that was not tried, or it was not declined
}

// PayFee begins the payment of a fee, or of prices of bookings, by their customer, who has its link: the token of its receipt. It is the
// payment that a saved card could not make, or the next one. Errors: not found, also for what has a cart; ErrNothingToPay when it is not owed
// any more, or paid; billing.ErrProcessorDown, billing.ErrCardUnavailable, billing.ErrPaymentCanceled.
func (s *Service) PayFee(ctx context.Context, sc tenancy.Scope, token string) (FeePayment, error) {
	return s.payOwed(ctx, sc, token, func(_ *pg.Tx, _ owedOrder, p billing.Payment) (billing.Payment, error) { return p, nil }, "")
}

// PayOwedSaved is PayFee with a card of CardsFor, which is charged: back is where its bank leads to when it asks the customer first. That the
// card was declined is the FailureCode. It needs the session of the customer. Errors: those of PayFee; identity.ErrSignIn; billing.ErrCardRemoved.
func (s *Service) PayOwedSaved(ctx context.Context, sc tenancy.Scope, token string, card uuid.UUID, back string) (FeePayment, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return FeePayment{}, err
	}
	choose := func(tx *pg.Tx, o owedOrder, p billing.Payment) (billing.Payment, error) {
		customer, found, err := customerOfOrder(ctx, tx, person, o.ID)
		if err = fault.When(!found, fault.Missing(), err); err != nil {
			return p, err
		}
		return s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: customer, CardID: card})
	}
	return s.payOwed(ctx, sc, token, choose, back)
}

// payOwed is the payment of what a receipt token is for, with what choose writes down of how it is paid.
func (s *Service) payOwed(ctx context.Context, sc tenancy.Scope, token string,
	choose func(tx *pg.Tx, o owedOrder, p billing.Payment) (billing.Payment, error), back string,
) (FeePayment, error) {
	o, err := s.findOwed(ctx, sc, token)
	if err != nil {
		return FeePayment{}, err
	}
	p, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (billing.Payment, error) {
		start := s.payFee
		if o.FeeID == uuid.Nil {
			start = s.payDebt
		}
		p, err := start(ctx, tx, o)
		if err != nil {
			return p, err
		}
		return choose(tx, o, p)
	})
	if err != nil {
		return FeePayment{}, err
	}
	ready, err := s.billing.Attach(ctx, sc.Tenant, p, back)
	if err != nil {
		return FeePayment{}, err
	}
	r, err := ReceiptOf(ctx, s.db.View(sc.Tenant), o.ID)
	p = ready.Payment
	return FeePayment{Receipt: r, Failed: o.Failed, Payment: Payment{
		Status: p.Status, ClientSecret: ready.ClientSecret, AccountID: p.AccountID, PublishableKey: ready.PublishableKey,
		Amount: p.Amount, Currency: p.Currency, Test: p.Test(), RedirectURL: ready.RedirectURL, FailureCode: p.FailureCode,
	}}, err
}

// payFee is the payment of a fee that is due, by its open order.
func (s *Service) payFee(ctx context.Context, tx *pg.Tx, o owedOrder) (billing.Payment, error) {
	feeList, locked, err := lockFees(ctx, tx, []uuid.UUID{o.FeeID})
	if errors.Is(err, fees.ErrNotDue) {
		err = ErrNothingToPay
	}
	if err != nil {
		return billing.Payment{}, err
	}
	order, p, err := s.feePayment(ctx, tx, feeList[0], locked)
	if err == nil && order != o.ID {
		err = ErrNothingToPay
	}
	return p, err
}

// payDebt is the payment of prices that are all owed still, by their open order.
func (s *Service) payDebt(ctx context.Context, tx *pg.Tx, o owedOrder) (billing.Payment, error) {
	if err := billing.LockPaymentsTx(ctx, tx, []uuid.UUID{o.ID}); err != nil {
		return billing.Payment{}, err
	}
	owed, err := lockOwed(ctx, tx, o.ID)
	if err != nil {
		return billing.Payment{}, err
	}
	now, _, err := readOwed(ctx, tx, "id", o.ID)
	if err = fault.When(!owed || now.State != OrderOpen, ErrNothingToPay, err); err != nil {
		return billing.Payment{}, err
	}
	return s.debtPayment(ctx, tx, o.ID)
}

// FeePaid asks the processor for the payment of a fee or of prices, whose customer comes back from paying it. nil: it is paid. Errors: not found;
// ErrNothingToPay when it was paid otherwise meanwhile, or is not owed any more: what came all the same goes back; ErrPaymentRequired,
// ErrPaymentPending; billing.ErrProcessorDown.
func (s *Service) FeePaid(ctx context.Context, sc tenancy.Scope, token string) error {
	o, err := s.findOwed(ctx, sc, token)
	if err = fault.When(o.State == OrderVoid, ErrNothingToPay, err); err != nil || o.State != OrderOpen {
		return err
	}
	return s.await(ctx, sc.Tenant, o.ID)
}

func (s *Service) findOwed(ctx context.Context, sc tenancy.Scope, token string) (owedOrder, error) {
	hash, ok := hashOf(token, receiptChars)
	if !ok {
		return owedOrder{}, fault.Missing()
	}
	o, found, err := readOwed(ctx, s.db.View(sc.Tenant), "receipt_hash", hash)
	return o, fault.When(!found, fault.Missing(), err)
}

// CardsFor are the cards that the studio keeps for the signed-in person, the newest first, with which they can pay what the receipt token
// is for. None for whoever has the link and is not its customer.
func (s *Service) CardsFor(ctx context.Context, sc tenancy.Scope, token string) ([]billing.SavedCard, error) {
	o, err := s.findOwed(ctx, sc, token)
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
