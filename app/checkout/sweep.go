package checkout

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
)

// dueCharge is what a saved card is charged for without its customer now that its time has come: a fee, or the balances of bookings.
type dueCharge struct {
	customer uuid.UUID
	charge   func(billing.SavedCard) error
	ask      func() error // mails the customer the way to pay where there is no card; nil: it stays due, and nobody is told
}

// claimDue locks what is due and writes down that this was its turn: found is false for what is not due any more, or is not charged by itself.
type claimDue func(ctx context.Context, tx *pg.Tx, id uuid.UUID) (d dueCharge, found bool, err error)

// collectEach is a round of the sweeps of fees and of balances: each of what was found is charged to the card that its customer has saved,
// in a transaction of its own, so that one failure does not keep the others from being charged. It is tried once. Where its customer is
// paying just now, the next round looks again.
func (s *Service) collectEach(ctx context.Context, found []pg.Keyed, claim claimDue) (err error) {
	for _, k := range found {
		bad := pg.Do(ctx, s.db, k.BusinessID, func(tx *pg.Tx) error {
			d, found, err := claim(ctx, tx, k.ID)
			if err == nil && found {
				err = s.collectOne(ctx, tx, d)
			}
			return err
		})
		if errors.Is(bad, ErrPaymentPending) || errors.Is(bad, pg.ErrUnmet) {
			bad = nil
		}
		err = errors.Join(err, bad)
	}
	return err
}

// collectOne charges what is due, unless the customer disputes a payment or no card can be charged for it: then it is paid at the studio.
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
	case d.ask != nil:
		err = d.ask()
	}
	if unchargeable(err) {
		return nil
	}
	return err
}

// unchargeable reports whether an error says that no card can be charged for it, now or ever.
func unchargeable(err error) bool {
	return errors.Is(err, billing.ErrCardUnavailable) || errors.Is(err, billing.ErrAmountRefused) || errors.Is(err, billing.ErrBelowCardMinimum)
}
