package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// When a bank takes a payment back for good, the studio has nothing of it: then the platform does not keep its share of it either, unless
// the operator says otherwise (Options.KeepLostFees). What is returned is reckoned as for a refund of the same amount, so that refunds
// and disputes of a payment together return its fee once.

// ReturnFeeJob returns what of the platform fee is to go back to the studio after a dispute was lost.
type ReturnFeeJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute"`
}

// Kind names the job in the outbox.
func (ReturnFeeJob) Kind() string { return "billing.return_fee" }

// feeAfterLoss is what of the platform fee goes back with a dispute that was lost: refunded is what of the payment has gone back
// otherwise, returned what of the fee has.
func feeAfterLoss(p Payment, disputed, refunded, returned int64) int64 {
	disputed = min(disputed, p.Amount-refunded)
	if disputed <= 0 {
		return 0
	}
	back := FeeBack(p.FeeAmount, p.Amount, refunded+disputed) - FeeBack(p.FeeAmount, p.Amount, refunded)
	return max(0, min(back, p.FeeAmount-returned))
}

// askFeeBackTx writes down what of the platform fee goes back for a dispute that was lost, once, and has it returned.
func (s *Service) askFeeBackTx(ctx context.Context, tx *pg.Tx, external, account string) error {
	d, found, err := lostDispute(ctx, tx, s.Env(), account, external)
	if err != nil || !found {
		return err
	}
	p, err := lockPayment(ctx, tx, d.PaymentID)
	if err != nil {
		return err
	}
	back, err := wentBackOf(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	amount := feeAfterLoss(p, d.Amount, back.Refunded, back.Returned)
	if err := askFeeBack(ctx, tx, d.ID, amount); err != nil || amount == 0 {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ReturnFeeJob{Business: tx.Business(), Dispute: d.ID})
}

// feesAskedBack returns what the jobs have given up to return.
func (s *Service) feesAskedBack(ctx context.Context, business uuid.UUID, account string) error {
	ids, err := feesAsked(ctx, s.db.View(business), s.Env(), account)
	for _, id := range ids {
		err = errors.Join(err, s.ReturnFee(ctx, ReturnFeeJob{Business: business, Dispute: id}))
	}
	return err
}

// ReturnFee is the job billing.return_fee. The processor does it once, however often it is asked. A fee that it has not taken yet is asked
// for again, by the job and, when that has given up, by the next listing.
func (s *Service) ReturnFee(ctx context.Context, job ReturnFeeJob) error {
	if s.processor == nil {
		return nil
	}
	v := s.db.View(job.Business)
	r, found, err := feeToReturn(ctx, v, job.Dispute)
	if err != nil || !found || r.Env != s.Env() {
		return err
	}
	id, err := s.processor.ReturnFee(ctx, FeeReturn{
		Account: r.AccountID, Payment: r.IntentID, Amount: r.Amount, Currency: r.Currency, Key: "feeref:" + job.Dispute.String(),
	})
	switch {
	case errors.Is(err, ErrFeeUnknown), Retryable(err):
		return err
	case err != nil:
		s.log.Error("the platform fee of a lost dispute could not be returned", "business", job.Business, "dispute", job.Dispute, "error", err)
		return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return feeNotReturned(ctx, tx, job.Dispute) })
	}
	if err := pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return feeReturned(ctx, tx, job.Dispute, id) }); err != nil {
		return err
	}
	return s.wake(ctx, job.Business, r.AccountID) // it is booked from the balance
}
