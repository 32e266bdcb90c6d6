package pg_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// ear records the businesses passed to a process's forget function.
type ear struct {
	mu    sync.Mutex
	heard map[uuid.UUID]int
}

func (e *ear) forget(business uuid.UUID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.heard == nil {
		e.heard = map[uuid.UUID]int{}
	}
	e.heard[business]++
}

func (e *ear) times(business uuid.UUID) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard[business]
}

// process is one of several that share a database.
func process(t *testing.T, w *apptest.World) (*pg.DB, *ear) {
	t.Helper()
	var e ear
	changes := pg.NewChanges(e.forget)
	db, err := pg.Open(t.Context(), pg.Config{URL: w.URL("foyer_app"), MaxConns: 4, Clock: w.Clock, Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { changes.Run(ctx, db) })
	t.Cleanup(func() { stop(); run.Wait(); db.Close() })
	return db, &e
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 500 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(what + ": not within five seconds")
}

// A committed write reaches its own process before the verb returns, and the others soon after. A rolled back
// transaction and a read send nothing.
func TestChanges(t *testing.T) {
	w := apptest.Open(t)
	s := w.Sales(t)
	here, mine := process(t, w)
	_, theirs := process(t, w)
	for _, e := range []*ear{mine, theirs} {
		await(t, "listening begins by forgetting everything", func() bool { return e.times(uuid.Nil) == 1 })
	}
	write := func(err error) error {
		_, got := pg.InTx(t.Context(), here, s.Business.ID, func(tx *pg.Tx) (int64, error) {
			n, failed := tx.Exec(t.Context(), "update locations set name = 'Elsewhere' where business_id = $1", s.Business.ID)
			return n, errors.Join(failed, err)
		})
		return got
	}
	if err := write(errors.New("no")); err == nil {
		t.Fatal("it was not rolled back")
	}
	if _, err := pg.One[string](t.Context(), here.View(s.Business.ID), "select name from locations"); err != nil {
		t.Fatal(err)
	}
	if n := mine.times(s.Business.ID); n != 0 {
		t.Fatalf("news without a write: %d", n)
	}
	if err := write(nil); err != nil {
		t.Fatal(err)
	}
	if n := mine.times(s.Business.ID); n != 1 {
		t.Fatalf("when the verb returns its own process has heard %d times", n)
	}
	await(t, "the other process", func() bool { return theirs.times(s.Business.ID) == 1 })

	w.SQL(t, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'")
	for _, e := range []*ear{mine, theirs} {
		await(t, "a broken connection is opened again", func() bool { return e.times(uuid.Nil) == 2 })
	}
	if err := write(nil); err != nil {
		t.Fatal(err)
	}
	await(t, "after that", func() bool { return theirs.times(s.Business.ID) == 2 })
	if n := mine.times(s.Business.ID); n != 2 {
		t.Errorf("a process listens to itself: %d", n)
	}
}

// Many businesses at once fit into words that Postgres takes.
func TestManyChanges(t *testing.T) {
	w := apptest.Open(t)
	here, _ := process(t, w)
	_, theirs := process(t, w)
	await(t, "listening", func() bool { return theirs.times(uuid.Nil) == 1 })
	many := make([]uuid.UUID, 500)
	for i := range many {
		many[i] = pg.NewID()
		_, err := pg.InTx(t.Context(), here, many[i], func(tx *pg.Tx) (int, error) { return pg.One[int](t.Context(), tx, "select 1") })
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, business := range many {
		await(t, business.String(), func() bool { return theirs.times(business) > 0 })
	}
}

// SlugOf remembers: a slug belongs to one record for ever.
func TestSlugOf(t *testing.T) {
	w := apptest.Open(t)
	s := w.Sales(t)
	for n, want := range []int{1, 0} {
		trips := w.Statements(func() {
			p, ok, err := w.DB.SlugOf(t.Context(), s.Location.Slug)
			if err != nil || !ok || p.Business != s.Business.ID || p.Location != s.Location.ID {
				t.Errorf("%+v %v %v", p, ok, err)
			}
		})
		if trips != want {
			t.Errorf("call %d: %d trips", n, trips)
		}
	}
	if p, ok, err := w.DB.SlugOf(t.Context(), s.Business.Slug); err != nil || !ok || p.Location != uuid.Nil {
		t.Errorf("%+v %v %v", p, ok, err)
	}
	if _, ok, err := w.DB.SlugOf(t.Context(), "nobodys"); err != nil || ok {
		t.Errorf("nobody's: %v %v", ok, err)
	}
}
