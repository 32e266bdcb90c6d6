package owed

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// dueCharge is a charge to a saved card off session that is due: a fee, or the balances of bookings.
type dueCharge struct {
	customer uuid.UUID
	charge   func(billing.SavedCard) error
	mail     func() error // mails the customer the way to pay if there is no card; nil: it stays due, without a mail
}

// claimDue locks a due charge and marks its attempt: found is false if it is no longer due, or not charged by itself.
type claimDue func(ctx context.Context, tx *pg.Tx, id uuid.UUID) (d dueCharge, found bool, err error)

// collectEach is a round of the sweeps of fees and of balances: each of found is charged to its customer's saved
// card, in a transaction of its own, so that one failure does not stop the others. It is tried once. If its customer
// is paying just now, the next round tries again.
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
	disputes, err := billing.DisputesTx(ctx, tx, d.customer)
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
