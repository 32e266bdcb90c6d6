package booking

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// RetakeTx handles a payment that arrives after its hold has expired. It occupies the seats of the order's bookings
// again and confirms them, all of them or none; ok reports whether it did. It does nothing if the business is closed,
// if one of the occurrences is full, cancelled, has begun or was rescheduled or relocated, or if the customer has
// booked the same seat in another way since. The caller holds the lock of the cart.
func RetakeTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID) (ok bool, err error) {
	if h.State == HoldLive { // past its time, before the sweep
		if err := endHolds(ctx, tx, sc, TransitionExpire, h.ID); err != nil {
			return false, err
		}
	}
	if len(h.Seats) == 0 {
		err := business.OpenTx(ctx, tx)
		if errors.Is(err, business.ErrClosed) {
			return false, nil
		}
		return err == nil, err
	}
	times, err := timesOf(ctx, tx, order)
	if err != nil {
		return false, err
	}
	if ok, err = availability.ReopenTx(ctx, tx, times); err != nil || !ok {
		return false, err
	}
	switch err := business.OpenTx(ctx, tx); {
	case errors.Is(err, business.ErrClosed):
		return false, shut(ctx, tx, times)
	case err != nil:
		return false, err
	}
	room, err := lockRoom(ctx, tx, order)
	if err != nil {
		return false, err
	}
	if !fits(room, tx.Now()) {
		return false, shut(ctx, tx, times)
	}
	requests, err := retakeSeats(ctx, tx, sc, order)
	if err != nil || len(requests) == 0 {
		return err == nil, err
	}
	return true, RequestTx(ctx, tx, requests)
}

// fits reports whether every occurrence has room for its seats.
func fits(list []room, now time.Time) bool {
	for _, r := range list {
		if r.Cancelled || r.Moved || r.Again || !now.Before(r.StartsAt) || !r.Room(r.Wanted, true) {
			return false
		}
	}
	return len(list) > 0
}
