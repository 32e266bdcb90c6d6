package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/pg"
)

// HitsTx names who has a booking of occurrences, or has asked for one: schedule.Bookings.HitsTx. What is only held is
// nobody's yet.
func HitsTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, most int) (availability.Hits, error) {
	type row struct {
		BookingID uuid.UUID
		StartsAt  time.Time
		Customer  string
		Count     int
	}
	rows, err := pg.All[row](ctx, tx, `select b.id as booking_id, b.starts_at, c.name as customer, count(*) over () as count
		from bookings b join customers c on c.business_id = b.business_id and c.id = b.customer_id
		where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('requested', 'confirmed', 'checked_in')
		order by b.starts_at, b.id limit $3`, tx.Business(), occurrences, most)
	var out availability.Hits
	for _, r := range rows {
		out.Count = r.Count
		out.First = append(out.First, availability.Hit{BookingID: r.BookingID, StartsAt: r.StartsAt.UTC(), Customer: r.Customer})
	}
	return out, err
}
