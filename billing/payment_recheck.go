package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// sweepMost is how many rows one round of a sweep looks at.
const sweepMost = 100

// Recheck is the sweep billing.payments: it asks the processor about payments that are not over and whose time to ask has
// come, so that a lost event loses no money. The next time is set before the question, at growing distances, so several
// processes share the work and a crash loses none. What is not paid within a day is given up at the processor. One
// payment's failure does not keep the others from being asked.
func (s *Service) Recheck(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := duePayments(ctx, s.db, sweepMost)
	for _, d := range due {
		if failed := s.recheck(ctx, d.BusinessID, d.ID); failed != nil {
			err = errors.Join(err, failed)
			s.log.Warn("a payment could not be asked for", "business", d.BusinessID, "payment", d.ID, "error", failed)
		}
	}
	return err
}

func (s *Service) recheck(ctx context.Context, business, id uuid.UUID) error {
	type claimed struct {
		Payment Payment
		Mine    bool
	}
	c, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (claimed, error) {
		p, found, err := takeDuePayment(ctx, tx, id)
		if err != nil || !found {
			return claimed{}, err
		}
		p.DueAt = p.checkAt(tx.Now())
		return claimed{p, p.Env == s.Env()}, savePayment(ctx, tx, &p)
	})
	if err != nil || !c.Mine {
		return err
	}
	p := c.Payment
	if p.IntentID == "" || s.db.Clock().Now().Sub(p.CreatedAt) > payWithin {
		return s.cancel(ctx, business, p)
	}
	_, err = s.reread(ctx, business, p)
	if errors.Is(err, ErrUnknownObject) {
		return s.abandon(ctx, business, p)
	}
	return err
}
