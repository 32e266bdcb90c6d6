package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Changes of a hold before it is paid. The caller holds the lock of the cart.

// ExtendTx extends a hold by ten minutes, once. Repeating it changes nothing. It returns ErrHoldExpired if the hold
// has expired. The caller holds the lock of the cart.
func ExtendTx(ctx context.Context, tx *pg.Tx, h Hold) (Hold, error) {
	next, err := h.Extend(tx.Now())
	if err != nil || h.Extended {
		return next, err
	}
	saved, err := saveExtension(ctx, tx, next)
	if err != nil {
		return h, err
	}
	if !saved { // the sweep ran between the reading and now
		return h, ErrHoldExpired
	}
	return next, nil
}

// ReleaseTx releases the seats of a hold at once. A hold that is not live is left alone. The caller holds the lock of
// the cart, and has handled a payment in progress.
func ReleaseTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, hold uuid.UUID) error {
	return endHolds(ctx, tx, sc, TransitionRelease, hold)
}

// RenameTx changes the attendee of a held booking, or of those of a course. The caller holds the lock of the cart.
// Errors: ErrDuplicate if the customer has a seat for that attendee on such a date already; ErrHoldExpired if one is
// not held any more.
func RenameTx(ctx context.Context, tx *pg.Tx, attendee string, bookings ...uuid.UUID) error {
	renamed, held, err := renameSeats(ctx, tx, bookings, attendee)
	switch {
	case err != nil || renamed == len(bookings):
		return err
	case held == len(bookings):
		return ErrDuplicate
	}
	return ErrHoldExpired
}

// YieldTx ends the customer's own holds that occupy a time: the cart's expired hold, and other carts' holds of the
// same offering at an overlapping time. A hold with a payment in progress stays. Seats of classes are transferred
// from cart to cart in HoldTx; a time has claims of its own and must be released before it can be placed again.
//
// The caller holds the locks of the cart and of the customer.
func YieldTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart, customer uuid.UUID, spans []Span) error {
	over, others, err := yielding(ctx, tx, cart, customer, spans)
	if err != nil || len(over)+len(others) == 0 {
		return err
	}
	return makeWay(ctx, tx, sc, Hold{}, over, others, nil)
}
