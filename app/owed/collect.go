package owed

import (
	"context"
	"errors"
	"slices"

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
	locked, err := lockCharging(ctx, tx, of.all(), of.fees)
	if err != nil {
		return Collecting{}, err
	}
	orders, err := lockAmounts(ctx, tx, sc, in.CustomerID, of)
	if err != nil {
		return Collecting{}, err
	}
	out, err := collecting(in.CustomerID, orders)
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
	if err := fees.ChargingTx(ctx, tx, of.fees); err != nil {
		return Collecting{}, err
	}
	for _, d := range orders {
		if _, err := s.charge(ctx, tx, d, locked, card); err != nil {
			return Collecting{}, err
		}
	}
	return out, nil
}

// lockAmounts locks the amounts due of a customer and returns the orders by which a card pays them. It returns
// fees.ErrNotDue, and a not found error for another customer's fee.
func lockAmounts(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, customer uuid.UUID, of amountsDue,
) (out []cardOrder, err error) {
	add := func(desk deskDue) error {
		if err := policy.RequireAt(sc, policy.PaymentTake, desk.place.LocationID); err != nil {
			return err
		}
		orders, err := cardOrders(ctx, tx, desk)
		out = append(out, orders...)
		return err
	}
	for _, at := range of.bookings {
		desk, err := lockDesk(ctx, tx, PaymentInput{BookingIDs: at.Bookings})
		if err == nil {
			err = add(desk)
		}
		if err != nil {
			return nil, err
		}
	}
	feeList, err := fees.DueTx(ctx, tx, of.fees)
	if err != nil {
		return nil, err
	}
	for len(feeList) > 0 {
		first := feeList[0]
		if first.CustomerID != customer {
			return nil, fault.Missing()
		}
		elsewhere := func(f fees.Fee) bool {
			return f.CustomerID != customer || f.LocationID != first.LocationID || f.Currency != first.Currency
		}
		here := slices.DeleteFunc(slices.Clone(feeList), elsewhere)
		feeList = slices.DeleteFunc(feeList, func(f fees.Fee) bool { return !elsewhere(f) })
		desk, err := deskOf(ctx, tx, nil, here)
		if err == nil {
			err = add(desk)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// collecting sums up the charge. It returns ErrNothingToPay and ErrAtOneCurrency.
func collecting(customer uuid.UUID, orders []cardOrder) (Collecting, error) {
	out := Collecting{CustomerID: customer}
	for _, d := range orders {
		if err := out.add(d.order.Totals.Currency, d.lines()...); err != nil {
			return Collecting{}, err
		}
		out.Amount += d.order.Totals.ServiceFeeAmount
	}
	if out.Amount == 0 {
		return Collecting{}, checkout.ErrNothingToPay
	}
	return out, nil
}
