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

// ReturnFeeJob refunds a part of the platform fee to the studio, after a refund that the studio made itself.
type ReturnFeeJob struct {
	Business uuid.UUID `json:"business"`
	Refund   uuid.UUID `json:"refund"`
}

// Kind returns the job's name in the outbox.
func (ReturnFeeJob) Kind() string { return "billing.return_fee" }

// Terms returns the terms of the job's kind.
func (ReturnFeeJob) Terms() jobs.Terms { return jobs.Money() }

// FeeAfter returns the part of the platform fee still to refund for an amount that was refunded without us. refunded
// is the amount of the payment refunded before, with is the part of the fee that the processor refunded with it,
// returned is the part of the fee refunded in all.
func FeeAfter(p Payment, amount, refunded, with, returned int64) int64 {
	amount = min(amount, p.Amount-refunded)
	if amount <= 0 {
		return 0
	}
	back := p.feeRefund(refunded+amount) - p.feeRefund(refunded)
	return p.Currency.Floor(max(0, min(back-with, p.FeeAmount-returned)))
}

// FeeOfLossTx requests the fee refund of an amount of a payment that a lost dispute has withdrawn: its cause is the
// dispute, and job does it.
func FeeOfLossTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID, amount int64, of FeeCause, job jobs.Args) error {
	p, err := lockPayment(ctx, tx, payment)
	if err != nil {
		return err
	}
	back, err := refundTotalsOf(ctx, tx, p.ID, uuid.Nil)
	if err != nil {
		return err
	}
	return requestFeeRefundTx(ctx, tx, of, FeeAfter(p, amount, back.Refunded, 0, back.Returned), job)
}

// feeOfExternalTx requests the fee refund of a refund that the studio made itself, once its money has left the balance:
// only then the part of the fee that was refunded with it is known. Payment and refund are locked.
func (s *Service) feeOfExternalTx(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest) error {
	if s.keepFees || r.Reason != ReasonExternal || r.State != RequestSucceeded || r.BalanceTransaction == "" {
		return nil
	}
	back, err := refundTotalsOf(ctx, tx, p.ID, r.ID)
	if err != nil {
		return err
	}
	job := ReturnFeeJob{Business: tx.Business(), Refund: r.ID}
	return requestFeeRefundTx(ctx, tx, job.cause(), FeeAfter(p, r.Amount, back.Refunded, r.FeeAmount, back.Returned), job)
}

func requestFeeRefundTx(ctx context.Context, tx *pg.Tx, of FeeCause, amount int64, job jobs.Args) error {
	requested, err := requestFeeRefund(ctx, tx, of, amount)
	if err != nil || !requested || amount == 0 {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, job)
}

// ResumeFeeRefunds does the fee refunds of an account's refunds that the jobs gave up on.
func (s *Service) ResumeFeeRefunds(ctx context.Context, business uuid.UUID, account string) error {
	requested, err := requestedFeeRefunds(ctx, s.db.View(business), s.Env(), account)
	for _, id := range requested {
		err = errors.Join(err, s.ReturnFee(ctx, ReturnFeeJob{Business: business, Refund: id}))
	}
	return err
}

// ReturnFee is the job billing.return_fee.
func (s *Service) ReturnFee(ctx context.Context, job ReturnFeeJob) error {
	return s.ReturnFeeOf(ctx, job.Business, job.cause())
}

// ReturnFeeOf refunds the fee that a cause requests. The processor does it once, for any number of calls. A fee that
// the processor has not collected yet is tried again by the job and, after that has given up, by the next listing.
func (s *Service) ReturnFeeOf(ctx context.Context, business uuid.UUID, of FeeCause) error {
	if s.processor == nil {
		return nil
	}
	v := s.db.View(business)
	r, found, err := feeToReturn(ctx, v, of)
	if err != nil || !found || r.Env != s.Env() {
		return err
	}
	back, err := refundTotalsOf(ctx, v, r.PaymentID, uuid.Nil)
	if err != nil {
		return err
	}
	got, err := s.processor.ReturnFee(ctx, processor.FeeReturn{
		Account: r.AccountID, Payment: r.IntentID, Amount: r.Amount, Whole: back.Returned, Currency: r.Currency, Key: "feeref:" + of.ID.String(),
	})
	switch {
	case errors.Is(err, processor.ErrFeeUnknown), processor.Retryable(err):
		return err
	case err != nil:
		s.log.Error("could not refund the platform fee of a lost dispute or an external refund", "business", business, of.What, of.ID, "error", err)
		got = processor.FeeReturned{}
	}
	if err := pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return feeReturned(ctx, tx, of, got) }); err != nil || got.ID == "" {
		return err
	}
	return s.wake(ctx, business, r.AccountID) // it is booked from the balance
}
