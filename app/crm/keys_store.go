package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// unkeyed lists the businesses that have customers without keys.
func unkeyed(ctx context.Context, v *pg.View) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select business_id from app.unkeyed_customers()`)
}

// fillKeys writes the keys of at most keysAtOnce customers of the business and counts them.
func fillKeys(ctx context.Context, tx *pg.Tx) (int, error) {
	list, err := pg.All[Customer](ctx, tx, `select `+columns+` from customers c where c.business_id = $1 and c.name_key is null
		order by c.id limit $2 for no key update`, tx.Business(), keysAtOnce)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	ids, names, phones := keysOf(list)
	n, err := tx.Exec(ctx, `update customers c set name_key = k.name_key, phone_key = k.phone_key
		from unnest($2::uuid[], $3::text[], $4::text[]) as k (id, name_key, phone_key) where c.business_id = $1 and c.id = k.id`,
		tx.Business(), ids, names, phones)
	return int(n), err
}
