package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/jobs"
	"foyer/app/pg"
)

type note struct {
	Text string `json:"text"`
}

func (note) Kind() string { return "test.note" }

// Terms are those of the kind.
func (note) Terms() jobs.Terms { return jobs.Upkeep() }

// start runs a worker over the test's database until the test ends.
func start(t *testing.T, w *apptest.World, r *jobs.Registry) {
	t.Helper()
	startWith(t, w, r, slog.New(slog.DiscardHandler))
}

func startWith(t *testing.T, w *apptest.World, r *jobs.Registry, log *slog.Logger) {
	t.Helper()
	worker, err := jobs.Start(t.Context(), w.As(t, "foyer_job"), r, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := worker.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

func enqueue(t *testing.T, w *apptest.World, text string, after error) {
	t.Helper()
	_, err := pg.InTx(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) (int, error) {
		if err := jobs.EnqueueTx(t.Context(), tx, note{text}); err != nil {
			return 0, err
		}
		return 0, after
	})
	if !errors.Is(err, after) {
		t.Fatal(err)
	}
}

func receive(t *testing.T, from <-chan string) string {
	t.Helper()
	select {
	case s := <-from:
		return s
	case <-time.After(time.Minute):
		t.Fatal("no job ran")
		return ""
	}
}

// A job is there when its transaction commits, as the application's role, and only then.
func TestOutbox(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	enqueue(t, w, "rolled back", errors.New("no"))
	if n := apptest.Value[int](t, w, "select count(*) from river.river_job"); n != 0 {
		t.Fatalf("%d jobs of a transaction that was rolled back", n)
	}
	ran := make(chan string, 10)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(_ context.Context, n note) error { ran <- n.Text; return nil })
	enqueue(t, w, "before the worker", nil)
	start(t, w, r)
	if got := receive(t, ran); got != "before the worker" {
		t.Errorf("ran %q", got)
	}
	enqueue(t, w, "while it works", nil)
	if got := receive(t, ran); got != "while it works" {
		t.Errorf("ran %q", got)
	}
}

// A failed job is retried, and a panic is a failure.
func TestTriesAgain(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	var tries atomic.Int32
	ran := make(chan string, 10)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(_ context.Context, n note) error {
		if tries.Add(1) == 1 {
			panic("the first time")
		}
		ran <- n.Text
		return nil
	})
	start(t, w, r)
	enqueue(t, w, "again", nil)
	if got := receive(t, ran); got != "again" || tries.Load() != 2 {
		t.Errorf("%q after %d tries", got, tries.Load())
	}
}

// notes is a log that a test reads while it is written.
type notes struct {
	mu   sync.Mutex
	text strings.Builder
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// Service stands for a domain.
type Service struct{ db *pg.DB }

// Post is the verb of a job.
func (s *Service) Post(ctx context.Context, n note) error {
	if n.Text == "panics" {
		panic("no stamps")
	}
	return stamp(ctx, s.db.View(uuid.Nil))
}

func stamp(ctx context.Context, r pg.Reader) error {
	_, err := pg.All[int](ctx, r, "select price from stamps")
	return err
}

// A failed job is logged, with its kind and with verb and statement of the failure.
func TestFailuresAreLogged(t *testing.T) {
	t.Parallel()
	w, log := apptest.Open(t), &notes{}
	r, s := jobs.NewRegistry(), &Service{w.DB}
	jobs.Handle(r, s.Post)
	startWith(t, w, r, slog.New(slog.NewTextHandler(log, nil)))
	enqueue(t, w, "fails", nil)
	enqueue(t, w, "panics", nil)
	for _, want := range []string{"job failed", "kind=test.note", "jobs_test.Post: jobs_test.stamp (jobs_test.go:", "stamps", "job panicked", "no stamps"} {
		for end := time.Now().Add(time.Minute); !strings.Contains(log.String(), want); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("no %q in %s", want, log)
			}
		}
	}
}

// A start runs the sweeps one at a time; one that hangs keeps the others from nothing for longer than a beat of their
// own.
func TestFirstRoundOfSweeps(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	var running, most, done atomic.Int32
	all := make(chan string, 1)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(context.Context, note) error { return nil })
	const sweeps = 6
	for i := range sweeps {
		jobs.Sweep(r, fmt.Sprint(i), time.Hour, func(context.Context) error {
			now := running.Add(1)
			for {
				was := most.Load()
				if now <= was || most.CompareAndSwap(was, now) {
					break
				}
			}
			time.Sleep(5 * time.Millisecond)
			running.Add(-1)
			if done.Add(1) == sweeps {
				all <- "all"
			}
			return nil
		})
	}
	start(t, w, r)
	if got := receive(t, all); got != "all" || most.Load() != 1 {
		t.Errorf("%d sweeps ran at the same time", most.Load())
	}
}

func TestASweepThatHangsAtStart(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	seen := make(chan string, 100)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(context.Context, note) error { return nil })
	jobs.Sweep(r, "hangs", time.Hour, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	jobs.Sweep(r, "goes on", 10*time.Millisecond, func(context.Context) error {
		select {
		case seen <- "goes on":
		default:
		}
		return nil
	})
	start(t, w, r)
	for range 3 {
		if receive(t, seen) != "goes on" {
			t.Fatal("a sweep that hangs keeps another one from running")
		}
	}
}

func TestSweeps(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	var beats atomic.Int32
	seen := make(chan string, 100)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(context.Context, note) error { return nil })
	jobs.Sweep(r, "fails", 10*time.Millisecond, func(context.Context) error {
		if beats.Add(1) == 2 {
			seen <- "again"
		}
		return errors.New("a sweep that fails is tried at the next beat")
	})
	if err := r.Sweeps(t.Context()); err == nil {
		t.Error("the failure of a sweep got lost")
	}
	start(t, w, r)
	if receive(t, seen) != "again" {
		t.Error("no second beat")
	}
}
