package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// storedEvent is the stored part of an event.
type storedEvent struct {
	ID        string
	Account   string
	Type      string
	Object    string // the id of the object to read again
	Processed bool
	Business  uuid.UUID `db:"business_id,null"` // of that account; uuid.Nil: unknown
}

var keepEvent = pg.Hot(`with due as (
		insert into webhook_events (id, env, account, type, object, received_at) values (@id, @env, @account, @type, @object, @now)
		on conflict (env, id) do nothing returning id
	), ` + jobs.Enqueued + `
	select`)

// insertEvent stores an event, and enqueues its job if it is new, with the commit.
func insertEvent(ctx context.Context, tx *pg.Tx, env processor.Env, e processor.Event, object string) error {
	args, err := jobs.Enqueuing(tx, WebhookJob{Env: env, Event: e.ID}, pg.Named{
		"id": e.ID, "env": env, "account": e.Account, "type": e.Type, "object": object, "now": tx.Now(),
	})
	if err != nil {
		return err
	}
	b := tx.Batch()
	pg.QueueExec(b, keepEvent, args)
	return b.Commit(ctx)
}

func readEvent(ctx context.Context, db *pg.DB, env processor.Env, id string) (storedEvent, bool, error) {
	return pg.Find[storedEvent](ctx, db.View(uuid.Nil), `select e.id, e.account, e.type, e.object, e.processed_at is not null as processed,
			f.business_id
		from webhook_events e left join lateral app.find_account(e.env, e.account) f on true
		where e.env = $1 and e.id = $2`, env, id)
}

// markEventIn queues the marking of an event as processed.
func markEventIn(b *pg.Batch, tx *pg.Tx, env processor.Env, id string) {
	pg.QueueExec(b, `update webhook_events set processed_at = $3 where env = $1 and id = $2 and processed_at is null`, env, id, tx.Now())
}

func markEvent(ctx context.Context, db *pg.DB, env processor.Env, id string) error {
	return pg.Do(ctx, db, uuid.Nil, func(tx *pg.Tx) error {
		b := tx.Batch()
		markEventIn(b, tx, env, id)
		return b.Commit(ctx)
	})
}

// dropEvents deletes events that were processed before a time, at most eventsAtOnce of them.
func dropEvents(ctx context.Context, tx *pg.Tx, before time.Time) (int64, error) {
	return tx.Exec(ctx, `delete from webhook_events where (env, id) in
		(select env, id from webhook_events where processed_at < $1 order by processed_at limit $2 for update skip locked)`,
		before, eventsAtOnce)
}
