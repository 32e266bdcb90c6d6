package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"foyer/app/clock"
	"foyer/app/pg"
)

// Pace is how long jobs may take, in real time.
type Pace struct {
	Timeout      time.Duration // of one try: then its context ends, and it has failed
	DeadAfter    time.Duration // since the start of a try: an unfinished job counts as dead
	PollInterval time.Duration // how often each process looks for the dead
}

// Usual is the pace of the product: a job of a killed process runs again at most 40 seconds after it was started. A
// job that calls the processor or the mail server (15 seconds at most) ends well before Timeout, and all jobs end
// before a process that was told to end is killed.
var Usual = Pace{Timeout: 20 * time.Second, DeadAfter: 30 * time.Second, PollInterval: 5 * time.Second}

// takeOver makes the jobs of dead processes available again: those that run for longer than any job can. It is one
// statement that every process sends, so the killed process may be the leader. River does the same, but in its leader
// alone, every 30 seconds, and then waits as after a failure: that takes more than a minute.
//
// A process that was stopped, or cut off from the database, may still run such a job, and so may one of an older
// binary, whose jobs had a minute. That is safe, because every handler is idempotent: it reads the facts again, and
// its calls have an idempotency key; the worst case is a mail that is sent twice. Each try counts, so a job that
// kills its process ends, too.
func takeOver(ctx context.Context, db *pg.DB, deadAfter time.Duration, log *slog.Logger) error {
	taken, err := pg.InTx(ctx, db, uuid.Nil, func(tx *pg.Tx) ([]takenOver, error) {
		return pg.All[takenOver](ctx, tx, `update river.river_job
			set state = case when attempt < max_attempts then 'available' else 'discarded' end::river.river_job_state,
				finalized_at = case when attempt < max_attempts then null else now() end, scheduled_at = now(),
				errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', 'the process is gone', 'trace', ''))
			where state = 'running' and attempted_at < now() - $1 * interval '1 second'
			returning id, kind, attempt, state = 'discarded' as last`, deadAfter.Seconds())
	})
	for _, j := range taken {
		log.LogAttrs(ctx, slog.LevelWarn, "job recovered from a dead process", slog.String("kind", j.Kind),
			slog.Int64("job", j.ID), slog.Int("try", j.Attempt), slog.Bool("last", j.Last))
	}
	return err
}

// errTimeOver is the error that River stores for a dropped job.
var errTimeOver = errors.New("jobs: expired")

type takenOver struct {
	ID      int64
	Kind    string
	Attempt int
	Last    bool
}

// lives ends expired jobs: they are not started, and after a failure not retried.
func lives(c clock.Clock, log *slog.Logger) river.WorkerMiddlewareFunc {
	return func(ctx context.Context, job *rivertype.JobRow, run func(context.Context) error) error {
		until, err := endOf(job.Metadata)
		if err != nil {
			return err
		}
		over := func() bool { return !until.IsZero() && !c.Now().Before(until) }
		if !over() {
			if err = run(ctx); err == nil || !over() {
				return err
			}
		}
		level := slog.LevelWarn
		if err == nil { // no worker was running: as in "foyer dev", whose demo has a past
			level = slog.LevelInfo
		}
		log.LogAttrs(ctx, level, "job dropped: expired", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
			slog.Int("try", job.Attempt), slog.Time("until", until), slog.Any("error", err))
		return river.JobCancel(errTimeOver)
	}
}
