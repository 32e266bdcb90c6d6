package booking

import (
	"context"

	"foyer/app/pg"
)

// ExtendTx gives a hold ten more minutes, once. Repeating it changes nothing. ErrHoldOver when the hold is over by now.
// The caller holds the lock of the cart.
func ExtendTx(ctx context.Context, tx *pg.Tx, h Hold) (Hold, error) {
	next, err := h.Extend(tx.Now())
	if err != nil || next.ExpiresAt.Equal(h.ExpiresAt) && next.Extended == h.Extended {
		return next, err
	}
	saved, err := saveExtension(ctx, tx, next)
	if err != nil {
		return h, err
	}
	if !saved { // the sweep was there between the reading and now
		return h, ErrHoldOver
	}
	return next, nil
}
