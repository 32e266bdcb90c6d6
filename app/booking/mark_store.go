package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// marks are what a booking says about who came; nil is none.
type marks struct{ checkedIn, review *time.Time }

func markBooking(ctx context.Context, tx *pg.Tx, id uuid.UUID, state State, m marks) error {
	_, err := tx.Exec(ctx, `update bookings set state = $3, checked_in_at = $4, review_at = $5, version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), id, state, m.checkedIn, m.review, tx.Now())
	return err
}

func approveBooking(ctx context.Context, tx *pg.Tx, id uuid.UUID, online bool) error {
	_, err := tx.Exec(ctx, `update bookings set state = 'confirmed', online = $3, confirmed_at = $4, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), id, online, tx.Now())
	return err
}

// overdueRequests finds requests that have begun without an answer.
func overdueRequests(ctx context.Context, tx *pg.Tx, most int) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from bookings where business_id = $1 and state = 'requested' and starts_at <= $2
		order by id limit $3`, tx.Business(), tx.Now(), most)
}

// finished finds sessions that are over and whose guests were there, and locks the bookings that nobody is working on.
func finished(ctx context.Context, tx *pg.Tx, most int) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from bookings where business_id = $1 and state = 'checked_in' and ends_at <= $2
		order by id limit $3 for no key update skip locked`, tx.Business(), tx.Now(), most)
}

// completeBookings writes that locked bookings are over.
func completeBookings(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	_, err := tx.Exec(ctx, `update bookings set state = 'completed', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ids, tx.Now())
	return err
}

// CheckOutTx writes that the people of a booking have left. Its state, times and price stay as they were sold.
func CheckOutTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update bookings set checked_out_at = $3, version = version + 1, updated_at = $3
		where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
	return err
}
