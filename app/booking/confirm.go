package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ConfirmTx confirms the bookings of a hold for an order, all of them. ok is false, and nothing is changed, when the hold
// is over: see RetakeTx. No seat is counted here: held bookings count already. Where the studio has the last word
// (offerings.approval) a booking becomes a request, which keeps no seat: it is given back here, and taken again when the
// studio says yes. The caller holds the lock of the cart, and h.Seats are the hold's bookings as read under it.
func ConfirmTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID) (ok bool, err error) {
	ok, requests, err := confirmSeats(ctx, tx, sc, h, order)
	if err != nil || len(requests) == 0 {
		return ok, err
	}
	return true, unseat(ctx, tx, requests)
}

// BillTx puts the bookings of a live hold on an order that is about to be paid. From then on they can neither move to
// another cart of the same person nor be dropped one by one. ErrHoldOver when the hold is over. The caller holds the
// lock of the cart.
func BillTx(ctx context.Context, tx *pg.Tx, h Hold, order uuid.UUID) error {
	n, err := billSeats(ctx, tx, h, order)
	if err == nil && n != len(h.Seats) {
		return ErrHoldOver
	}
	return err
}

// HoldOfOrder reads the hold that an order's bookings came from, with those bookings as its seats, in one round trip.
// pg.ErrNoRow when the order has none.
func HoldOfOrder(ctx context.Context, r pg.Reader, order uuid.UUID) (Hold, error) {
	return holdOfOrder(ctx, r, order)
}
