package owed

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fees"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// dueCharge is a charge to a saved card off session that is due: a fee, or the balances of bookings.
type dueCharge struct {
	customer uuid.UUID
	charge   func(billing.SavedCard) error
	mail     func() error // if no card can be charged: the customer is mailed the way to pay; nil: it stays due
}

// claimDue locks a due charge and marks its attempt: found is false if it is no longer due, or not charged by itself.
type claimDue func(ctx context.Context, tx *pg.Tx, id uuid.UUID) (d dueCharge, found bool, err error)

// chargesEvery is the interval of the sweep of charges, in real time.
const chargesEvery = time.Minute

// atOnce is the number of fees, and of bookings with a balance, in a round of the sweep.
const atOnce = 100

// ChargeAll is the sweep owed.charges: amounts due are charged to their customers' saved cards by themselves.
//
// Fees are charged after their review, as the policy of the booking requires. Without a card that can be charged, or
// if the customer disputes a payment, a fee stays due.
//
// Balances of deposits are charged at the time before the start that the policy of the booking sets; bookings made
// together at once, and a course in full by its first date. A customer without a saved card is mailed the way to pay.
// A booking that has begun or was made after that time is not charged, nor is a customer who disputes a payment:
// these pay at the studio.
//
// Each is tried once. After a decline, or if the processor did not answer until the job was given up, the customer is
// mailed the way to pay. One failure does not stop the others.
func (s *Service) ChargeAll(ctx context.Context) error {
	feeList, badFees := fees.DueToCharge(ctx, s.db, atOnce)
	balances, badBalances := booking.BalancesDue(ctx, s.db, atOnce)
	return errors.Join(badFees, badBalances, s.collectEach(ctx, feeList, s.claimFee),
		s.collectEach(ctx, balances, s.claimBalance), s.tellGivenUp(ctx))
}

// collectEach charges each of found to its customer's saved card, in a transaction of its own. If its customer is
// paying just now, the next round tries again.
func (s *Service) collectEach(ctx context.Context, found []pg.Keyed, claim claimDue) (err error) {
	for _, k := range found {
		bad := pg.Do(ctx, s.db, k.BusinessID, func(tx *pg.Tx) error {
			d, found, err := claim(ctx, tx, k.ID)
			if err == nil && found {
				err = s.collectOne(ctx, tx, d)
			}
			return err
		})
		if errors.Is(bad, checkout.ErrPaymentPending) || errors.Is(bad, pg.ErrUnmet) {
			bad = nil
		}
		err = errors.Join(err, bad)
	}
	return err
}

// collectOne makes a charge, unless the customer disputes a payment or no card can be charged for it: then it is paid
// at the studio.
func (s *Service) collectOne(ctx context.Context, tx *pg.Tx, d dueCharge) error {
	disputes, err := billing.Disputes(ctx, tx, d.customer)
	if err != nil || disputes {
		return err
	}
	card, found, err := s.cardFor(ctx, tx, d.customer, uuid.Nil)
	switch {
	case err != nil:
		return err
	case found:
		err = d.charge(card)
	case d.mail != nil:
		err = d.mail()
	}
	if unchargeable(err) {
		return nil
	}
	return err
}

// unchargeable reports whether an error means that no card can be charged for it, now or ever.
func unchargeable(err error) bool {
	return errors.Is(err, processor.ErrCardUnavailable) || errors.Is(err, processor.ErrAmountRefused) || errors.Is(err, billing.ErrBelowCardMinimum)
}
