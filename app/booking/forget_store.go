package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// leftSeat is a seat that was given up.
type leftSeat struct{ HoldID, OccurrenceID uuid.UUID }

// dropSeats deletes released seats that were held before a time, with their transitions. The database refuses to
// delete any other row (app.keep_booked).
func dropSeats(ctx context.Context, tx *pg.Tx, before time.Time, most int) ([]leftSeat, error) {
	return pg.All[leftSeat](ctx, tx, `delete from bookings where business_id = $1 and id in (
			select b.id from bookings b
			where b.business_id = $1 and b.state = 'expired' and b.order_id is null and b.created_at < $2
				and not exists (select from waitlist_entries e where e.business_id = $1 and e.booking_id = b.id)
			order by b.created_at limit $3 for update of b skip locked)
		returning hold_id, occurrence_id`, tx.Business(), before, most)
}

// dropHolds deletes the ended holds of ids without a booking.
func dropHolds(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from holds h where h.business_id = $1 and h.id = any($2) and h.state in ('expired', 'released')
		and not exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id)`, tx.Business(), ids)
	return err
}

// ForgetHoldsTx deletes the ended holds of carts that had no seats. Those of seats go with them.
func ForgetHoldsTx(ctx context.Context, tx *pg.Tx, carts []uuid.UUID) error {
	holds, err := pg.All[uuid.UUID](ctx, tx, `select id from holds where business_id = $1 and cart_id = any($2)`,
		tx.Business(), carts)
	if err != nil || len(holds) == 0 {
		return err
	}
	return dropHolds(ctx, tx, holds)
}

// ForgetTimesTx deletes those of these occurrences that are times made for a hold and have no booking, past or
// present, and no cart. Dates of classes stay.
func ForgetTimesTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from occurrences o
		where o.business_id = $1 and o.id = any($2) and o.series_id is null and o.state = 'cancelled'
			and not exists (select from bookings b where b.business_id = $1 and b.occurrence_id = o.id)
			and not exists (select from cart_items i where i.business_id = $1 and i.occurrence_id = o.id)`, tx.Business(), occurrences)
	return err
}
