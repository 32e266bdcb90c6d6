package checkout

import (
	"context"

	"foyer/app/booking"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
)

// SettleTx gives what a payment paid for: billing.Options.OnSettled. It runs in the transaction that first learns of the
// payment's success, with the payment's row locked, and confirms the bookings that were kept for it; those that the studio
// has the last word on become requests, which declining gives the money back for. When their hold is
// over it takes the seats again, all of them or none. When that cannot be, or the order was given up, the answer is
// OutcomeRefunded: never money without a seat.
func (s *Service) SettleTx(ctx context.Context, tx *pg.Tx, p billing.Payment) (billing.Outcome, error) {
	o, err := lockOrder(ctx, tx, p.OrderID)
	if err != nil {
		return "", err
	}
	booked := false
	if o.State == OrderOpen {
		if booked, err = give(ctx, tx, p); err != nil {
			return "", err
		}
	}
	if booked {
		if err := closeOrder(ctx, tx, o, OrderSettled); err != nil {
			return "", err
		}
		return billing.OutcomeSettled, jobs.EnqueueTx(ctx, tx, ConfirmationJob{Business: tx.Business(), Order: o.ID})
	}
	if o.State == OrderOpen {
		if err := closeOrder(ctx, tx, o, OrderRefunded); err != nil {
			return "", err
		}
	}
	return billing.OutcomeRefunded, jobs.EnqueueTx(ctx, tx, LateRefundJob{Business: tx.Business(), Payment: p.ID})
}

// give confirms the bookings of an order, or takes them again.
func give(ctx context.Context, tx *pg.Tx, p billing.Payment) (bool, error) {
	sc := tenancy.System(tx.Business(), tenancy.SurfaceJob)
	h, err := booking.HoldOfOrder(ctx, tx, p.OrderID)
	if err != nil {
		return false, err
	}
	if ok, err := booking.ConfirmTx(ctx, tx, sc, h, p.OrderID); ok || err != nil {
		return ok, err
	}
	return booking.RetakeTx(ctx, tx, sc, h, p.OrderID)
}
