package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// CancelJob cancels a payment at the processor, so that it can no longer be paid.
type CancelJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind returns the job's name in the outbox.
func (CancelJob) Kind() string { return "billing.cancel" }

// Terms returns the terms of the job's kind.
func (CancelJob) Terms() jobs.Terms { return jobs.Money() }

// CancelTx cancels the open payment of an order, if there is one. A payment that succeeds before that is fulfilled
// like any other. It does not lock the payment.
func (s *Service) CancelTx(ctx context.Context, tx *pg.Tx, order uuid.UUID) error {
	id, found, err := openPaymentOf(ctx, tx, order)
	if err != nil || !found {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, CancelJob{Business: tx.Business(), Payment: id})
}

// CancelPayment is the job billing.cancel.
func (s *Service) CancelPayment(ctx context.Context, job CancelJob) error {
	p, err := readPayment(ctx, s.db.View(job.Business), job.Payment)
	if err != nil {
		return err
	}
	return s.cancel(ctx, job.Business, p)
}

func (s *Service) cancel(ctx context.Context, business uuid.UUID, p Payment) error {
	switch {
	case p.Done(), p.Outcome != OutcomeNone:
		return nil
	case p.IntentID == "":
		return s.abandon(ctx, business, p)
	case s.processor == nil || p.Env != s.Env():
		return nil // another world's payment: the sweep stops asking in time
	}
	in, err := s.processor.CancelPayment(ctx, p.AccountID, p.IntentID, "cancel:"+p.ID.String())
	switch {
	case errors.Is(err, processor.ErrPaymentFinal): // it was faster
		_, err = s.Reread(ctx, business, p.ID)
		return err
	case errors.Is(err, processor.ErrUnknownObject):
		return s.abandon(ctx, business, p)
	case err != nil:
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// abandon closes a payment that cannot be paid: no browser has its secret, or the processor does not have it. An
// answer that arrives later changes nothing.
func (s *Service) abandon(ctx context.Context, business uuid.UUID, seen Payment) error {
	return pg.Do(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) error {
		p, err := lockPayment(ctx, tx, seen.ID)
		if err != nil || p.Done() || p.IntentID != seen.IntentID {
			return err
		}
		p.Status, p.DueAt = processor.StatusCanceled, time.Time{}
		return savePayment(ctx, tx, &p)
	})
}

// sweepMost is the number of rows in one round of a sweep.
const sweepMost = 100

// Recheck is the sweep billing.payments: it reads payments from the processor that are not done, or have no fees yet,
// and are due, so that a lost event loses no money. The next time is set before the reading, soon at first and then
// at growing distances, so several processes share the work and a crash loses none. A payment not paid within a day
// is canceled at the processor. One payment's failure does not stop the others.
func (s *Service) Recheck(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := duePayments(ctx, s.db, sweepMost)
	for _, d := range due {
		if failed := s.recheck(ctx, d.BusinessID, d.ID); failed != nil {
			err = errors.Join(err, failed)
			if ctx.Err() != nil { // the process ends, and the next round goes on
				return err
			}
			s.log.Warn("could not read a payment from the processor", "business", d.BusinessID, "payment", d.ID, "error", failed)
		}
	}
	return err
}

// Outdated reports whether a payment that is not paid by a time is canceled by Recheck: it is a day old, or the
// processor was not asked for it, or did not answer in time.
func (p Payment) Outdated(now time.Time) bool {
	age := now.Sub(p.CreatedAt)
	return age > payWithin || p.IntentID == "" && age >= answerWithin
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
		if p.Status == processor.StatusSucceeded {
			return claimed{p, p.Env == s.Env()}, postponePayment(ctx, tx, p)
		}
		return claimed{p, p.Env == s.Env()}, savePayment(ctx, tx, &p)
	})
	if err != nil || !c.Mine {
		return err
	}
	p, now := c.Payment, s.db.Clock().Now()
	switch {
	case p.Status == processor.StatusSucceeded:
		return s.lookForCosts(ctx, business, p)
	case p.Authorized():
		return s.decide(ctx, business, p)
	case p.Outdated(now):
		return s.cancel(ctx, business, p)
	case p.IntentID == "":
		return nil // it cannot be paid yet; its caller may return
	}
	_, err = s.reread(ctx, business, p)
	if errors.Is(err, processor.ErrUnknownObject) {
		return s.abandon(ctx, business, p)
	}
	return err
}
