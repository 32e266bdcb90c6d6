package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// storedEvent is what is kept of an event.
type storedEvent struct {
	Account   string
	Type      string
	Object    string // what to read again
	Processed bool
}

// insertEvent keeps an event and reports whether it is new.
func insertEvent(ctx context.Context, tx *pg.Tx, env Env, e Event, object string) (bool, error) {
	n, err := tx.Exec(ctx, `insert into webhook_events (id, env, account, type, object, received_at)
		values ($1, $2, $3, $4, $5, $6) on conflict (env, id) do nothing`, e.ID, env, e.Account, e.Type, object, tx.Now())
	return n == 1, err
}

func readEvent(ctx context.Context, db *pg.DB, env Env, id string) (storedEvent, bool, error) {
	e, err := pg.One[storedEvent](ctx, db.View(uuid.Nil), `select account, type, object, processed_at is not null as processed
		from webhook_events where env = $1 and id = $2`, env, id)
	if errors.Is(err, pg.ErrNoRow) {
		return storedEvent{}, false, nil
	}
	return e, err == nil, err
}

func markEvent(ctx context.Context, db *pg.DB, env Env, id string) error {
	_, err := pg.InTx(ctx, db, uuid.Nil, func(tx *pg.Tx) (int64, error) {
		return tx.Exec(ctx, `update webhook_events set processed_at = $3 where env = $1 and id = $2 and processed_at is null`,
			env, id, tx.Now())
	})
	return err
}

// dropEvents forgets events that were processed before a time, at most a thousand of them.
func dropEvents(ctx context.Context, tx *pg.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, `delete from webhook_events where (env, id) in
		(select env, id from webhook_events where processed_at < $1 limit 1000)`, before)
	return err
}
