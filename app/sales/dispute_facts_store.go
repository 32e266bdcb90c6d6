package sales

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// readReminded reads the mailed reminders of bookings, for the times that they have now.
func readReminded(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]Reminded, error) {
	return pg.All[Reminded](ctx, r, `select b.id as booking_id, m.mailed_at from bookings b
		join booking_reminders m on m.business_id = $1 and m.occurrence_id = b.occurrence_id and m.customer_id = b.customer_id
			and m.starts_at = b.starts_at and m.mailed_at is not null
		where b.business_id = $1 and b.id = any($2) order by m.mailed_at, m.id`, r.Business(), bookings)
}
