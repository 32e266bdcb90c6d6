package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
)

// CartRetention is the time after its last change until a cart that was not booked is deleted. Browsers remember it
// for as long.
const CartRetention = 7 * 24 * time.Hour

// cartsAtOnce is the number of carts of one business that a transaction of ForgetDue deletes.
const cartsAtOnce = 200

// ForgetDue is the sweep checkout.forget: it deletes the open carts without a change for CartRetention, with their
// items. A cart stays as long as a hold or an order names it: holds go with their seats (booking.ForgetDue), and an
// order, which exists from the first attempt to pay, stays for ever. It can run in several processes at once.
func (s *Service) ForgetDue(ctx context.Context) error {
	before := s.db.Clock().Now().Add(-CartRetention)
	return s.db.EachOf(ctx, "select business_id from app.due_left_carts($3, $1, $2)", func(ctx context.Context, business uuid.UUID) error {
		return pg.Batches(cartsAtOnce, func() (int, error) {
			return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return forget(ctx, tx, before, cartsAtOnce) })
		})
	}, before)
}

func forget(ctx context.Context, tx *pg.Tx, before time.Time, most int) (int, error) {
	carts, err := lockAbandoned(ctx, tx, before, most)
	if err != nil || len(carts) == 0 {
		return 0, err
	}
	if err := booking.ForgetHoldsTx(ctx, tx, carts); err != nil {
		return 0, err
	}
	times, err := dropCarts(ctx, tx, carts)
	if err != nil {
		return 0, err
	}
	return len(carts), booking.ForgetTimesTx(ctx, tx, times)
}
