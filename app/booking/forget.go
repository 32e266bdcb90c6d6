package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// HoldRetention is how long a seat that was held and never sold is remembered after it was held. Until then its history answers who
// asks why the seat is gone.
const HoldRetention = 7 * 24 * time.Hour

// seatsAtOnce is how many seats of one business a transaction of ForgetDue deletes.
const seatsAtOnce = 200

// ForgetDue is the sweep booking.forget: it deletes the seats that were given up HoldRetention ago, what was written down of them, the
// holds that kept nothing else, and the times that were made for nobody else. Seats that are on an order stay with it, and those
// that a place on a waitlist became stay with the place. It can run in several processes at once.
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
