package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// kept is what a date's overrides become when its capacity is its own: an edit of the series leaves it alone.
const kept = `case when o.overrides ? 'capacity' then o.overrides else o.overrides || '["capacity"]' end`

// RaiseTx makes room for so many more seats on a date, as many of them sold online. The date keeps its number when its
// series is edited.
func RaiseTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, seats, online int) error {
	_, err := tx.Exec(ctx, `update occurrences o set capacity = o.capacity + $3, online_capacity = o.online_capacity + $4,
			version = o.version + 1, updated_at = $5, overrides = `+kept+`
		where o.business_id = $1 and o.id = $2`, tx.Business(), occurrence, seats, online, tx.Now())
	return err
}

// MakeRoomTx makes room for so many seats more than are taken and on offer, where there is none; the same number of seats
// and of occurrences, which may repeat. Dates keep their number when their series is edited.
func MakeRoomTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, seats []int) error {
	_, err := tx.Exec(ctx, `update occurrences o set capacity = o.taken + o.offered + w.seats, version = o.version + 1,
			updated_at = $4, overrides = `+kept+`
		from (select id, sum(seats)::integer as seats from unnest($2::uuid[], $3::integer[]) as x (id, seats) group by id) w
		where o.business_id = $1 and o.id = w.id and o.taken + o.offered + w.seats > o.capacity`,
		tx.Business(), occurrences, seats, tx.Now())
	return err
}

// ResizeSingleTx makes the time of an appointment or a rental one for so many people, who take all of its seats.
func ResizeSingleTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, party int) error {
	_, err := tx.Exec(ctx, `update occurrences set capacity = $3, online_capacity = $3, taken = case when taken > 0 then $3 else 0 end,
			taken_online = case when taken_online > 0 then $3 else 0 end, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), occurrence, party, tx.Now())
	return err
}

// CancelEmptySinglesTx cancels those of these singles that nobody has a seat of, and returns them.
func CancelEmptySinglesTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	if len(occurrences) == 0 {
		return nil, nil
	}
	return pg.All[uuid.UUID](ctx, tx, `update occurrences set state = 'cancelled', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2) and series_id is null and taken = 0 returning id`, tx.Business(), occurrences, tx.Now())
}
