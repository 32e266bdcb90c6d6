package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// When a studio loses a dispute, or refunds a payment on the processor's website, it earns nothing from that amount:
// then the platform does not keep its share either, unless the operator configures it (Options.KeepFees). The fee
// refund is computed as for a refund of ours of the same amount, so all refunds of a payment together refund its fee
// once. A fee refunded with the processor's refund, or by hand, is not refunded again.

// ReturnFeeJob refunds a part of the platform fee to the studio: after a lost dispute, or after a refund that the
// studio made itself. One of the two is named.
type ReturnFeeJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute,omitzero"`
	Refund   uuid.UUID `json:"refund,omitzero"`
}

// Kind returns the job's name in the outbox.
func (ReturnFeeJob) Kind() string { return "billing.return_fee" }

// Terms returns the terms of the job's kind.
func (ReturnFeeJob) Terms() jobs.Terms { return jobs.Money() }

// feeAfter returns the part of the platform fee still to refund for an amount that was refunded without us. refunded
// is the amount of the payment refunded before, with is the part of the fee that the processor refunded with it,
// returned is the part of the fee refunded in all.
func feeAfter(p Payment, amount, refunded, with, returned int64) int64 {
	amount = min(amount, p.Amount-refunded)
	if amount <= 0 {
		return 0
	}
	back := p.feeRefund(refunded+amount) - p.feeRefund(refunded)
	return p.Currency.Floor(max(0, min(back-with, p.FeeAmount-returned)))
}

// feeOfLossTx writes the fee refund of a lost dispute, once, and enqueues it.
func (s *Service) feeOfLossTx(ctx context.Context, tx *pg.Tx, external, account string) error {
	d, found, err := lostDispute(ctx, tx, s.Env(), account, external)
	if err != nil || !found || s.keepFees {
		return err
	}
	p, err := lockPayment(ctx, tx, d.PaymentID)
	if err != nil {
		return err
	}
	back, err := refundTotalsOf(ctx, tx, p.ID, uuid.Nil)
	if err != nil {
		return err
	}
	amount := feeAfter(p, d.Amount, back.Refunded, 0, back.Returned)
	return requestFeeRefundTx(ctx, tx, ReturnFeeJob{Business: tx.Business(), Dispute: d.ID}, amount)
}

// feeOfExternalTx is feeOfLossTx for a refund that the studio made itself, once its money has left the balance: only
// then the part of the fee that was refunded with it is known. Payment and refund are locked.
func (s *Service) feeOfExternalTx(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest) error {
	if s.keepFees || r.Reason != ReasonExternal || r.State != RequestSucceeded || r.BalanceTransaction == "" {
		return nil
	}
	back, err := refundTotalsOf(ctx, tx, p.ID, r.ID)
	if err != nil {
		return err
	}
	amount := feeAfter(p, r.Amount, back.Refunded, r.FeeAmount, back.Returned)
	return requestFeeRefundTx(ctx, tx, ReturnFeeJob{Business: tx.Business(), Refund: r.ID}, amount)
}

func requestFeeRefundTx(ctx context.Context, tx *pg.Tx, job ReturnFeeJob, amount int64) error {
	requested, err := requestFeeRefund(ctx, tx, job.cause(), amount)
	if err != nil || !requested || amount == 0 {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, job)
}

// resumeFeeRefunds enqueues the fee refunds again that the jobs gave up on.
func (s *Service) resumeFeeRefunds(ctx context.Context, business uuid.UUID, account string) error {
	requested, err := requestedFeeRefunds(ctx, s.db.View(business), s.Env(), account)
	for _, job := range requested {
		job.Business = business
		err = errors.Join(err, s.ReturnFee(ctx, job))
	}
	return err
}

// ReturnFee is the job billing.return_fee. The processor does it once, for any number of calls. A fee that the
// processor has not collected yet is tried again by the job and, after that has given up, by the next listing.
func (s *Service) ReturnFee(ctx context.Context, job ReturnFeeJob) error {
	if s.processor == nil {
		return nil
	}
	v, of := s.db.View(job.Business), job.cause()
	r, found, err := feeToReturn(ctx, v, of)
	if err != nil || !found || r.Env != s.Env() {
		return err
	}
	back, err := refundTotalsOf(ctx, v, r.PaymentID, uuid.Nil)
	if err != nil {
		return err
	}
	got, err := s.processor.ReturnFee(ctx, processor.FeeReturn{
		Account: r.AccountID, Payment: r.IntentID, Amount: r.Amount, Whole: back.Returned, Currency: r.Currency, Key: "feeref:" + of.id.String(),
	})
	switch {
	case errors.Is(err, processor.ErrFeeUnknown), processor.Retryable(err):
		return err
	case err != nil:
		s.log.Error("could not refund the platform fee of a lost dispute or an external refund", "business", job.Business, of.what, of.id, "error", err)
		got = processor.FeeReturned{}
	}
	if err := pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return feeReturned(ctx, tx, of, got) }); err != nil || got.ID == "" {
		return err
	}
	return s.wake(ctx, job.Business, r.AccountID) // it is booked from the balance
}
