package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

func insertTimeOff(ctx context.Context, tx *pg.Tx, t TimeOff) error {
	_, err := tx.Exec(ctx, `insert into time_off (id, business_id, member_id, starts_at, ends_at, note, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, t.ID, tx.Business(), t.MemberID, t.StartsAt, t.EndsAt, t.Note, t.CreatedAt)
	return err
}

func deleteTimeOff(ctx context.Context, tx *pg.Tx, member, id uuid.UUID) error {
	n, err := tx.Exec(ctx, `delete from time_off where business_id = $1 and member_id = $2 and id = $3`, tx.Business(), member, id)
	if err == nil && n == 0 {
		err = fault.Missing()
	}
	return err
}

func listTimeOff(ctx context.Context, r pg.Reader, member uuid.UUID, after AwayKey, most int) ([]TimeOff, error) {
	return pg.All[TimeOff](ctx, r, `select id, member_id, starts_at, ends_at, note, created_at from time_off
		where business_id = $1 and member_id = $2 and (ends_at, id) > ($3, $4) order by ends_at, id limit $5`,
		r.Business(), member, after.EndsAt, after.ID, most)
}
