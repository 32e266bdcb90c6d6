package ledger_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// A day is closed three hours after its midnight at the location, even on nights of a clock change, and not before; a
// later entry is in the first open day, with its own time.
func TestDaysClose(t *testing.T) {
	for name, c := range map[string]struct {
		zone              string
		evening, midnight string // of the studio, as instants
		day, next         string
	}{
		"New York":             {"America/New_York", "2026-06-11T23:30:00-04:00", "2026-06-12T00:00:00-04:00", "2026-06-11", "2026-06-12"},
		"clocks go forward":    {"America/New_York", "2026-03-07T23:30:00-05:00", "2026-03-08T00:00:00-05:00", "2026-03-07", "2026-03-08"},
		"a day of 23 hours":    {"America/New_York", "2026-03-08T23:30:00-04:00", "2026-03-09T00:00:00-04:00", "2026-03-08", "2026-03-09"},
		"clocks go back":       {"Europe/Berlin", "2026-10-24T23:30:00+02:00", "2026-10-25T00:00:00+02:00", "2026-10-24", "2026-10-25"},
		"a day of 25 hours":    {"Europe/Berlin", "2026-10-25T23:30:00+01:00", "2026-10-26T00:00:00+01:00", "2026-10-25", "2026-10-26"},
		"a quarter of an hour": {"Pacific/Chatham", "2026-06-11T23:30:00+12:45", "2026-06-12T00:00:00+12:45", "2026-06-11", "2026-06-12"},
		"midnight is skipped":  {"America/Havana", "2026-03-07T23:30:00-05:00", "2026-03-08T00:00:00-05:00", "2026-03-07", "2026-03-08"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, func(p *apptest.StudioPlan) { p.Zone = c.zone })
			b.w.Clock.Set(apptest.Instant(c.evening))
			sold := b.sale(2200)
			b.post(t, sold)

			b.w.Clock.Set(apptest.Instant(c.midnight).Add(3*time.Hour - time.Second))
			b.closeDays(t)
			fees := ledger.Fees(sold.Context, "txn_1", 94, 44)
			b.post(t, fees)

			b.w.Clock.Advance(time.Second)
			b.closeDays(t)
			late := ledger.Fees(sold.Context, "txn_2", 1, 0)
			b.post(t, late)
			for _, x := range []struct {
				entry ledger.Entry
				want  string
			}{{sold, c.day}, {fees, c.day}, {late, c.next}} {
				if got := b.day(t, x.entry); got != x.want {
					t.Errorf("%s %s is in the books of %s, want %s", x.entry.Kind, x.entry.Event, got, x.want)
				}
			}
			if at := apptest.Value[time.Time](t, b.w, "select occurred_at from ledger_entries where source_id = 'txn_2'"); !at.Equal(sold.At) {
				t.Errorf("what came late happened at %s, want %s", at, sold.At)
			}
		})
	}
}

// A day is not closed while a transaction writes into it; a later one writes into the next.
func TestClosingWaitsForWriters(t *testing.T) {
	b := open(t)
	b.w.Clock.Set(apptest.Instant("2026-06-11T23:00:00-04:00"))
	b.post(t, b.sale(1))
	writer, late := b.sale(2200), b.sale(500)
	b.w.Clock.Set(apptest.Instant("2026-06-12T03:00:00-04:00"))
	closed := make(chan error, 1)
	err := pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
		batch := tx.Batch()
		if err := ledger.PostIn(batch, tx, writer); err != nil {
			return err
		}
		if err := batch.Send(t.Context()); err != nil {
			return err
		}
		go func() {
			closed <- pg.Do(t.Context(), b.w.DB, b.Business.ID, func(tx *pg.Tx) error {
				return ledger.CloseDay(t.Context(), tx, b.Location.ID)
			})
		}()
		for end := time.Now().Add(time.Minute); !b.waits(t); time.Sleep(5 * time.Millisecond) { // real time
			select {
			case err := <-closed:
				return fmt.Errorf("it was closed meanwhile: %v", err)
			default:
			}
			if time.Now().After(end) {
				return errors.New("nobody waits for the writer")
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	b.post(t, late)
	if d := b.day(t, writer); d != "2026-06-11" {
		t.Errorf("who wrote before is in %s", d)
	}
	if d := b.day(t, late); d != "2026-06-12" {
		t.Errorf("who wrote after is in %s", d)
	}
}

// waits reports whether a transaction waits for a lock.
func (b books) waits(t *testing.T) bool {
	t.Helper()
	return apptest.Value[bool](t, b.w, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
}

// For any order of fees, days and locations, a balance is the sum of the postings, with snapshots and without; and
// there are some.
func TestBalancesAreSums(t *testing.T) {
	b := open(t)
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	places := []business.Location{b.Location}
	for _, zone := range []string{"Pacific/Auckland", "Pacific/Honolulu"} {
		l, err := b.w.Businesses(t).CreateLocation(t.Context(), b.Owner, business.LocationInput{Name: zone, Zone: zone})
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, l)
	}
	var want int64
	for range walks.Steps(120, 2000) {
		p := b.now()
		p.LocationID = places[r.IntN(len(places))].ID
		p.At = p.At.Add(-time.Duration(r.IntN(72)) * time.Hour)
		fee := r.Int64N(10_000) - 5000
		want -= fee
		b.post(t, ledger.Fees(p, uuid.NewString(), fee, 0))
		b.w.Clock.Advance(time.Duration(r.IntN(30)) * time.Hour / 3)
		if r.IntN(2) == 0 {
			b.closeDays(t)
		}
		if got := b.balance(t, ledger.Clearing); got != want {
			t.Fatalf("the balance is %d, %d was posted", got, want)
		}
	}
	b.w.CheckBooks(t)
	if n := apptest.Value[int](t, b.w, "select count(*) from ledger_snapshots"); n < 20 {
		t.Errorf("only %d snapshots", n)
	}
}
