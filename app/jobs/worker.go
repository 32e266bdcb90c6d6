package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"foyer/app/pg"
)

// Registry holds the handlers of all kinds and the sweeps. Domains fill it at start; it is not used before Start.
type Registry struct {
	// Pace is how long jobs may take; NewRegistry sets Usual.
	Pace Pace

	workers *river.Workers
	kinds   []string
	unheld  []string // kinds with invalid terms
	sweeps  []sweep
}

type sweep struct {
	name  string
	every time.Duration
	run   func(context.Context) error
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{Pace: Usual, workers: river.NewWorkers()} }

// Handle registers the handler of jobs of kind A. River retries the job after an error.
func Handle[A Args](r *Registry, run func(context.Context, A) error) {
	river.AddWorker(r.workers, &worker[A]{run: run})
	var args A
	r.kinds = append(r.kinds, args.Kind())
	if !args.Terms().hold() {
		r.unheld = append(r.unheld, args.Kind())
	}
}

// Kinds are the kinds of jobs that something runs.
func (r *Registry) Kinds() []string { return r.kinds }

// Unheld returns the kinds with invalid terms: a queue without workers, or a mail that never expires.
func (r *Registry) Unheld() []string { return r.unheld }

type worker[A Args] struct {
	river.WorkerDefaults[A]
	run func(context.Context, A) error
}

func (w *worker[A]) Work(ctx context.Context, job *river.Job[A]) error { return w.run(ctx, job.Args) }

// Sweep runs fn at every beat of real time, and once at start.
func Sweep(r *Registry, name string, every time.Duration, fn func(context.Context) error) {
	r.sweeps = append(r.sweeps, sweep{name, every, fn})
}

// Swept are the functions that the sweeps run, as package runtime names them: foyer/app/booking.(*Service).ExpireDue.
func (r *Registry) Swept() []string {
	var out []string
	for _, s := range r.sweeps {
		name := runtime.FuncForPC(reflect.ValueOf(s.run).Pointer()).Name()
		out = append(out, strings.TrimSuffix(name, "-fm")) // of a method's value
	}
	return out
}

// Sweeps runs every sweep once, in order. It is for tests, and for "foyer dev" after a change of the clock.
func (r *Registry) Sweeps(ctx context.Context) error {
	for _, s := range r.sweeps {
		if err := s.run(ctx); err != nil {
			return fmt.Errorf("sweep %s: %w", s.name, err)
		}
	}
	return nil
}

// schema is where River's tables live (package migrate makes them).
const schema = "river"

// Retention of ended jobs in the table, in real time: River deletes them, a few at a time. Failed jobs are kept
// longer, for inspection.
const (
	completedKept = 24 * time.Hour
	discardedKept = 7 * 24 * time.Hour
)

// Worker runs jobs and sweeps until it is stopped.
type Worker struct {
	client *river.Client[pgx.Tx]
	cancel context.CancelFunc
	beats  sync.WaitGroup
}

// Start begins to work, as the role of db (foyer_job).
func Start(ctx context.Context, db *pg.DB, r *Registry, log *slog.Logger) (*Worker, error) {
	client, err := river.NewClient(riverpgxv5.New(db.Pool()), &river.Config{
		Schema:            schema,
		Queues:            queues,
		Workers:           r.workers,
		Logger:            slog.New(quiet{log.Handler()}),
		ErrorHandler:      failures{log},
		Middleware:        []rivertype.Middleware{lives(db.Clock(), log)},
		FetchCooldown:     20 * time.Millisecond,
		FetchPollInterval: pollSlowest,
		JobTimeout:        r.Pace.Timeout,

		CompletedJobRetentionPeriod: completedKept,
		CancelledJobRetentionPeriod: completedKept,
		DiscardedJobRetentionPeriod: discardedKept,
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if err := client.Start(ctx); err != nil {
		cancel()
		return nil, fmt.Errorf("jobs: %w", err)
	}
	w := &Worker{client: client, cancel: cancel}
	rescue := sweep{"jobs.take_over", r.Pace.PollInterval, func(ctx context.Context) error { return takeOver(ctx, db, r.Pace.DeadAfter, log) }}
	first := make(chan struct{}, 1)
	for _, s := range append([]sweep{rescue}, r.sweeps...) {
		w.beats.Go(func() { beat(ctx, s, first, log) })
	}
	return w, nil
}

// beat runs a sweep until ctx ends. The first round is run one sweep at a time, so that a start takes one connection
// and not a dozen; one that hangs delays each of the others by a beat of its own at most.
func beat(ctx context.Context, s sweep, first chan struct{}, log *slog.Logger) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	run := func() {
		if err := s.run(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
			log.Error("sweep failed", "sweep", s.name, "error", err)
		}
	}
	select {
	case first <- struct{}{}:
		run()
		<-first
	case <-tick.C:
		run()
	case <-ctx.Done():
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			run()
		}
	}
}

// Stop lets running jobs finish within ctx.
func (w *Worker) Stop(ctx context.Context) error {
	err := w.client.Stop(ctx)
	w.cancel()
	w.beats.Wait()
	return err
}

// failures logs every failed try of a job; River mentions them only in debug logs. Errors of package pg contain the
// verb and the statement.
type failures struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.log.LogAttrs(ctx, slog.LevelError, "job failed", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("try", job.Attempt), slog.Bool("last", job.Attempt >= job.MaxAttempts), slog.Any("error", err))
	return nil
}

// HandlePanic implements river.ErrorHandler.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, panicked any, trace string) *river.ErrorHandlerResult {
	f.log.LogAttrs(ctx, slog.LevelError, "job panicked", slog.String("kind", job.Kind), slog.Int64("job", job.ID),
		slog.Int("try", job.Attempt), slog.Any("panic", panicked), slog.String("stack", trace))
	return nil
}

// quiet passes on River's warnings and errors, and drops its informational logs.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

func (q quiet) WithAttrs(a []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(a)} }
func (q quiet) WithGroup(name string) slog.Handler   { return quiet{q.Handler.WithGroup(name)} }
