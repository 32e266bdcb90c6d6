package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// leftSeat is a seat that was given up.
type leftSeat struct{ HoldID, OccurrenceID uuid.UUID }

// dropSeats deletes seats that were held before a time and given up; their transitions go with them. What else may not be deleted
// the database refuses (app.keep_booked).
func dropSeats(ctx context.Context, tx *pg.Tx, before time.Time, most int) ([]leftSeat, error) {
	return pg.All[leftSeat](ctx, tx, `delete from bookings where business_id = $1 and id in (
			select b.id from bookings b
			where b.business_id = $1 and b.state = 'expired' and b.order_id is null and b.created_at < $2
				and not exists (select from waitlist_entries e where e.business_id = $1 and e.booking_id = b.id)
			order by b.created_at limit $3 for update of b skip locked)
		returning hold_id, occurrence_id`, tx.Business(), before, most)
}

// dropHolds deletes those of these holds that are over and that no booking came from.
func dropHolds(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from holds h where h.business_id = $1 and h.id = any($2) and h.state in ('expired', 'released')
		and not exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id)`, tx.Business(), ids)
	return err
}

// ForgetTimesTx deletes those of these occurrences that are times which were made for a hold, and which nobody has, had or has in
// a cart any more. Dates of classes stay.
func ForgetTimesTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from occurrences o
		where o.business_id = $1 and o.id = any($2) and o.series_id is null and o.state = 'cancelled'
			and not exists (select from bookings b where b.business_id = $1 and b.occurrence_id = o.id)
			and not exists (select from cart_items i where i.business_id = $1 and i.occurrence_id = o.id)`, tx.Business(), occurrences)
	return err
}
