package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// endBookings writes the state that each booking ends in. Their rows are locked.
func endBookings(ctx context.Context, tx *pg.Tx, list []ending) error {
	ids, states := make([]uuid.UUID, len(list)), make([]string, len(list))
	for i, e := range list {
		ids[i], states[i] = e.ID, string(e.Move.To())
	}
	_, err := tx.Exec(ctx, `update bookings b set state = x.state, cancelled_at = $4, grace_until = null, version = b.version + 1, updated_at = $4
		from unnest($2::uuid[], $3::varchar[]) as x (id, state) where b.business_id = $1 and b.id = x.id`,
		tx.Business(), ids, states, tx.Now())
	return err
}
