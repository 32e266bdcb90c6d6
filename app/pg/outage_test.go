package pg_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/pg"
)

// TestNoRequestGetsADeadConnection cuts every connection of the pool while all are idle.
func TestNoRequestGetsADeadConnection(t *testing.T) {
	w := apptest.Open(t)
	business := w.Studio(t).Business.ID
	ask := func(ctx context.Context) error {
		_, err := pg.One[int](ctx, w.DB.View(business), "select 1 from pg_sleep(0.05)")
		return err
	}
	for range 2 {
		var all sync.WaitGroup
		for range 8 { // at once, so that there are eight
			all.Go(func() {
				if err := ask(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		w.Cut(t)
	}
	if err := pg.Do(t.Context(), w.DB, business, func(tx *pg.Tx) error {
		_, err := tx.Exec(t.Context(), "select 1")
		return err
	}); err != nil {
		t.Errorf("a transaction after the cut: %v", err)
	}
}

// TestAnOutageIsToldAsOne while a statement runs, when a transaction would commit, and when nothing can be reached.
func TestAnOutageIsToldAsOne(t *testing.T) {
	w := apptest.Open(t)
	business := w.Studio(t).Business.ID
	want := func(what string, err error) {
		t.Helper()
		f := fault.From(err)
		if !errors.Is(err, pg.ErrUnavailable) || f == nil || f.Kind != fault.Internal || f.RetryAfter == 0 {
			t.Errorf("%s: %v", what, err)
		}
	}
	running := make(chan error)
	go func() {
		_, err := pg.One[int](context.Background(), w.DB.View(business), "select 1 from pg_sleep(60)")
		running <- err
	}()
	for apptest.Value[int](t, w, "select count(*) from pg_stat_activity where query like '%pg_sleep(60)' and datname = current_database()") == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	w.Cut(t)
	want("a statement that ran", <-running)

	want("a transaction", pg.Do(t.Context(), w.DB, business, func(tx *pg.Tx) error {
		if _, err := tx.Exec(t.Context(), "select 1"); err != nil {
			return err
		}
		w.Cut(t)
		return nil
	}))

	w.Outage(t, func() {
		_, err := pg.One[int](t.Context(), w.DB.View(business), "select 1")
		want("a read", err)
		want("a verb", pg.Do(t.Context(), w.DB, business, func(tx *pg.Tx) error {
			_, err := tx.Exec(t.Context(), "select 1")
			return err
		}))
	})
	if _, err := pg.One[int](t.Context(), w.DB.View(business), "select 1"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestAMistakeIsNoOutage: an error of a statement would be the same the next time, too.
func TestAMistakeIsNoOutage(t *testing.T) {
	w := apptest.Open(t)
	business := w.Studio(t).Business.ID
	_, err := pg.One[int](t.Context(), w.DB.View(business), "select 1 / 0")
	if err == nil || fault.From(err) != nil {
		t.Errorf("division by zero: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = pg.One[int](ctx, w.DB.View(business), "select 1"); err == nil || fault.From(err) != nil {
		t.Errorf("a caller who has left: %v", err)
	}
}
