package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// When a bank takes a payment back for good, or the studio gives some of it back on the processor's own site, the studio has nothing of
// that: then the platform does not keep its share of it either, unless the operator says otherwise (Options.KeepFees). What is returned is
// reckoned as for a refund of ours of the same amount, so that all that goes back of a payment returns its fee once. What the processor
// gave back with the refund, or somebody by hand, is not returned again.

// ReturnFeeJob returns what of the platform fee is to go back to the studio: after a dispute was lost, or after a refund that it made by
// itself. One of the two is named.
type ReturnFeeJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute,omitzero"`
	Refund   uuid.UUID `json:"refund,omitzero"`
}

// Kind names the job in the outbox.
func (ReturnFeeJob) Kind() string { return "billing.return_fee" }

// Terms are those of the kind.
func (ReturnFeeJob) Terms() jobs.Terms { return jobs.Money() }

// feeAfter is what of the platform fee is still to go back for an amount of a payment that went back without us: refunded is what of the
// payment had gone back before, with what of the fee the processor gave back together with it, returned what of the fee has gone back in all.
func feeAfter(p Payment, amount, refunded, with, returned int64) int64 {
	amount = min(amount, p.Amount-refunded)
	if amount <= 0 {
		return 0
	}
	back := p.feeBack(refunded+amount) - p.feeBack(refunded)
	return p.Currency.Floor(max(0, min(back-with, p.FeeAmount-returned)))
}

// feeOfLossTx writes down what of the platform fee goes back for a dispute that was lost, once, and has it returned.
func (s *Service) feeOfLossTx(ctx context.Context, tx *pg.Tx, external, account string) error {
	d, found, err := lostDispute(ctx, tx, s.Env(), account, external)
	if err != nil || !found || s.keepFees {
		return err
	}
	p, err := lockPayment(ctx, tx, d.PaymentID)
	if err != nil {
		return err
	}
	back, err := wentBackOf(ctx, tx, p.ID, uuid.Nil)
	if err != nil {
		return err
	}
	return askFeeBackTx(ctx, tx, ReturnFeeJob{Business: tx.Business(), Dispute: d.ID}, feeAfter(p, d.Amount, back.Refunded, 0, back.Returned))
}

// feeOfExternalTx is feeOfLossTx for a refund that the studio made by itself, once its money has left the balance: only then it is known
// what of the fee went back with it. Payment and refund are locked.
func (s *Service) feeOfExternalTx(ctx context.Context, tx *pg.Tx, p Payment, r RefundRequest) error {
	if s.keepFees || r.Reason != ReasonExternal || r.State != RequestSucceeded || r.BalanceTransaction == "" {
		return nil
	}
	back, err := wentBackOf(ctx, tx, p.ID, r.ID)
	if err != nil {
		return err
	}
	return askFeeBackTx(ctx, tx, ReturnFeeJob{Business: tx.Business(), Refund: r.ID}, feeAfter(p, r.Amount, back.Refunded, r.FeeAmount, back.Returned))
}

func askFeeBackTx(ctx context.Context, tx *pg.Tx, job ReturnFeeJob, amount int64) error {
	asked, err := askFeeBack(ctx, tx, job.cause(), amount)
	if err != nil || !asked || amount == 0 {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, job)
}

// feesAskedBack returns what the jobs have given up to return.
func (s *Service) feesAskedBack(ctx context.Context, business uuid.UUID, account string) error {
	asked, err := feesAsked(ctx, s.db.View(business), s.Env(), account)
	for _, job := range asked {
		job.Business = business
		err = errors.Join(err, s.ReturnFee(ctx, job))
	}
	return err
}

// ReturnFee is the job billing.return_fee. The processor does it once, however often it is asked. A fee that it has not taken yet is asked
// for again, by the job and, when that has given up, by the next listing.
func (s *Service) ReturnFee(ctx context.Context, job ReturnFeeJob) error {
	if s.processor == nil {
		return nil
	}
	v, of := s.db.View(job.Business), job.cause()
	r, found, err := feeToReturn(ctx, v, of)
	if err != nil || !found || r.Env != s.Env() {
		return err
	}
	back, err := wentBackOf(ctx, v, r.PaymentID, uuid.Nil)
	if err != nil {
		return err
	}
	got, err := s.processor.ReturnFee(ctx, FeeReturn{
		Account: r.AccountID, Payment: r.IntentID, Amount: r.Amount, Whole: back.Returned, Currency: r.Currency, Key: "feeref:" + of.id.String(),
	})
	switch {
	case errors.Is(err, ErrFeeUnknown), Retryable(err):
		return err
	case err != nil:
		s.log.Error("the platform fee of what a studio has lost could not be returned", "business", job.Business, of.what, of.id, "error", err)
		got = FeeReturned{}
	}
	if err := pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return feeReturned(ctx, tx, of, got) }); err != nil || got.ID == "" {
		return err
	}
	return s.wake(ctx, job.Business, r.AccountID) // it is booked from the balance
}
