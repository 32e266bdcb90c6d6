package jobs

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"foyer/app/pg"
)

// schema is where River's tables live (package migrate makes them).
const schema = "river"

// maxAttempts bounds the tries of one job: River's backoff of attempt^4 seconds makes ten of them about seven hours.
const maxAttempts = 10

// Args is the argument struct of one kind of job: ids and small facts, encoded as JSON. Kind names it for ever.
type Args interface{ Kind() string }

// inserter writes jobs on the caller's connection; it needs no pool of its own.
var inserter = sync.OnceValues(func() (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: schema})
})

// EnqueueTx puts a job into the outbox. It runs after the transaction commits, at once if a worker of its queue is free, and
// until the life of its kind is over.
func EnqueueTx(ctx context.Context, tx *pg.Tx, args Args) error {
	return EnqueueAllTx(ctx, tx, []Args{args})
}

// EnqueueAllTx is EnqueueTx for many jobs, in one statement.
func EnqueueAllTx(ctx context.Context, tx *pg.Tx, list []Args) error {
	client, err := inserter()
	if err != nil {
		return err
	}
	t, err := tx.PgxTx(ctx)
	if err != nil {
		return err
	}
	rows := make([]river.InsertManyParams, len(list))
	for i, args := range list {
		of := termsOf(args.Kind())
		kept, err := of.tagOf(tx.Now())
		if err != nil {
			return err
		}
		rows[i] = river.InsertManyParams{Args: args, InsertOpts: &river.InsertOpts{MaxAttempts: maxAttempts, Queue: of.queue, Metadata: kept}}
	}
	_, err = client.InsertManyTx(ctx, t, rows)
	return err
}

// Enqueued is EnqueueTx as a part of a statement, for where a trip of its own counts: for each row of table due it writes the row
// that River would write, and has the workers look for it when the transaction is committed. Its names are Enqueuing's.
const Enqueued = `job as (
	insert into river.river_job (kind, args, max_attempts, metadata, priority, queue, state, tags, created_at, scheduled_at)
	select @job_kind, @job, @job_attempts, @job_kept, 1, @job_queue, 'available', '{}', @job_at, @job_at from due
	returning case when @job_wakes then pg_notify('river.river_insert', json_build_object('queue', queue)::text) end
)`

// Enqueuing adds a job to the arguments of a statement that has Enqueued in it.
func Enqueuing(tx *pg.Tx, args Args, to pg.Named) (pg.Named, error) {
	of := termsOf(args.Kind())
	kept, err := of.tagOf(tx.Now())
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(args)
	now := time.Now().UTC() // real time: River knows no other
	maps.Copy(to, pg.Named{
		"job_kind": args.Kind(), "job": json.RawMessage(body), "job_attempts": maxAttempts, "job_at": now, "job_wakes": wakes(of.queue, now),
		"job_queue": of.queue, "job_kept": json.RawMessage(kept),
	})
	return to, err
}

// wakeEvery is how often a process wakes the workers of a queue; River does it as often. To notify takes a lock that all
// notifying transactions of a server share, and a worker that was not woken looks by itself, soon.
const wakeEvery = 100 * time.Millisecond

var woken sync.Map // by queue: *atomic.Int64, when its workers were woken last, in Unix nanoseconds

// wakes tells whether it is time to wake the workers of a queue.
func wakes(queue string, at time.Time) bool {
	known, _ := woken.LoadOrStore(queue, new(atomic.Int64))
	last, now := known.(*atomic.Int64), at.UnixNano()
	seen := last.Load()
	return now-seen >= int64(wakeEvery) && last.CompareAndSwap(seen, now)
}
