package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Story is a booking with all its changes, the first change first.
type Story struct {
	StudioBooking
	Changes []Change
}

// storiesMost is more bookings than an order has.
const storiesMost = 2000

// StoriesOf reads the bookings sold with an order, and others that it names, by their start, in one trip. The caller
// may see them.
func StoriesOf(ctx context.Context, v *pg.View, order uuid.UUID, others []uuid.UUID) ([]Story, error) {
	type change struct {
		BookingID uuid.UUID
		Change
	}
	var rows []subject
	var changes []change
	b := v.Batch()
	pg.QueueAll(b, &rows, studioSelect+` and (b.order_id = $3 or b.id = any($4)) order by b.starts_at, b.id limit $5`, v.Business(), uuid.Nil, order, others, storiesMost)
	pg.QueueAll(b, &changes, `select t.booking_id, t.id, t.from_state as "from", t.to_state as "to", t.actor_kind, t.actor_name, t.surface,
			t.reason as transition, t.note as words, t.from_starts_at as from_start, t.created_at as at
		from bookings b join booking_transitions t on t.business_id = b.business_id and t.booking_id = b.id
		where b.business_id = $1 and (b.order_id = $2 or b.id = any($3)) order by t.created_at, t.id limit $4`,
		v.Business(), order, others, storiesMost*historyMax)
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	of := map[uuid.UUID][]Change{}
	for _, c := range changes {
		of[c.BookingID] = append(of[c.BookingID], c.Change)
	}
	return each(rows, func(s subject) Story { return Story{s.StudioBooking, of[s.ID]} }), nil
}
