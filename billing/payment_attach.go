package billing

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// Ready is a payment that a browser can confirm.
type Ready struct {
	Payment        Payment
	ClientSecret   string // for the customer who pays, and nobody else: never kept, logged or put in an address
	PublishableKey string
}

// Attach makes the payment at the processor, or reads it there when it was made before, keeps what it finds and returns
// what a browser needs. Calling it again, also after a crash, gives the same payment. A payment found succeeded is
// settled on the way. It does its own transactions and must be called outside any.
//
// Errors: ErrProcessorDown (try the same again), ErrPaymentGone, and what the processor refuses: then the payment has
// failed and the next one is another try.
func (s *Service) Attach(ctx context.Context, business uuid.UUID, p Payment) (Ready, error) {
	if s.processor == nil {
		return Ready{}, ErrNotConfigured
	}
	in, err := s.create(ctx, business, p)
	if err != nil && (Retryable(err) || ctx.Err() != nil) {
		return Ready{}, err
	}
	kept, txErr := pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (Payment, error) {
		if err != nil {
			return s.refusedTx(ctx, tx, p.ID, err)
		}
		return s.applyTx(ctx, tx, p.ID, in)
	})
	switch {
	case txErr != nil:
		return Ready{}, txErr
	case err != nil:
		return Ready{}, err
	case kept.Over() && kept.Status != StatusSucceeded:
		return Ready{}, ErrPaymentGone
	}
	return Ready{Payment: kept, ClientSecret: in.ClientSecret, PublishableKey: s.processor.PublishableKey()}, nil
}

// create asks for the payment, or reads it.
func (s *Service) create(ctx context.Context, business uuid.UUID, p Payment) (Intent, error) {
	if p.IntentID != "" {
		return s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	}
	return s.processor.CreatePayment(ctx, NewPayment{
		Account: p.AccountID, Amount: p.Amount, Currency: p.Currency, Fee: p.FeeAmount,
		Description: "Booking " + p.OrderID.String(),
		Metadata: map[string]string{
			"business_id": business.String(), "location_id": p.LocationID.String(), "order_id": p.OrderID.String(),
			"payment_id": p.ID.String(), "kind": "order",
		},
		Key: "pi:" + p.ID.String() + ":" + strconv.Itoa(p.Attempt),
	})
}

// refusedTx closes a payment that the processor would not make, and has the account looked at. One that was made before
// stays open: refusing to read it says nothing about its money.
func (s *Service) refusedTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, why error) (Payment, error) {
	s.log.Error("the processor refused a payment", "business", tx.Business(), "payment", id, "error", why)
	p, err := lockPayment(ctx, tx, id)
	if err != nil || p.Over() || p.IntentID != "" {
		return p, err
	}
	p.Status, p.DueAt = StatusFailed, noTime
	if f := fault.From(why); f != nil {
		p.FailureCode, p.FailureMessage = f.Reason, f.Message
	}
	if err := savePayment(ctx, tx, &p); err != nil {
		return Payment{}, err
	}
	return p, jobs.EnqueueTx(ctx, tx, AccountJob{Business: tx.Business()})
}
