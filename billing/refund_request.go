package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// RefundState is where a request to give money back stands.
type RefundState string

// The states. A refund that succeeded can still fail days later, when the card was closed.
const (
	RequestPending   RefundState = "pending"   // the processor has not answered for it yet
	RequestSubmitted RefundState = "submitted" // it is on its way
	RequestSucceeded RefundState = "succeeded"
	RequestFailed    RefundState = "failed" // the customer has to be paid another way
	RequestCanceled  RefundState = "canceled"
)

// All lists them.
func (RefundState) All() []RefundState {
	return []RefundState{RequestPending, RequestSubmitted, RequestSucceeded, RequestFailed, RequestCanceled}
}

// RefundReason says why money goes back.
type RefundReason string

// ReasonLatePayment: the payment succeeded when what it was for could not be given any more. One per payment.
const ReasonLatePayment RefundReason = "late_payment"

// RefundRequest is one request of ours to give money of a payment back; Refund is what the processor makes of it.
type RefundRequest struct {
	ID         uuid.UUID
	PaymentID  uuid.UUID
	Amount     int64 // in minor units of the payment's currency
	FeeAmount  int64 // of the platform fee, as predicted until the processor reports
	State      RefundState
	Reason     RefundReason
	ExternalID string    // the processor's id; empty until it answered
	DueAt      time.Time // when to go on with it; zero when it is over
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// RefundInput asks for money back.
type RefundInput struct {
	PaymentID uuid.UUID
	Amount    int64
	Reason    RefundReason
}

// RequestRefundTx writes down that money goes back, and has it done after the transaction. All refunds of a payment
// together never exceed it: the payment's row is locked while they are added up. The same share of the platform fee goes
// back to the studio; the whole fee when the whole payment does.
//
// Errors: not found, ErrRefundTooLarge, also for a payment that has not succeeded.
func (s *Service) RequestRefundTx(ctx context.Context, tx *pg.Tx, in RefundInput) (RefundRequest, error) {
	if in.Amount <= 0 {
		return RefundRequest{}, fault.Invalid("amount", "Say how much goes back.")
	}
	p, err := lockPayment(ctx, tx, in.PaymentID)
	if err != nil {
		return RefundRequest{}, err
	}
	if p.Status != StatusSucceeded {
		return RefundRequest{}, ErrRefundTooLarge
	}
	return s.refundTx(ctx, tx, p, in.Amount, in.Reason)
}

// refundTx is RequestRefundTx with the payment's row locked and known to have succeeded.
func (s *Service) refundTx(ctx context.Context, tx *pg.Tx, p Payment, amount int64, reason RefundReason) (RefundRequest, error) {
	before, err := refundedOf(ctx, tx, p.ID)
	if err != nil {
		return RefundRequest{}, err
	}
	if before+amount > p.Amount {
		return RefundRequest{}, ErrRefundTooLarge
	}
	r := RefundRequest{
		ID: pg.NewID(), PaymentID: p.ID, Amount: amount, State: RequestPending, Reason: reason, DueAt: tx.Now().Add(refundFirst),
		FeeAmount: FeeBack(p.FeeAmount, p.Amount, before+amount) - FeeBack(p.FeeAmount, p.Amount, before),
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	return r, jobs.EnqueueTx(ctx, tx, RefundJob{Business: tx.Business(), Refund: r.ID})
}
