package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Lost is a mail that will not be sent any more, or another job that was given up.
type Lost struct {
	ID   int64
	Kind string
	Args json.RawMessage
	Late bool // nobody could send it in time; otherwise it was refused until the tries were over
}

// LostMails lists, at most so many and the ones that have waited longest first, what ended in the queue of mails without being sent
// and was not told yet (ToldTx). It is read from where River keeps what has ended, so it does not matter what ended it: the end of
// its life, its last try, or a process that died at it.
func LostMails(ctx context.Context, db *pg.DB, most int) ([]Lost, error) {
	return pg.All[Lost](ctx, db.View(uuid.Nil), `select id, kind, args, state = 'cancelled' as late from river.river_job
		where state in ('cancelled', 'discarded') and finalized_at is not null and queue = $1 and not metadata ? 'told'
		order by finalized_at, id limit $2`, queueMail, most)
}

// LostJobs lists, at most so many and the ones that have waited longest first, the jobs of a kind that were given up after their last try
// and were not told yet (ToldTx).
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

// Past has mails whose time is over already not told as lost: what the demo does is long ago when its worker starts.
func Past(ctx context.Context, db *pg.DB, now time.Time) error {
	_, err := pg.InTx(ctx, db, uuid.Nil, func(tx *pg.Tx) (struct{}, error) {
		_, err := tx.Exec(ctx, `update river.river_job set metadata = metadata || '{"told": true}'
			where state = 'available' and queue = $1 and (metadata->>'until')::timestamptz <= $2`, queueMail, now)
		return struct{}{}, err
	})
	return err
}
