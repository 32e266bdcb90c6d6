package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// Confirmed is a booked cart.
type Confirmed struct {
	Receipt
	Token string // of the receipt
}

// Confirm books what the cart holds. A cart that costs nothing is booked at once, without any processor; a paid one when
// the processor, asked again here, says that the payment succeeded: the settling is the one that its event would do, and
// whichever comes first does it. Repeating it on a booked cart gives the receipt. A3.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; not found; ErrOther, ErrEmpty;
// booking.ErrHoldOver, ErrNotHeld; ErrPaymentRequired, ErrPaymentPending; ErrRefunded when the payment came too late;
// billing.ErrProcessorDown.
func (s *Service) Confirm(ctx context.Context, sc tenancy.Scope, token string) (Confirmed, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Confirmed{}, err
	}
	found, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Order, error) {
		l, err := s.lock(ctx, tx, token, person, lockToLook)
		if err != nil {
			return Order{}, err
		}
		if l.Order != nil {
			return *l.Order, nil
		}
		return s.bookFree(ctx, tx, sc, l)
	})
	if err != nil {
		return Confirmed{}, err
	}
	if found.State == OrderOpen {
		if err := s.await(ctx, sc.Tenant, found.ID); err != nil {
			return Confirmed{}, err
		}
	}
	return s.confirmed(ctx, sc.Tenant, found.ID)
}

// bookFree books a cart that costs nothing.
func (s *Service) bookFree(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded) (Order, error) {
	if err := s.bookable(l.Cart, sc.Person()); err != nil {
		return Order{}, err
	}
	if l.Totals.TotalAmount > 0 {
		return Order{}, ErrPaymentRequired
	}
	order := pg.NewID()
	if err := insertOrder(ctx, tx, l, order, s.receiptHash(order), OrderSettled); err != nil {
		return Order{}, err
	}
	ok, err := booking.ConfirmTx(ctx, tx, sc, *l.Hold, order)
	if err == nil && !ok {
		err = booking.ErrHoldOver
	}
	if err != nil {
		return Order{}, err
	}
	return Order{ID: order, State: OrderSettled}, jobs.EnqueueTx(ctx, tx, ConfirmationJob{Business: tx.Business(), Order: order})
}

// await asks the processor for the payment of an open order. nil means that it succeeded, and so that it is settled. The
// payment is looked up here and not taken from the transaction before: that may be the kept one of a repeated request.
func (s *Service) await(ctx context.Context, business, order uuid.UUID) error {
	p, err := s.billing.RereadOrder(ctx, business, order)
	switch {
	case err != nil:
		return err
	case p.Status == billing.StatusSucceeded:
		return nil
	case p.Moving():
		return ErrPaymentPending
	}
	refusal := ErrPaymentRequired.With("status", string(p.Status))
	if p.FailureMessage != "" {
		refusal = refusal.With("message", p.FailureMessage)
	}
	return refusal
}

// confirmed is the receipt of an order that is done.
func (s *Service) confirmed(ctx context.Context, business, order uuid.UUID) (Confirmed, error) {
	token := s.ReceiptToken(order)
	r, err := readReceipt(ctx, s.db.View(business), order)
	if err != nil {
		return Confirmed{}, err
	}
	if r.State != OrderSettled {
		return Confirmed{}, ErrRefunded.With("receiptToken", token)
	}
	return Confirmed{r, token}, nil
}
