package checkout

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// lockAbandoned locks open carts that were last changed before a time, without an order, a hold of seats, or something
// that is reserved. A cart locked by
// another transaction is left alone; a later one waits and finds none.
func lockAbandoned(ctx context.Context, tx *pg.Tx, before time.Time, most int) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select c.id from carts c
		where c.business_id = $1 and (case when c.state = 'open' then c.created_at end) < $2 and c.updated_at < $2
			and not exists (select from orders o where o.business_id = $1 and o.cart_id = c.id)
			and not exists (select from holds h where h.business_id = $1 and h.cart_id = c.id and (h.state = 'live'
				or exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id)))
			and not exists (select from cart_items i where i.business_id = $1 and i.cart_id = c.id and i.hold_id is not null)
		order by (case when c.state = 'open' then c.created_at end) limit $3 for update of c skip locked`, tx.Business(), before, most)
}

// dropCarts deletes carts with their items and returns the occurrences of their times.
func dropCarts(ctx context.Context, tx *pg.Tx, carts []uuid.UUID) (occurrences []uuid.UUID, err error) {
	occurrences, err = pg.All[uuid.UUID](ctx, tx, `with gone as (
			delete from cart_items where business_id = $1 and cart_id = any($2) returning occurrence_id
		)
		select distinct occurrence_id from gone where occurrence_id is not null`, tx.Business(), carts)
	if err == nil {
		_, err = tx.Exec(ctx, "delete from carts where business_id = $1 and id = any($2)", tx.Business(), carts)
	}
	return occurrences, err
}
