package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/waitlist"
)

// insertPromotion writes the cart of a person with its only item.
func insertPromotion(ctx context.Context, tx *pg.Tx, cart uuid.UUID, hash []byte, in waitlist.OpenCart) error {
	_, err := tx.Exec(ctx, `with cart as (
			insert into carts (id, business_id, location_id, token_hash, person_id, state, version, created_at, updated_at)
			values ($2, $1, $3, $4, $5, 'open', 1, $6, $6)
		)
		insert into cart_items (id, business_id, cart_id, location_id, offering_id, occurrence_id, attendee, party, listed_amount, created_at)
		values ($7, $1, $2, $3, $8, $9, $10, $11, $12, $6)`,
		tx.Business(), cart, in.LocationID, hash, in.PersonID, tx.Now(), pg.NewID(), in.OfferingID, in.OccurrenceID, in.Attendee,
		in.Party, in.PriceAmount)
	return err
}
