package jobs_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"foyer/app/apptest"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// Both ways to enqueue write the same rows as River: except for the id and the times, every column is the same.
func TestEnqueuedIsRivers(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	job := code{"the same"}
	err := pg.Do(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) error {
		if err := jobs.EnqueueTx(t.Context(), tx, job); err != nil {
			return err
		}
		args, err := jobs.Enqueuing(tx, job, pg.Named{})
		if err != nil {
			return err
		}
		b := tx.Batch()
		pg.QueueExec(b, "with due as (select), "+jobs.Enqueued+" select", args)
		return b.Send(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), w.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rivers, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: "river"})
	if err != nil {
		t.Fatal(err)
	}
	opts := river.InsertOpts{MaxAttempts: 10, Queue: "mail", Metadata: []byte(`{"until":"2026-06-10T12:10:00Z"}`)} // as its terms say
	if _, err := rivers.InsertTx(t.Context(), tx, job, &opts); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := apptest.Values[string](t, w, `select (to_jsonb(j) - 'id' - 'created_at' - 'scheduled_at')::text from river.river_job j order by id`)
	if len(rows) != 3 || rows[0] != rows[2] || rows[1] != rows[2] {
		t.Errorf("we write\n%v\nand River the last", rows)
	}
	apart := apptest.Values[float64](t, w, `select abs(extract(epoch from scheduled_at - now())) from river.river_job`)
	for _, s := range apart {
		if s > 600 {
			t.Errorf("a job is to run %.0f seconds from now", s)
		}
	}
}

// Without a row in table due nothing is enqueued; and a worker that waits is woken.
func TestEnqueuedRuns(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	enqueued := func(due string) {
		err := pg.Do(t.Context(), w.DB, uuid.Nil, func(tx *pg.Tx) error {
			args, err := jobs.Enqueuing(tx, note{due}, pg.Named{})
			if err != nil {
				return err
			}
			b := tx.Batch()
			pg.QueueExec(b, "with due as ("+due+"), "+jobs.Enqueued+" select", args)
			return b.Commit(t.Context())
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	enqueued("select where false")
	if n := apptest.Value[int](t, w, "select count(*) from river.river_job"); n != 0 {
		t.Fatalf("%d jobs for nothing", n)
	}
	ran := make(chan string, 10)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(_ context.Context, n note) error { ran <- n.Text; return nil })
	start(t, w, r)
	enqueued("select")
	if got := receive(t, ran); got != "select" {
		t.Errorf("ran %q", got)
	}
}
