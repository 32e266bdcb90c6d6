package checkout

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// cartOfHold finds the cart that a hold keeps seats for.
func cartOfHold(ctx context.Context, tx *pg.Tx, hold uuid.UUID) (location uuid.UUID, hash []byte, err error) {
	type row struct {
		LocationID uuid.UUID
		TokenHash  []byte
	}
	r, err := pg.One[row](ctx, tx, `select c.location_id, c.token_hash from holds h
		join carts c on c.business_id = h.business_id and c.id = h.cart_id where h.business_id = $1 and h.id = $2`, tx.Business(), hold)
	if errors.Is(err, pg.ErrNoRow) {
		err = fault.Missing()
	}
	return r.LocationID, r.TokenHash, err
}
