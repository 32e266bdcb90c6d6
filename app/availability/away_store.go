package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
)

func insertTimeOff(ctx context.Context, tx *pg.Tx, member uuid.UUID, a Absence) error {
	_, err := tx.Exec(ctx, `insert into time_off (id, business_id, member_id, starts_at, ends_at, note, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, a.ID, tx.Business(), member, a.StartsAt, a.EndsAt, a.Note, a.CreatedAt)
	return err
}

func deleteTimeOff(ctx context.Context, tx *pg.Tx, member, id uuid.UUID) error {
	return orMissing(tx.Exec(ctx, `delete from time_off where business_id = $1 and member_id = $2 and id = $3`, tx.Business(), member, id))
}

// orMissing refuses a change of no row: the row is not found.
func orMissing(n int64, err error) error {
	if err == nil && n == 0 {
		err = fault.Missing()
	}
	return err
}

func listTimeOff(ctx context.Context, r pg.Reader, member uuid.UUID, after paging.Moment, most int) ([]Absence, error) {
	return pg.All[Absence](ctx, r, `select id, starts_at, ends_at, note, created_at from time_off
		where business_id = $1 and member_id = $2 and (ends_at, id) > ($3, $4) order by ends_at, id limit $5`,
		r.Business(), member, after.At, after.ID, most)
}

func insertBlock(ctx context.Context, tx *pg.Tx, location, space uuid.UUID, a Absence) error {
	_, err := tx.Exec(ctx, `insert into space_blocks (id, business_id, location_id, space_id, starts_at, ends_at, note, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		a.ID, tx.Business(), location, space, a.StartsAt, a.EndsAt, a.Note, a.CreatedAt)
	return err
}

func deleteBlock(ctx context.Context, tx *pg.Tx, location, space, id uuid.UUID) error {
	return orMissing(tx.Exec(ctx, `delete from space_blocks where business_id = $1 and location_id = $2 and space_id = $3 and id = $4`,
		tx.Business(), location, space, id))
}

func listBlocks(ctx context.Context, r pg.Reader, location, space uuid.UUID, after paging.Moment, most int) ([]Absence, error) {
	return pg.All[Absence](ctx, r, `select id, starts_at, ends_at, note, created_at from space_blocks
		where business_id = $1 and location_id = $2 and space_id = $3 and (ends_at, id) > ($4, $5) order by ends_at, id limit $6`,
		r.Business(), location, space, after.At, after.ID, most)
}
