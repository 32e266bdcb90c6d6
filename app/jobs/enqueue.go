package jobs

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"foyer/app/pg"
)

// maxAttempts bounds the tries of one job: River's backoff of attempt^4 seconds makes ten of them about seven hours.
const maxAttempts = 10

// Args is the argument struct of one kind of job: ids and small facts, encoded as JSON. Kind is its permanent name;
// Terms returns its queue and lifetime.
type Args interface {
	Kind() string
	Terms() Terms
}

// EnqueueTx puts a job into the outbox. It runs after the transaction commits, immediately if a worker of its queue
// is free, until the lifetime of its kind ends.
func EnqueueTx(ctx context.Context, tx *pg.Tx, args Args) error {
	return EnqueueAllTx(ctx, tx, []Args{args})
}

// written are the columns of a job, which are those that River writes.
const written = `insert into river.river_job (kind, args, max_attempts, metadata, priority, queue, state, tags, created_at, scheduled_at)`

// wake makes the workers of a queue look for the job when the transaction is committed.
const wake = `pg_notify('river.river_insert', json_build_object('queue', queue)::text)`

// enqueueAll writes a list of jobs. River's own client would send its notifications apart, in a trip more now and then.
const enqueueAll = written + `
	select kind, args::jsonb, @attempts, kept::jsonb, 1, queue, 'available', '{}', @at, @at
	from unnest(@kinds::text[], @args::text[], @kept::text[], @queues::text[]) as job (kind, args, kept, queue)
	returning case when queue = any(@wakes::text[]) then ` + wake + ` end`

// EnqueueAllTx is EnqueueTx for many jobs, in one statement.
func EnqueueAllTx(ctx context.Context, tx *pg.Tx, list []Args) error {
	now := time.Now().UTC() // real time: River uses no other
	n := len(list)
	kinds, bodies, tags, queues, due := make([]string, n), make([]string, n), make([]string, n), make([]string, n), []string{}
	for i, args := range list {
		of := args.Terms()
		kept, err := of.tagOf(tx.Now())
		if err != nil {
			return err
		}
		body, err := json.Marshal(args)
		if err != nil {
			return err
		}
		kinds[i], bodies[i], tags[i], queues[i] = args.Kind(), string(body), string(kept), of.queue
		if wakes(tx, of.queue, now) {
			due = append(due, of.queue)
		}
	}
	_, err := tx.Exec(ctx, enqueueAll, pg.Named{
		"kinds": kinds, "args": bodies, "kept": tags, "queues": queues, "wakes": due, "attempts": maxAttempts, "at": now,
	})
	return err
}

// Enqueued is EnqueueTx as part of a statement, to save a round trip: for each row of table due it inserts the row
// that River would insert, and wakes the workers when the transaction is committed. Its named arguments are those of
// Enqueuing.
const Enqueued = `job as (
	` + written + `
	select @job_kind, @job, @job_attempts, @job_kept, 1, @job_queue, 'available', '{}', @job_at, @job_at from due
	returning case when @job_wakes then ` + wake + ` end
)`

// Enqueuing adds a job to the arguments of a statement that has Enqueued in it.
func Enqueuing(tx *pg.Tx, args Args, to pg.Named) (pg.Named, error) {
	of := args.Terms()
	kept, err := of.tagOf(tx.Now())
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(args)
	now := time.Now().UTC() // real time: River uses no other
	maps.Copy(to, pg.Named{
		"job_kind": args.Kind(), "job": json.RawMessage(body), "job_attempts": maxAttempts, "job_at": now, "job_wakes": wakes(tx, of.queue, now),
		"job_queue": of.queue, "job_kept": json.RawMessage(kept),
	})
	return to, err
}

// wakeEvery is how often a process wakes the workers of a queue; River does it as often. To notify takes a lock that
// all notifying transactions of a server share, and a worker that was not woken looks by itself, soon.
const wakeEvery = 100 * time.Millisecond

// wakes reports whether it is time to wake the workers of a queue.
func wakes(tx *pg.Tx, queue string, at time.Time) bool { return tx.Due("wake "+queue, at, wakeEvery) }
