package claim

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// WithdrawTx deletes the people's claims of some dates and the spaces' claims of others, and returns their rows, for RestoreTx.
func WithdrawTx(ctx context.Context, tx *pg.Tx, people, spaces []uuid.UUID) ([]json.RawMessage, error) {
	return pg.All[json.RawMessage](ctx, tx, `delete from claims c where business_id = $1 and (occurrence_id = any($2)
		and member_id is not null or occurrence_id = any($3) and space_id is not null) returning to_jsonb(c)`,
		tx.Business(), people, spaces)
}

// DeleteTx deletes claims by their ids, and all claims of some dates.
func DeleteTx(ctx context.Context, tx *pg.Tx, ids, dates []uuid.UUID) error {
	_, err := tx.Exec(ctx, `delete from claims where business_id = $1 and (id = any($2) or occurrence_id = any($3))`,
		tx.Business(), ids, dates)
	return err
}

// RestoreTx writes rows back that WithdrawTx has returned.
func RestoreTx(ctx context.Context, tx *pg.Tx, rows []json.RawMessage) error {
	if len(rows) == 0 {
		return nil
	}
	body, err := json.Marshal(rows)
	if err == nil {
		_, err = tx.Exec(ctx, `insert into claims select * from jsonb_populate_recordset(null::claims, $2::jsonb) c
			where c.business_id = $1`, tx.Business(), string(body))
	}
	return err
}

// ShortenTx ends what an occurrence takes at an instant. A claim that would be empty, or has not begun, goes whole.
func ShortenTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, to time.Time) error {
	_, err := tx.Exec(ctx, `with cut as (
			update claims set ends_at = $3 where business_id = $1 and occurrence_id = $2 and starts_at < $3 and ends_at > $3
		)
		delete from claims where business_id = $1 and occurrence_id = $2 and starts_at >= $3`, tx.Business(), occurrence, to)
	return err
}
