package booking_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/booking"
)

// racers all ask for the same seats at once and returns how many got them. Every other answer must be ErrFull.
func (d desk) race(t *testing.T, n int, seats ...booking.Seat) int {
	t.Helper()
	var got atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for _, c := range d.carts(t, n) {
		done.Go(func() {
			start.Wait()
			_, err := d.hold(t.Context(), c, nil, seats...)
			switch {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, booking.ErrFull):
				t.Errorf("a racer got %v", err)
			}
		})
	}
	start.Done()
	done.Wait()
	return int(got.Load())
}

// A74. Two hundred people for the last seats: exactly as many get one as there are. Built with the tag nolock the same
// race has to oversell, or it proves nothing.
func TestA74_LastSeat(t *testing.T) {
	const racers = 200
	rounds := 5
	if !guarded {
		rounds = 50 // it ends at the first that oversells
	}
	for _, capacity := range []int{1, 3, 10} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			d := open(t)
			oversold := 0
			for round := 0; round < rounds && (guarded || oversold == 0); round++ {
				o := d.class(t, capacity)
				got := d.race(t, racers, seat(o))
				if guarded && got != capacity {
					t.Errorf("%d of %d seats were granted", got, capacity)
				}
				oversold += max(0, got-capacity)
			}
			if guarded {
				d.w.CheckBooks(t)
			} else if oversold == 0 {
				t.Error("without the guard nothing was oversold: this race proves nothing")
			}
		})
	}
}

// Carts that want the same two classes, named in either order: each gets both or none, and none waits for another that
// waits for it.
func TestAllOrNone(t *testing.T) {
	if !guarded {
		return // the seats are oversold, which is what the other test is for
	}
	d := open(t)
	const rounds, capacity = 3, 7
	for range rounds {
		a, b := d.class(t, capacity), d.class(t, capacity)
		var got atomic.Int64
		var done sync.WaitGroup
		for i, c := range d.carts(t, 100) {
			seats := []booking.Seat{seat(a), seat(b)}
			if i%2 == 0 {
				seats[0], seats[1] = seats[1], seats[0]
			}
			done.Go(func() {
				_, err := d.hold(t.Context(), c, nil, seats...)
				if err == nil {
					got.Add(1)
				} else if !errors.Is(err, booking.ErrFull) {
					t.Error(err)
				}
			})
		}
		done.Wait()
		if got.Load() != capacity || d.taken(t, a) != capacity || d.taken(t, b) != capacity {
			t.Errorf("%d carts got both; %d and %d seats are taken, want %d each", got.Load(), d.taken(t, a), d.taken(t, b), capacity)
		}
	}
	d.w.CheckBooks(t)
	if n := deadlocks(t, d); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}
