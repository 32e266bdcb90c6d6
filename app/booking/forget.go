package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// HoldRetention is the time for which a held seat that was never sold is stored. Until then its history explains a
// sold-out occurrence.
const HoldRetention = 7 * 24 * time.Hour

// seatsAtOnce is how many seats of one business a transaction of ForgetDue deletes.
const seatsAtOnce = 200

// ForgetDue is the sweep booking.forget. It deletes the seats released HoldRetention ago with their transitions, the
// holds without any other seat, and the times that were made only for them. Seats on an order stay with it, and seats
// that became a place on a waitlist stay with the place. It can run in several processes at once.
func (s *Service) ForgetDue(ctx context.Context) error {
	before := s.db.Clock().Now().Add(-HoldRetention)
	return s.db.EachOf(ctx, "select business_id from app.due_left_seats($3, $1, $2)", func(ctx context.Context, business uuid.UUID) error {
		return pg.Batches(seatsAtOnce, func() (int, error) {
			return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return forget(ctx, tx, before, seatsAtOnce) })
		})
	}, before)
}

func forget(ctx context.Context, tx *pg.Tx, before time.Time, most int) (int, error) {
	seats, err := dropSeats(ctx, tx, before, most)
	if err != nil || len(seats) == 0 {
		return 0, err
	}
	if err := dropHolds(ctx, tx, each(seats, func(s leftSeat) uuid.UUID { return s.HoldID })); err != nil {
		return 0, err
	}
	return len(seats), ForgetTimesTx(ctx, tx, each(seats, func(s leftSeat) uuid.UUID { return s.OccurrenceID }))
}
