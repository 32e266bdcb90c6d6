package owed

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// CollectInput selects amounts due of a customer, and a saved card to charge. Without bookings and fees it is all
// that is due at the locations of the caller.
type CollectInput struct {
	CustomerID uuid.UUID
	CardID     uuid.UUID   // uuid.Nil: the one saved last, of those that have not expired
	BookingIDs []uuid.UUID // with a price due; of a course any of its dates
	FeeIDs     []uuid.UUID // fees that are due
}

// Validate checks the input. The error names every invalid field.
func (in CollectInput) Validate() error {
	var c fault.Checks
	c.That(len(in.BookingIDs) <= takeMost, "bookingIds", "Pass at most 50.")
	c.That(!twice(in.BookingIDs), "bookingIds", "Pass each once.")
	c.That(len(in.FeeIDs) <= takeMost, "feeIds", "Pass at most 50.")
	c.That(!twice(in.FeeIDs), "feeIds", "Pass each once.")
	return c.Err()
}

// Collecting is a charge to a card that is not paid yet.
type Collecting struct {
	CustomerID uuid.UUID
	Card       billing.SavedCard
	Amount     int64 // minor units of Currency; of prices in steps of it, and so up to a step more than the lines
	Currency   money.Currency
	Lines      []SaleLine // prices, with their tax, and fees, without; no service fee
}

// Effects returns the effects of the charge: pg.Effective.
func (c Collecting) Effects() any { return c }

// add adds lines in a currency.
func (c *Collecting) add(currency money.Currency, lines ...SaleLine) error {
	if len(lines) > 0 && c.Currency != "" && c.Currency != currency {
		return ErrAtOneCurrency
	}
	for _, l := range lines {
		c.Amount += l.Amount
		c.Currency = currency
	}
	c.Lines = append(c.Lines, lines...)
	return nil
}

// ErrAtOneCurrency refuses a charge in more than one currency.
var ErrAtOneCurrency = fault.New(fault.Validation, "one_currency", "Charge amounts in one currency at a time.")

// Collect charges a customer's saved card with amounts due: prices of bookings to be paid at the studio, and fees,
// even while one is under review. The prices at a location are one payment, and each fee is one of its own; the
// platform's fee is collected for each, and no service fee is added, because the customer saw the amount due without
// it. The card is charged a moment later, and once, for any number of calls: the customer consented when saving the
// card, and is off session. The charge then is paid, or has the reason of its failure, and the customer is mailed
// either way. An amount that was paid otherwise meanwhile, or is no longer due, is refunded. It needs payment.take at
// the location of each. It returns:
//
//   - a validation error
//   - a not found error
//   - fees.ErrNotDue
//   - ErrNothingToPay
//   - ErrAtOneCurrency
//   - ErrPaymentPending while another payment of a selected amount together with others is in progress
//   - processor.ErrCardRemoved if there is no such card, or none
//   - processor.ErrCardConsent if the customer did not consent to charges off session
//   - processor.ErrCardUnavailable
//   - processor.ErrAmountRefused
func (s *Service) Collect(ctx context.Context, sc tenancy.Scope, in CollectInput) (Collecting, error) {
	cover, err := policy.Where(sc, policy.PaymentTake)
	if err != nil {
		return Collecting{}, err
	}
	if err := in.Validate(); err != nil {
		return Collecting{}, err
	}
	collect := func(tx *pg.Tx) (Collecting, error) { return s.collectTx(ctx, tx, sc, in, cover) }
	got, err := pg.InTx(ctx, s.db, sc.Tenant, collect)
	if errors.Is(err, pg.ErrUnmet) { // a concurrent call did the same
		got, err = pg.InTx(ctx, s.db, sc.Tenant, collect)
	}
	return got, err
}

// ChargeFeeInput selects a fee, and a saved card of its customer to charge.
type ChargeFeeInput struct {
	FeeID  uuid.UUID
	CardID uuid.UUID // uuid.Nil: as in CollectInput
}

// ChargeFee is Collect for one fee, whoever its customer is. It returns a not found error for an unknown fee.
func (s *Service) ChargeFee(ctx context.Context, sc tenancy.Scope, in ChargeFeeInput) (Collecting, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Collecting{}, err
	}
	f, err := fees.Find(ctx, s.db.View(sc.Tenant), in.FeeID)
	if err != nil {
		return Collecting{}, err
	}
	return s.Collect(ctx, sc, CollectInput{CustomerID: f.CustomerID, CardID: in.CardID, FeeIDs: []uuid.UUID{f.ID}})
}

func (s *Service) collectTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in CollectInput, cover policy.Cover) (Collecting, error) {
	of, err := toCollect(ctx, tx, in, cover)
	if err != nil {
		return Collecting{}, err
	}
	if len(of.bookings)+len(of.fees) == 0 {
		return Collecting{}, checkout.ErrNothingToPay
	}
	locked, err := lockCharging(ctx, tx, of)
	if err != nil {
		return Collecting{}, err
	}
	balances, err := s.lockBalances(ctx, tx, sc, of.bookings)
	if err != nil {
		return Collecting{}, err
	}
	feeList, err := fees.DueTx(ctx, tx, of.fees)
	if err != nil {
		return Collecting{}, err
	}
	if err := in.check(sc, feeList); err != nil {
		return Collecting{}, err
	}
	out, err := collecting(in.CustomerID, balances, feeList)
	if err != nil {
		return Collecting{}, err
	}
	card, why, err := s.chargeable(ctx, tx, in.CustomerID, in.CardID)
	if err != nil {
		return Collecting{}, err
	}
	if why != nil {
		return Collecting{}, why
	}
	out.Card = card
	for _, d := range balances {
		if err := s.chargeBalance(ctx, tx, d, locked, card); err != nil {
			return Collecting{}, err
		}
	}
	if err := fees.ChargingTx(ctx, tx, of.fees); err != nil {
		return Collecting{}, err
	}
	for _, f := range feeList {
		if err := s.chargeFee(ctx, tx, f, locked, card); err != nil {
			return Collecting{}, err
		}
	}
	return out, nil
}

// check reports whether the caller can charge these fees at once.
func (in CollectInput) check(sc tenancy.Scope, feeList []fees.Fee) error {
	for _, f := range feeList {
		if f.CustomerID != in.CustomerID {
			return fault.Missing()
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, f.LocationID); err != nil {
			return err
		}
	}
	return nil
}

// collecting sums up the charge. It returns ErrNothingToPay and ErrAtOneCurrency.
func collecting(customer uuid.UUID, balances []balanceDue, feeList []fees.Fee) (Collecting, error) {
	out := Collecting{CustomerID: customer}
	for _, d := range balances {
		if err := out.add(d.sale.Totals.Currency, d.lines()...); err != nil {
			return Collecting{}, err
		}
		out.Amount += d.sale.Totals.ServiceFeeAmount
	}
	for _, f := range feeList {
		if err := out.add(f.Currency, SaleLine{BookingID: f.BookingID, FeeID: &f.ID, Label: f.OfferingName, Amount: f.Amount}); err != nil {
			return Collecting{}, err
		}
	}
	if out.Amount == 0 {
		return Collecting{}, checkout.ErrNothingToPay
	}
	return out, nil
}
