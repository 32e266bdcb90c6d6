package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

func insertBlock(ctx context.Context, tx *pg.Tx, b Block) error {
	_, err := tx.Exec(ctx, `insert into space_blocks (id, business_id, location_id, space_id, starts_at, ends_at, note, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		b.ID, tx.Business(), b.LocationID, b.SpaceID, b.StartsAt, b.EndsAt, b.Note, b.CreatedAt)
	return err
}

func deleteBlock(ctx context.Context, tx *pg.Tx, location, space, id uuid.UUID) error {
	n, err := tx.Exec(ctx, `delete from space_blocks where business_id = $1 and location_id = $2 and space_id = $3 and id = $4`,
		tx.Business(), location, space, id)
	if err == nil && n == 0 {
		err = fault.Missing()
	}
	return err
}

func listBlocks(ctx context.Context, r pg.Reader, location, space uuid.UUID, after AwayKey, most int) ([]Block, error) {
	return pg.All[Block](ctx, r, `select id, location_id, space_id, starts_at, ends_at, note, created_at from space_blocks
		where business_id = $1 and location_id = $2 and space_id = $3 and (ends_at, id) > ($4, $5) order by ends_at, id limit $6`,
		r.Business(), location, space, after.EndsAt, after.ID, most)
}
