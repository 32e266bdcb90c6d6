package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// guest reads the record with a certain id, or makes it, in one trip. pg.ErrNoRow: it was made by somebody else meanwhile.
func guest(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Customer, error) {
	return pg.One[Customer](ctx, tx, `with found as (
			select c.* from customers c where c.business_id = $2 and c.id = $1
		), made as (
			insert into customers (id, business_id, name, version, created_at, updated_at)
			select $1, $2, $3, 1, $4, $4 where not exists (select from found)
			on conflict do nothing
			returning *
		)
		select `+columns+` from found c union all select `+columns+` from made c`, id, tx.Business(), guestName, tx.Now())
}
