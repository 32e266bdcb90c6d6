package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Apply keeps what the processor says about a payment now, and settles it when that is the first word of its success. It
// is the one way in for webhooks, the sweep and the customer's return; any number of them may come, in any order and at
// the same time. A payment that is over does not change.
//
// in must come from a call to the processor and not from an event's body. Errors: not found, ErrMismatch, and what
// settling fails with; then nothing was kept and the next to come tries again.
func (s *Service) Apply(ctx context.Context, business, payment uuid.UUID, in Intent) (Payment, error) {
	return pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (Payment, error) {
		return s.applyTx(ctx, tx, payment, in)
	})
}

func (s *Service) applyTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, in Intent) (Payment, error) {
	p, err := lockPayment(ctx, tx, id)
	if err != nil {
		return Payment{}, err
	}
	if !p.is(in) {
		s.log.Error("the processor's payment is not the one that was asked for",
			"business", tx.Business(), "payment", p.ID, "intent", in.ID, "status", in.Status, "amount", in.Amount)
		return Payment{}, ErrMismatch
	}
	next := p.after(in, tx.Now())
	if next == p {
		return p, nil
	}
	if next.Status == StatusSucceeded {
		if next.Outcome, err = s.settle(ctx, tx, next); err != nil {
			return Payment{}, err
		}
	}
	return next, savePayment(ctx, tx, &next)
}

// settle gives what was paid for, or the money back. Never neither, and never both.
func (s *Service) settle(ctx context.Context, tx *pg.Tx, p Payment) (Outcome, error) {
	outcome, err := s.settled(ctx, tx, p)
	if err != nil || outcome == OutcomeSettled {
		return outcome, err
	}
	_, err = s.refundTx(ctx, tx, p, p.Amount, ReasonLatePayment)
	return OutcomeRefunded, err
}

// Reread asks the processor how a payment stands and applies the answer. A payment that is over, or that the processor
// has not answered for yet, is returned as it is. It must be called outside any transaction.
func (s *Service) Reread(ctx context.Context, business, payment uuid.UUID) (Payment, error) {
	p, err := readPayment(ctx, s.db.View(business), payment)
	if err != nil {
		return Payment{}, err
	}
	return s.reread(ctx, business, p)
}

// RereadOrder is Reread for the latest payment of an order: the one that is open or has succeeded, if there is one. An
// order without any is not found.
func (s *Service) RereadOrder(ctx context.Context, business, order uuid.UUID) (Payment, error) {
	p, err := latestPayment(ctx, s.db.View(business), order)
	if err != nil {
		return Payment{}, err
	}
	return s.reread(ctx, business, p)
}

func (s *Service) reread(ctx context.Context, business uuid.UUID, p Payment) (Payment, error) {
	if p.Over() || p.IntentID == "" {
		return p, nil
	}
	if s.processor == nil {
		return Payment{}, ErrNotConfigured
	}
	in, err := s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	if err != nil {
		return Payment{}, err
	}
	return s.Apply(ctx, business, p.ID, in)
}
