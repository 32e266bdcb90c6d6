package owed

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// BalanceDueOf returns the balance of a booking with a deposit that a card can pay now, in minor units of its
// currency; of a date of a course, of all of it. Zero if no balance is due, there was no deposit, or the studio
// accepts no cards. The caller may see the booking.
func (s *Service) BalanceDueOf(ctx context.Context, business uuid.UUID, b booking.Booking) (int64, error) {
	if b.OrderID == nil || !b.Rules.Deposit.Required() {
		return 0, nil
	}
	m, err := s.order.MoneyOf(ctx, business, b)
	if err != nil || !order.Payable(b.Currency.Ceil(m.Due), b.Currency) {
		return 0, err
	}
	takes, err := takesCards(ctx, s.db.View(business), s.billing.Env(), b.Currency)
	if err != nil || !takes {
		return 0, err
	}
	return m.Due, nil
}

// PayBalance begins the payment of a deposit's balance by the signed-in person: it returns the token of the future
// receipt, for Pay. It is the same order as the one that a saved card is charged for, so that it is paid once; the
// platform's fee is collected and no service fee added, because the customer saw the balance without one. A second
// call changes nothing. An amount that is no longer due when its payment arrives is refunded. It returns:
//
//   - identity.ErrSignIn, ErrKeyRefused
//   - a not found error, also for another person's booking
//   - ErrNothingToPay, also if there was no deposit
//   - ErrPaymentPending while a payment is in progress, or a card is being charged for this with other bookings
//   - processor.ErrAmountRefused
func (s *Service) PayBalance(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (token string, err error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return "", err
	}
	pay := func(tx *pg.Tx) (uuid.UUID, error) { return s.payBalance(ctx, tx, person, id) }
	orderID, err := pg.InTx(ctx, s.db, sc.Tenant, pay)
	if errors.Is(err, pg.ErrUnmet) { // a concurrent call did the same
		orderID, err = pg.InTx(ctx, s.db, sc.Tenant, pay)
	}
	if err != nil {
		return "", err
	}
	return s.order.ReceiptToken(orderID), nil
}

func (s *Service) payBalance(ctx context.Context, tx *pg.Tx, person, id uuid.UUID) (uuid.UUID, error) {
	rules, found, err := rulesOfTheirs(ctx, tx, person, id)
	if err = fault.When(!found, fault.Missing(), err); err != nil {
		return uuid.Nil, err
	}
	if !rules.Deposit.Required() {
		return uuid.Nil, checkout.ErrNothingToPay
	}
	ids := []uuid.UUID{id}
	locked, err := lockCharging(ctx, tx, ids, nil)
	if err != nil {
		return uuid.Nil, err
	}
	desk, err := lockDesk(ctx, tx, PaymentInput{BookingIDs: ids})
	if err != nil {
		return uuid.Nil, err
	}
	d, err := pricesOf(ctx, tx, desk)
	if err = fault.When(len(d.order.Lines) == 0, checkout.ErrNothingToPay, err); err != nil {
		return uuid.Nil, err
	}
	open, err := openDue(ctx, tx, desk.bookings, nil)
	if err != nil {
		return uuid.Nil, err
	}
	beside := func(o openOrder) bool { return !o.Failed && o.beside(desk.bookings) }
	if slices.ContainsFunc(open, beside) {
		return uuid.Nil, checkout.ErrPaymentPending
	}
	return s.openOrder(ctx, tx, d, open, locked)
}

// beside reports whether an order pays other amounts than the bookings', too: the studio charges a card for all of
// it.
func (o openOrder) beside(bookings []uuid.UUID) bool {
	return slices.ContainsFunc(o.Lines, func(l openLine) bool { return !slices.Contains(bookings, l.BookingID) })
}
