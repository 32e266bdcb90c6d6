package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// RefundJob carries a refund on: asks the processor for it, or how it stands.
type RefundJob struct {
	Business uuid.UUID `json:"business"`
	Refund   uuid.UUID `json:"refund"`
}

// Kind names the job in the outbox.
func (RefundJob) Kind() string { return "billing.refund" }

// When a refund that is not over is looked at again.
const (
	refundFirst = time.Minute
	refundAgain = 6 * time.Hour
	keyLives    = 23 * time.Hour // the processor knows a key for a day
)

// SubmitRefund is the job billing.refund, and what the sweep does for a refund whose time has come. The refund's id is
// its key at the processor, so any number of calls give the money back once.
func (s *Service) SubmitRefund(ctx context.Context, job RefundJob) error {
	if s.processor == nil {
		return nil
	}
	r, p, err := readRefund(ctx, s.db.View(job.Business), job.Refund)
	if err != nil || r.over() || p.Env != s.Env() {
		return err
	}
	got, err := s.carryOn(ctx, job.Business, r, p)
	if err != nil {
		if got, err = s.lookInto(r, p, err); err != nil {
			return err
		}
	}
	return s.keepRefund(ctx, job.Business, r.ID, got)
}

func (r RefundRequest) over() bool {
	return r.State == RequestSucceeded || r.State == RequestFailed || r.State == RequestCanceled
}

// carryOn asks for the refund, or reads it.
func (s *Service) carryOn(ctx context.Context, business uuid.UUID, r RefundRequest, p Payment) (Refund, error) {
	if r.ExternalID != "" {
		return s.processor.GetRefund(ctx, p.AccountID, r.ExternalID)
	}
	if r.Amount < p.Amount && s.db.Clock().Now().Sub(r.CreatedAt) > keyLives {
		return Refund{}, errUnsure
	}
	return s.processor.Refund(ctx, NewRefund{
		Account: p.AccountID, Payment: p.IntentID, Amount: r.Amount, Currency: p.Currency, ReturnFee: r.FeeAmount > 0,
		Metadata: map[string]string{"business_id": business.String(), "payment_id": p.ID.String(), "refund_id": r.ID.String()},
		Key:      "refund:" + r.ID.String(),
	})
}

// errUnsure: a partial refund was asked for so long ago that its key is forgotten, and no answer ever came. Asking again
// could give the money back twice.
var errUnsure = errors.New("billing: nobody knows whether this refund was made")

// lookInto turns a failed call into how the refund stands, or returns the error when the call is to be repeated.
func (s *Service) lookInto(r RefundRequest, p Payment, err error) (Refund, error) {
	switch {
	case Retryable(err), errors.Is(err, ErrBalanceInsufficient), errors.Is(err, ErrAccountDisconnected):
		return Refund{}, err // the studio can mend the last two; the sweep comes back
	case errors.Is(err, ErrRefundTooLarge) && r.Amount == p.Amount:
		return Refund{Status: RefundSucceeded}, nil // all of it is back already
	case errors.Is(err, ErrRefundTooLarge), errors.Is(err, ErrRefundDisputed), errors.Is(err, ErrProcessorRefused),
		errors.Is(err, ErrAmountRefused), errors.Is(err, ErrKeyReused), errors.Is(err, ErrUnknownObject), errors.Is(err, errUnsure):
		return Refund{Status: RefundFailed, Reason: err.Error()}, nil
	}
	return Refund{}, err
}

var refundStates = map[RefundStatus]RefundState{
	RefundPending:   RequestSubmitted,
	RefundSucceeded: RequestSucceeded,
	RefundFailed:    RequestFailed,
	RefundCanceled:  RequestCanceled,
}

// keepRefund writes how a refund stands. What is over stays, except that a success can turn into a failure.
func (s *Service) keepRefund(ctx context.Context, business, id uuid.UUID, got Refund) error {
	_, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (bool, error) {
		r, err := lockRefund(ctx, tx, id)
		if err != nil {
			return false, err
		}
		state := refundStates[got.Status]
		if r.State == state || r.over() && !(r.State == RequestSucceeded && state == RequestFailed) {
			return false, nil
		}
		r.State, r.DueAt = state, noTime
		if got.ID != "" {
			r.ExternalID = got.ID
		}
		if !r.over() {
			r.DueAt = tx.Now().Add(refundAgain)
		}
		if got.Settlement != nil { // what came back of the fee, as the processor booked it
			r.FeeAmount = min(max(-got.Settlement.PlatformFee, 0), r.Amount)
		}
		if r.State == RequestFailed {
			s.log.Error("a refund failed: the customer has to be paid another way",
				"business", business, "payment", r.PaymentID, "refund", r.ID, "reason", got.Reason)
		}
		return true, saveRefund(ctx, tx, r)
	})
	return err
}

// RefundsDue is the sweep billing.refunds: it carries on the refunds whose time has come. The next time is set before, so
// several processes share the work and a crash loses none.
func (s *Service) RefundsDue(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := dueRefunds(ctx, s.db, sweepMost)
	for _, d := range due {
		mine, failed := pg.InTx(ctx, s.db, d.BusinessID, func(tx *pg.Tx) (bool, error) {
			return postponeRefund(ctx, tx, d.ID, tx.Now().Add(refundAgain))
		})
		if failed == nil && mine {
			failed = s.SubmitRefund(ctx, RefundJob{Business: d.BusinessID, Refund: d.ID})
		}
		if failed != nil {
			err = errors.Join(err, failed)
			s.log.Warn("a refund could not be carried on", "business", d.BusinessID, "refund", d.ID, "error", failed)
		}
	}
	return err
}
