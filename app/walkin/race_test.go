package walkin_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/walkin"
)

// A74, E64. Two hundred walk-ins for a room with a few available seats: exactly as many check in, and the occupied
// seats never exceed the capacity. Built with the tag nolock the same race has to let too many in, or it proves
// nothing.
func TestA74_LastSpot(t *testing.T) {
	const racers = 200
	rounds := walks.Steps(1, 50)
	if !apptest.Guarded {
		rounds = 50 // it ends at the first that lets too many in
	}
	for _, capacity := range []int{1, 3, 10} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			b := openBath(t)
			over := 0
			for round := 0; round < rounds && (apptest.Guarded || over == 0); round++ {
				space := b.space(t, fmt.Sprint("Room ", round), capacity)
				b.swim = b.shared(t, fmt.Sprint("round-", round), space.ID)
				got := b.crowd(t, racers)
				if apptest.Guarded && got != capacity {
					t.Errorf("%d of %d came in", got, capacity)
				}
				over += max(0, got-capacity)
			}
			if apptest.Guarded {
				b.w.CheckBooks(t)
			} else if over == 0 {
				t.Error("without the guard nobody too many came in: this race proves nothing")
			}
			if n := apptest.Deadlocks(t, b.w); n != 0 {
				t.Errorf("Postgres broke %d deadlocks", n)
			}
		})
	}
}

// crowd checks in so many walk-ins at once, one by one, and returns the number of successes. All others must find it
// full.
func (b bath) crowd(t *testing.T, racers int) int {
	t.Helper()
	var in atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for range racers {
		done.Go(func() {
			start.Wait()
			_, err := b.s.CheckIn(t.Context(), b.Owner, b.party(1))
			switch {
			case err == nil:
				in.Add(1)
			case !errors.Is(err, booking.ErrFull):
				t.Errorf("a racer got %v", err)
			}
		})
	}
	start.Done()
	done.Wait()
	return int(in.Load())
}

// Walk-ins check in and out at once in two rooms that two offerings share in different order: the rooms never exceed
// their capacity, every check-out releases its seats, and there is no deadlock.
func TestWalkinsComeAndGo(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastSpot covers this case
	}
	b := openBath(t)
	sauna := b.space(t, "Sauna", 4)
	offers := []apptest.ServiceRow{b.shared(t, "one", b.pool.ID, sauna.ID), b.shared(t, "two", sauna.ID, b.pool.ID)}
	var done sync.WaitGroup
	for i := range 16 {
		done.Go(func() {
			for n := range 6 {
				s, err := b.s.CheckIn(t.Context(), b.Owner, b.party(1+(i+n)%3, func(in *walkin.CheckInInput) { in.OfferingID = offers[i%2].ID }))
				if errors.Is(err, booking.ErrFull) {
					continue
				}
				if err == nil && n%2 == 0 {
					_, err = b.s.CheckOut(t.Context(), b.Owner, b.Location.ID, s.BookingID)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	done.Wait()
	inside := apptest.Value[int](t, b.w, "select coalesce(sum(party), 0)::int from bookings where checked_out_at is null")
	if w := b.state(t); w.Spots != 14-inside || w.Spots < 0 {
		t.Errorf("%d are inside: %+v", inside, w)
	}
	b.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, b.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}
