package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"foyer/app/apptest"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// The kinds of this file's jobs are those of the product, with the same queues and lives.
type (
	code   struct{ Text string }
	refund struct{ Text string }
	event  struct{ Text string }
	round  struct{ Text string }
)

func (code) Kind() string   { return "identity.code" }
func (refund) Kind() string { return "billing.refund" }
func (event) Kind() string  { return "billing.webhook" }
func (round) Kind() string  { return "booking.waitlist_round" }

func (code) Terms() jobs.Terms   { return jobs.Mail(10 * time.Minute) }
func (refund) Terms() jobs.Terms { return jobs.Money() }
func (event) Terms() jobs.Terms  { return jobs.Webhook() }
func (round) Terms() jobs.Terms  { return jobs.Upkeep() }

func put(t *testing.T, w *apptest.World, all ...jobs.Args) {
	t.Helper()
	err := pg.Do(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) error {
		for _, args := range all {
			if err := jobs.EnqueueTx(t.Context(), tx, args); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wait waits for something that other goroutines bring about.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it does not happen", what)
		}
	}
}

// As many jobs of one purpose as there are hang, and those of all the others run.
func TestAPurposeHasWorkersOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, hanging := range []jobs.Args{code{"hangs"}, refund{"hangs"}, event{"hangs"}, round{"hangs"}} {
		t.Run(hanging.Kind(), func(t *testing.T) {
			t.Parallel()
			w := apptest.Open(t)
			let, ran := make(chan struct{}), make(chan string, 10)
			run := func(ctx context.Context, kind, text string) error {
				if text != "hangs" {
					ran <- kind
					return nil
				}
				select {
				case <-let:
				case <-ctx.Done():
				}
				return nil
			}
			r := jobs.NewRegistry()
			jobs.Handle(r, func(ctx context.Context, j code) error { return run(ctx, j.Kind(), j.Text) })
			jobs.Handle(r, func(ctx context.Context, j refund) error { return run(ctx, j.Kind(), j.Text) })
			jobs.Handle(r, func(ctx context.Context, j event) error { return run(ctx, j.Kind(), j.Text) })
			jobs.Handle(r, func(ctx context.Context, j round) error { return run(ctx, j.Kind(), j.Text) })
			for range 150 {
				put(t, w, hanging)
			}
			start(t, w, r)
			t.Cleanup(func() { close(let) })
			want := map[string]bool{}
			for _, other := range []jobs.Args{code{}, refund{}, event{}, round{}} {
				if other.Kind() != hanging.Kind() {
					put(t, w, other)
					want[other.Kind()] = true
				}
			}
			for range len(want) {
				delete(want, receive(t, ran))
			}
			if len(want) > 0 {
				t.Errorf("did not run: %v", want)
			}
		})
	}
}

// oldBinary puts jobs in as binaries did before there were queues.
func oldBinary(t *testing.T, w *apptest.World) *river.Client[pgx.Tx] {
	t.Helper()
	c, err := river.NewClient(riverpgxv5.New(w.DB.Pool()), &river.Config{Schema: "river"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Jobs of binaries without queues are worked.
func TestJobsOfAnOldBinaryAreWorked(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	old := oldBinary(t, w)
	if _, err := old.Insert(t.Context(), code{"from before"}, &river.InsertOpts{MaxAttempts: 10}); err != nil {
		t.Fatal(err)
	}
	if queue := apptest.Value[string](t, w, "select queue from river.river_job"); queue != "default" {
		t.Fatalf("queue %s", queue)
	}
	ran := make(chan string, 1)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(_ context.Context, j code) error { ran <- j.Text; return nil })
	start(t, w, r)
	if got := receive(t, ran); got != "from before" {
		t.Errorf("ran %q", got)
	}
}

// A mail that is late is not begun and not tried again; one that fails after its time is not tried again either. The
// time is the injected clock's.
func TestAMailEnds(t *testing.T) {
	t.Parallel()
	w, log := apptest.Open(t), &notes{}
	ran := make(chan string, 10)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(_ context.Context, j code) error {
		ran <- j.Text
		if j.Text == "fails late" {
			w.Clock.Advance(time.Minute)
			return errors.New("the mail server is down")
		}
		return nil
	})
	jobs.Handle(r, func(_ context.Context, j refund) error { ran <- j.Text; return nil })
	put(t, w, code{"late"}, refund{"money has no end"})
	w.Clock.Advance(10 * time.Minute)
	put(t, w, code{"fails late"})
	w.Clock.Advance(9*time.Minute + 30*time.Second)
	startWith(t, w, r, slog.New(slog.NewTextHandler(log, nil)))
	got := map[string]bool{receive(t, ran): true, receive(t, ran): true}
	if !got["money has no end"] || !got["fails late"] {
		t.Errorf("ran %v", got)
	}
	wait(t, "both end", func() bool {
		return apptest.Value[int](t, w, "select count(*) from river.river_job where kind = 'identity.code' and state = 'cancelled'") == 2
	})
	if n := strings.Count(log.String(), "job dropped: expired"); n != 2 || !strings.Contains(log.String(), "kind=identity.code") ||
		!strings.Contains(log.String(), "the mail server is down") {
		t.Errorf("%d lines: %s", n, log)
	}
	if len(ran) > 0 {
		t.Errorf("ran besides: %s", <-ran)
	}
}

// A job that runs for longer than any job can belongs to a dead process: it runs again, at once and no more often
// than its tries allow.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	w, log := apptest.Open(t), &notes{}
	let := make(chan struct{})
	r := jobs.NewRegistry()
	// This worker's jobs do not heed their time, and it looks for no dead: to the other it is one that was killed.
	r.Pace = jobs.Pace{Timeout: 500 * time.Millisecond, DeadAfter: time.Hour, PollInterval: time.Hour}
	began := make(chan string, 10)
	jobs.Handle(r, func(_ context.Context, j refund) error { began <- j.Text; <-let; return nil })
	start(t, w, r)
	t.Cleanup(func() { close(let) })
	put(t, w, refund{"again"})
	old := oldBinary(t, w)
	if _, err := old.Insert(t.Context(), refund{"the last try"}, &river.InsertOpts{MaxAttempts: 1}); err != nil {
		t.Fatal(err)
	}
	receive(t, began)
	receive(t, began)

	ran := make(chan string, 10)
	living := jobs.NewRegistry()
	living.Pace = jobs.Pace{Timeout: 5 * time.Second, DeadAfter: 2 * time.Second, PollInterval: 50 * time.Millisecond}
	jobs.Handle(living, func(_ context.Context, j refund) error { ran <- j.Text; return nil })
	startWith(t, w, living, slog.New(slog.NewTextHandler(log, nil)))
	if got := receive(t, ran); got != "again" {
		t.Errorf("ran %q", got)
	}
	// The other still looks for jobs, so it may have been the second that was at it, too.
	wait(t, "it is done", func() bool {
		return apptest.Value[bool](t, w, `select state = 'completed' and attempt > 1 and cardinality(errors) = attempt - 1
			from river.river_job where max_attempts > 1`)
	})
	wait(t, "the last try is over", func() bool {
		return apptest.Value[bool](t, w, `select state = 'discarded' and attempt = 1 and cardinality(errors) = 1 and finalized_at is not null
			from river.river_job where max_attempts = 1`)
	})
	if len(ran) > 0 {
		t.Errorf("ran besides: %s", <-ran)
	}
	if !strings.Contains(log.String(), "job recovered") {
		t.Errorf("nothing is said: %s", log)
	}
}

// Jobs that wait too long are reported by their queue, including unknown ones.
func TestLagKnowsAllQueues(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	if err := jobs.CheckLag(t.Context(), w.DB); err != nil {
		t.Fatalf("nothing waits: %v", err)
	}
	put(t, w, code{}, refund{}, event{}, round{})
	if err := jobs.CheckLag(t.Context(), w.DB); err != nil {
		t.Fatalf("all of them came now: %v", err)
	}
	w.SQL(t, "update river.river_job set scheduled_at = scheduled_at - interval '3 minutes'") // River uses the real clock only
	err := jobs.CheckLag(t.Context(), w.DB)
	for _, queue := range []string{"mail", "money", "webhooks", "upkeep"} {
		if err == nil || !strings.Contains(err.Error(), "queue "+queue+" has waited for 3m") {
			t.Errorf("%s is not told: %v", queue, err)
		}
	}
}
