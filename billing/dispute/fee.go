package dispute

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
)

// ReturnFeeJob refunds the platform fee of a lost dispute to the studio.
type ReturnFeeJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute"`
}

// Kind returns the job's name in the outbox.
func (ReturnFeeJob) Kind() string { return "dispute.return_fee" }

// Terms returns the terms of the job's kind.
func (ReturnFeeJob) Terms() jobs.Terms { return jobs.Money() }

// feeOfLossTx writes the fee refund of a lost dispute, once, and enqueues it.
func (s *Service) feeOfLossTx(ctx context.Context, tx *pg.Tx, external, account string) error {
	d, found, err := lostDispute(ctx, tx, s.billing.Env(), account, external)
	if err != nil || !found || s.keepFees {
		return err
	}
	job := ReturnFeeJob{Business: tx.Business(), Dispute: d.ID}
	return billing.FeeOfLossTx(ctx, tx, d.PaymentID, d.Amount, job.feeCause(), job)
}

// ReturnFee is the job dispute.return_fee.
func (s *Service) ReturnFee(ctx context.Context, job ReturnFeeJob) error {
	return s.billing.ReturnFeeOf(ctx, job.Business, job.feeCause())
}

// Resume does what the jobs gave up on: fee refunds of an account's lost disputes, and evidence that was submitted.
func (s *Service) Resume(ctx context.Context, business uuid.UUID, account string) error {
	requested, err := requestedFees(ctx, s.db.View(business), s.billing.Env(), account)
	for _, id := range requested {
		err = errors.Join(err, s.ReturnFee(ctx, ReturnFeeJob{Business: business, Dispute: id}))
	}
	return errors.Join(err, s.resendEvidence(ctx, business, account))
}
