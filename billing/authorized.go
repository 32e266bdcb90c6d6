package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// If the studio decides about everything that a payment is for, its money is only authorized and not captured: the
// order is fulfilled as a request once it is authorized (Payment.Outcome), and the studio's decision captures or
// releases it.
//
//	            ┌─ something is approved, or the authorization expires soon ──▶ captured: succeeded, and in the books
//	authorized ─┤
//	            └─ all of it is to be refunded ──▶ released: canceled; its refunds have succeeded
//
// A refund of authorized money stays pending: it is submitted to the processor if the money is captured after all,
// and succeeds if all of it is released.

// authorizedWithin is the maximum time of an authorization: banks release it after seven days. Money of an undecided
// request is captured then, and refunded if the studio declines.
const authorizedWithin = 6 * 24 * time.Hour

// captureBy returns the time at which the payment's authorization is captured without a decision of the studio.
func (p Payment) captureBy() time.Time { return p.AuthorizedAt.Add(authorizedWithin) }

// AuthorizedJob decides about authorized money: capture, release or wait.
type AuthorizedJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind returns the job's name in the outbox.
func (AuthorizedJob) Kind() string { return "billing.held" }

// Terms returns the terms of the job's kind.
func (AuthorizedJob) Terms() jobs.Terms { return jobs.Money() }

// CaptureTx captures the authorized payments of orders after the studio approved something in each. It locks the
// payments.
func (s *Service) CaptureTx(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) error {
	ids, err := lockAuthorized(ctx, tx, orders)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.captureTx(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// captureTx captures an authorized payment. Its row is locked.
func (s *Service) captureTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID) error {
	if err := markForCapture(ctx, tx, payment); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, AuthorizedJob{Business: tx.Business(), Payment: payment})
}

// DecideAuthorized is the job billing.held.
func (s *Service) DecideAuthorized(ctx context.Context, job AuthorizedJob) error {
	p, err := readPayment(ctx, s.db.View(job.Business), job.Payment)
	if err != nil {
		return err
	}
	return s.decide(ctx, job.Business, p)
}

// decide captures or releases an authorized payment, or reads its state. Any number of calls do it once. It must be
// called outside any transaction.
func (s *Service) decide(ctx context.Context, business uuid.UUID, p Payment) error {
	if s.processor == nil || p.Env != s.Env() || !p.Authorized() {
		return nil
	}
	refunds, err := requestedRefunds(ctx, s.db.View(business), p.ID)
	if err != nil {
		return err
	}
	var in processor.Intent
	switch {
	case refunds == p.Amount:
		in, err = s.processor.CancelPayment(ctx, p.AccountID, p.IntentID, "release:"+p.ID.String())
	case p.Wanted, !s.db.Clock().Now().Before(p.captureBy()):
		in, err = s.processor.CapturePayment(ctx, p.AccountID, p.IntentID, "capture:"+p.ID.String())
	default:
		in, err = s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	if errors.Is(err, processor.ErrPaymentFinal) { // a concurrent call was faster, or the studio did it in its own dashboard
		in, err = s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	if err != nil {
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// resumeRefundsTx submits the refunds that waited for the capture of a payment.
func (s *Service) resumeRefundsTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID) error {
	waiting, err := pendingRefunds(ctx, tx, payment)
	if err != nil {
		return err
	}
	for _, id := range waiting {
		if err := jobs.EnqueueTx(ctx, tx, RefundJob{Business: tx.Business(), Refund: id}); err != nil {
			return err
		}
	}
	return nil
}

// releaseTx stores that an authorization was released: its refunds are done. If no refund was requested, as when the
// studio releases it in its own dashboard, the amount without a refund is written as refunded there. It ends the
// transaction.
func (s *Service) releaseTx(ctx context.Context, tx *pg.Tx, p Payment, also func(*pg.Batch)) (Payment, error) {
	sold, earlier, err := s.soldAndRefunds(ctx, tx, p)
	if err != nil {
		return Payment{}, err
	}
	if left := RefundableParts(sold, earlier); tender.Sum(left) > 0 {
		s.log.Error("payment authorization released without a refund request", "business", tx.Business(), "payment", p.ID,
			"amount", tender.Sum(left))
		r := RefundRequest{
			ID: pg.NewID(), PaymentID: p.ID, Amount: tender.Sum(left), State: RequestPending, Reason: ReasonExternal,
			Destination: ToOriginal, Parts: left,
			FeeAmount: p.feeRefund(p.Amount) - p.feeRefund(p.Amount-tender.Sum(left)),
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if err := insertRefund(ctx, tx, r); err != nil {
			return Payment{}, err
		}
		if err := s.returnPurchases(ctx, tx, p.place(tx.Now()), r); err != nil {
			return Payment{}, err
		}
	}
	b := tx.Batch()
	savePaymentIn(b, tx, &p)
	endRefundsIn(b, tx, p.ID)
	also(b)
	return p, b.Commit(ctx)
}
