package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Lost is a mail that will not be sent, or another job that was given up.
type Lost struct {
	ID   int64
	Kind string
	Args json.RawMessage
	Late bool // it expired before it could be sent; otherwise its last try was refused
}

// LostMails lists up to most mails that ended without being sent and have not been reported yet (ToldTx), those that
// waited longest first. It reads River's ended jobs, so the cause does not matter: the end of the lifetime, the last
// try, or a process that was killed.
func LostMails(ctx context.Context, db *pg.DB, most int) ([]Lost, error) {
	return pg.All[Lost](ctx, db.View(uuid.Nil), `select id, kind, args, state = 'cancelled' as late from river.river_job
		where state in ('cancelled', 'discarded') and finalized_at is not null and queue = $1 and not metadata ? 'told'
		order by finalized_at, id limit $2`, queueMail, most)
}

// LostJobs lists up to most jobs of a kind that were given up after their last try and have not been reported yet
// (ToldTx), those that waited longest first.
func LostJobs(ctx context.Context, db *pg.DB, kind string, most int) ([]Lost, error) {
	return pg.All[Lost](ctx, db.View(uuid.Nil), `select id, kind, args, false as late from river.river_job
		where state = 'discarded' and finalized_at is not null and kind = $1 and not metadata ? 'told'
		order by finalized_at, id limit $2`, kind, most)
}

// ToldTx keeps LostMails and LostJobs from listing these again.
func ToldTx(ctx context.Context, tx *pg.Tx, ids []int64) error {
	_, err := tx.Exec(ctx, `update river.river_job set metadata = metadata || '{"told": true}' where id = any($1)`, ids)
	return err
}

// Past marks mails that have already expired as reported: the actions of the demo are in the past when its worker
// starts.
func Past(ctx context.Context, db *pg.DB, now time.Time) error {
	_, err := pg.InTx(ctx, db, uuid.Nil, func(tx *pg.Tx) (struct{}, error) {
		_, err := tx.Exec(ctx, `update river.river_job set metadata = metadata || '{"told": true}'
			where state = 'available' and queue = $1 and (metadata->>'until')::timestamptz <= $2`, queueMail, now)
		return struct{}{}, err
	})
	return err
}
