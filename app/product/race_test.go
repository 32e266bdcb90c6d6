package product_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/checkout"
	"foyer/app/order"
)

// race has a customer for each cart hold it at once, and returns the number of successes.
func (s shop) race(t *testing.T, carts []string) int {
	t.Helper()
	var got atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for _, token := range carts {
		who := s.Customer(t, "racer")
		done.Go(func() {
			start.Wait()
			_, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
			switch {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, order.ErrSoldOut):
				t.Errorf("a racer got %v", err)
			}
		})
	}
	start.Done()
	done.Wait()
	return int(got.Load())
}

// A74. Two, and twenty, want the last one: exactly one gets it. Built with the tag nolock more have to, or the race
// proves nothing: two of them have always read the stock before either takes it.
func TestA74_LastItem(t *testing.T) {
	s := open(t)
	for _, racers := range []int{2, 20} {
		for range walks.Steps(2, 50) {
			_, variants := s.product(t, "Mat", 1)
			carts := make([]string, racers)
			for i := range carts {
				carts[i] = s.cart(t, 1, variants[0])
			}
			got := 0
			s.w.Jam(t, 2, func() { got = s.race(t, carts) }, "stock_levels", "variant_id = $1", variants[0].ID)
			if apptest.Guarded {
				s.hasStock(t, "after the race", variants[0], "1 on hand, 1 held")
				if got != 1 {
					t.Errorf("%d of %d got the last one", got, racers)
				}
			} else if got < 2 {
				t.Errorf("without the guard %d of %d got the last one: this race proves nothing", got, racers)
			}
		}
	}
	if apptest.Guarded {
		s.w.CheckBooks(t)
	}
}

// Carts with the same two variants, in either order: each gets both or none, and there is no deadlock.
func TestBothOrNone(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastItem covers this case
	}
	s := open(t)
	for range walks.Steps(1, 20) {
		_, variants := s.product(t, "Mat", 3, "Blue", "Red")
		s.receive(t, variants[0], 7)
		carts := make([]string, 12)
		for i := range carts {
			carts[i] = s.cart(t, 1, variants[i%2], variants[1-i%2])
		}
		if got := s.race(t, carts); got != 3 {
			t.Errorf("%d carts got both, want 3", got)
		}
		s.hasStock(t, "the plenty", variants[0], "10 on hand, 3 held")
	}
	s.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, s.w); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
}
