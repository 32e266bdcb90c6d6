package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// CancelJob gives a payment up at the processor, so that nobody can pay it any more.
type CancelJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind names the job in the outbox.
func (CancelJob) Kind() string { return "billing.cancel" }

// Terms are those of the kind.
func (CancelJob) Terms() jobs.Terms { return jobs.Money() }

// CancelTx has the open payment of an order given up, if there is one. Should it succeed before that, it is settled like
// any other. It takes no lock of the payment.
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
	case errors.Is(err, ErrPaymentFinal): // it was faster
		_, err = s.Reread(ctx, business, p.ID)
		return err
	case errors.Is(err, ErrUnknownObject):
		return s.abandon(ctx, business, p)
	case err != nil:
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// abandon closes a payment that nobody can pay: no browser has its secret, or the processor does not know it. An answer
// that was on its way changes nothing any more.
func (s *Service) abandon(ctx context.Context, business uuid.UUID, seen Payment) error {
	return pg.Do(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) error {
		p, err := lockPayment(ctx, tx, seen.ID)
		if err != nil || p.Done() || p.IntentID != seen.IntentID {
			return err
		}
		p.Status, p.DueAt = StatusCanceled, time.Time{}
		return savePayment(ctx, tx, &p)
	})
}

// sweepMost is how many rows one round of a sweep looks at.
const sweepMost = 100

// Recheck is the sweep billing.payments: it asks the processor about payments that are not over, or of which nobody knows yet what
// they cost, and whose time to ask has come, so that a lost event loses no money. The next time is set before the question, soon at first and then at growing
// distances, so several processes share the work and a crash loses none. What is not paid within a day is given up at the
// processor. One payment's failure does not keep the others from being asked.
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
		if p.Status == StatusSucceeded {
			return claimed{p, p.Env == s.Env()}, postponePayment(ctx, tx, p)
		}
		return claimed{p, p.Env == s.Env()}, savePayment(ctx, tx, &p)
	})
	if err != nil || !c.Mine {
		return err
	}
	p, age := c.Payment, s.db.Clock().Now().Sub(c.Payment.CreatedAt)
	switch {
	case p.Status == StatusSucceeded:
		return s.lookForCosts(ctx, business, p)
	case p.Authorized():
		return s.decide(ctx, business, p)
	case p.IntentID == "" && age < answerWithin:
		return nil // nobody can pay it yet; whoever makes it may come back
	case p.IntentID == "" || age > payWithin:
		return s.cancel(ctx, business, p)
	}
	_, err = s.reread(ctx, business, p)
	if errors.Is(err, ErrUnknownObject) {
		return s.abandon(ctx, business, p)
	}
	return err
}
