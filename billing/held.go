package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Where the studio has the last word on everything that a payment is for, its money is held on the card and not taken: what it is for is
// given on the word that it is held (Payment.Outcome), as a request, and the studio's answer decides about the money.
//
//	            ┌─ something is approved, or the bank's patience ends ──▶ captured: succeeded, and in the books
//	authorized ─┤
//	            └─ all of it is to go back ──▶ let go: canceled; its refunds have succeeded, and nothing was ever taken
//
// What is to go back of money that is held waits as a refund that is pending: it is asked of the processor when the money was taken
// after all, and is done when all of it was let go.

// heldWithin is how long money is held at most: banks let it go after seven days. What is not decided by then is taken, and refunded
// when the studio says no.
const heldWithin = 6 * 24 * time.Hour

// takeBy is when the money of a payment that holds it is taken, whatever the studio has said.
func (p Payment) takeBy() time.Time { return p.AuthorizedAt.Add(heldWithin) }

// AuthorizedJob decides about money that is held: whether it is taken, let go, or held on.
type AuthorizedJob struct {
	Business uuid.UUID `json:"business"`
	Payment  uuid.UUID `json:"payment"`
}

// Kind names the job in the outbox.
func (AuthorizedJob) Kind() string { return "billing.held" }

// Terms are those of the kind.
func (AuthorizedJob) Terms() jobs.Terms { return jobs.Money() }

// CaptureTx has the money of orders taken that is held for them: the studio has said yes to something in each. It locks their payments.
func (s *Service) CaptureTx(ctx context.Context, tx *pg.Tx, orders []uuid.UUID) error {
	held, err := heldOf(ctx, tx, orders)
	if err != nil {
		return err
	}
	for _, id := range held {
		if err := s.takeTx(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// takeTx has the money of a payment taken whose row is locked and which holds it.
func (s *Service) takeTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID) error {
	if err := wantPayment(ctx, tx, payment); err != nil {
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

// decide takes the money of a payment that holds it, or lets it go, or asks how it stands. Any number of calls do it once. It must be
// called outside any transaction.
func (s *Service) decide(ctx context.Context, business uuid.UUID, p Payment) error {
	if s.processor == nil || p.Env != s.Env() || !p.Authorized() {
		return nil
	}
	back, err := askedBack(ctx, s.db.View(business), p.ID)
	if err != nil {
		return err
	}
	var in Intent
	switch {
	case back == p.Amount:
		in, err = s.processor.CancelPayment(ctx, p.AccountID, p.IntentID, "release:"+p.ID.String())
	case p.Wanted, !s.db.Clock().Now().Before(p.takeBy()):
		in, err = s.processor.CapturePayment(ctx, p.AccountID, p.IntentID, "capture:"+p.ID.String())
	default:
		in, err = s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	if errors.Is(err, ErrPaymentFinal) { // somebody was faster, or the studio did it in its own dashboard
		in, err = s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	if err != nil {
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// goOnTx has the refunds asked for that waited until the money of a payment was taken.
func (s *Service) goOnTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID) error {
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

// letGoTx keeps that the money of a payment is the customer's again: its refunds are done. Where nobody had asked for that, as when the
// studio lets it go in its own dashboard, what was not asked back is written down as refunded there. It ends the transaction.
func (s *Service) letGoTx(ctx context.Context, tx *pg.Tx, p Payment, also func(*pg.Batch)) (Payment, error) {
	sold, earlier, err := s.soldAndBack(ctx, tx, p)
	if err != nil {
		return Payment{}, err
	}
	if left := RefundableParts(sold, earlier); Sum(left) > 0 {
		s.log.Error("money that was held is gone, and nobody had asked for that", "business", tx.Business(), "payment", p.ID, "amount", Sum(left))
		r := RefundRequest{
			ID: pg.NewID(), PaymentID: p.ID, Amount: Sum(left), State: RequestPending, Reason: ReasonExternal, Destination: ToOriginal, Parts: left,
			FeeAmount: p.feeBack(p.Amount) - p.feeBack(p.Amount-Sum(left)),
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if err := insertRefund(ctx, tx, r); err != nil {
			return Payment{}, err
		}
	}
	b := tx.Batch()
	savePaymentIn(b, tx, &p)
	endRefundsIn(b, tx, p.ID)
	also(b)
	return p, b.Commit(ctx)
}
