package pg_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/pg"
)

// lockBusiness writes to a business's own row, as much as a popular date is written to.
func lockBusiness(ctx context.Context, tx *pg.Tx) error {
	_, err := tx.Exec(ctx, "update businesses set updated_at = updated_at")
	return err
}

// waiting counts the sessions that wait for a lock.
func waiting(t *testing.T, w *apptest.World) int {
	t.Helper()
	return apptest.Value[int](t, w, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
}

// TestOneBusinessCannotTakeThePool has twenty verbs of a studio wait for a row: a quarter of the connections wait
// with them, and another studio goes on. A caller out of time gets ErrUnavailable. Rule 49 of security.md.
func TestOneBusinessCannotTakeThePool(t *testing.T) {
	w := apptest.Open(t) // 16 connections
	busy, calm := w.Studio(t).Business.ID, w.Studio(t).Business.ID
	locked, unlock := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		if err := pg.Do(context.Background(), w.DB, busy, func(tx *pg.Tx) error {
			err := lockBusiness(context.Background(), tx)
			close(locked)
			<-unlock
			return err
		}); err != nil {
			t.Error(err)
		}
	})
	<-locked
	for range 20 {
		all.Go(func() {
			if err := pg.Do(context.Background(), w.DB, busy, func(tx *pg.Tx) error {
				return lockBusiness(context.Background(), tx)
			}); err != nil {
				t.Error(err)
			}
		})
	}
	for waiting(t, w) < 3 {
		time.Sleep(5 * time.Millisecond)
	}
	if err := pg.Do(t.Context(), w.DB, calm, func(tx *pg.Tx) error { return lockBusiness(t.Context(), tx) }); err != nil {
		t.Errorf("another studio: %v", err)
	}
	hurried, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := pg.Do(hurried, w.DB, busy, func(*pg.Tx) error {
		t.Error("it began beyond the share")
		return nil
	})
	if !errors.Is(err, pg.ErrUnavailable) {
		t.Errorf("somebody without time: %v", err)
	}
	if n := waiting(t, w); n != 3 { // one of the four has the lock
		t.Errorf("%d connections wait for the row", n)
	}
	close(unlock)
	all.Wait()
}

// TestPatience ends a wait for a lock, and a slow statement. Nothing is done then, and the connection goes on.
func TestPatience(t *testing.T) {
	w := apptest.Open(t)
	business := w.Studio(t).Business.ID
	hasty, err := pg.Open(t.Context(), pg.Config{
		URL: w.URL("foyer_app"), MaxConns: 4, Clock: w.Clock,
		Patience: pg.Patience{Lock: 50 * time.Millisecond, Statement: time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer hasty.Close()
	if err := pg.Do(t.Context(), w.DB, business, func(tx *pg.Tx) error {
		if err := lockBusiness(t.Context(), tx); err != nil {
			return err
		}
		err := pg.Do(t.Context(), hasty, business, func(tx *pg.Tx) error { return lockBusiness(t.Context(), tx) })
		if !errors.Is(err, pg.ErrUnavailable) {
			t.Errorf("waiting for a lock: %v", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := pg.One[int](t.Context(), hasty.View(business), "select 1 from pg_sleep(60)"); !errors.Is(err, pg.ErrUnavailable) {
		t.Errorf("a statement without an end: %v", err)
	}
	if err := pg.Do(t.Context(), hasty, business, func(tx *pg.Tx) error { return lockBusiness(t.Context(), tx) }); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
