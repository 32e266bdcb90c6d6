package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest/walks"
	"foyer/app/booking"
)

// death is one way for a server to die during a booking: at the n-th of its calls to the database, before the call,
// or after it and before its answer.
type death struct {
	paid  bool
	n     int
	after bool
	gone  bool // the customer does not come back
}

func (d death) String() string {
	cart, when, then := "free", "before", "comes back"
	if d.paid {
		cart = "paid"
	}
	if d.after {
		when = "after"
	}
	if d.gone {
		then = "is gone"
	}
	return fmt.Sprintf("%s cart, killed %s call %d, the customer %s", cart, when, d.n, then)
}

const (
	// callsLeast is the minimum number of calls for booking a cart with an appointment: the confirmation resolves the
	// session, reads the cart, and writes with its key and its commit; the hold writes with its key alone, and finds
	// a place under the cart's lock. Fewer mean that calls are missed.
	callsLeast = 12
	// goneEvery is at which calls customers are lost for good, beside the last.
	goneEvery = 6
)

// The server is killed as with kill -9 at every call to the database by holding, paying and confirming a cart, before
// and after it; in a short walk at every third of them, each time another third. The next server has no differences,
// the customer repeats unanswered requests, with the same keys, and then everything exists once: bookings, seats,
// a product sold, order, payment, mail. If the customer does not return, unpaid seats and products are released in
// time, and paid ones are booked.
//
// Server, database and processor are apart, as in production: "foyer serve" against a Postgres and a processor that
// live on. Nothing in the server depends on this test.
func TestServerKilledAtEveryCall(t *testing.T) {
	s := openKillStudio(t)
	lanes := []*lane{s.openLane(t), s.openLane(t)}
	var deaths []death
	every := walks.Steps(3, 1)
	phase := int(walks.Seed(t) % uint64(every))
	for _, paid := range []bool{true, false} {
		calls := lanes[0].count(t, paid)
		for n := 1; n <= calls; n++ {
			for _, after := range []bool{false, true} {
				if n%every == phase {
					deaths = append(deaths, death{paid: paid, n: n, after: after})
				}
				if n%goneEvery == 0 || n == calls {
					deaths = append(deaths, death{paid: paid, n: n, after: after, gone: true})
				}
			}
		}
	}
	left := dieAll(t, lanes, deaths)
	letGo(t, lanes[0], left)
	for i, l := range lanes {
		t.Logf("server %d: %d starts, each of %v", i, l.starts, (l.took / time.Duration(l.starts)).Round(time.Millisecond))
	}
}

// count returns the number of calls for booking a cart without a kill: the same number each time.
func (l *lane) count(t *testing.T, paid bool) (calls int) {
	t.Helper()
	for try := range 2 {
		g, err := l.take(paid)
		if err != nil {
			t.Fatal(err)
		}
		n, err := l.unharmed(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if n < callsLeast || try > 0 && n != calls {
			t.Fatalf("booking a cart makes %d calls to the database, and %d the time before", n, calls)
		}
		calls = n
	}
	t.Logf("%d calls to the database, paid: %v", calls, paid)
	return calls
}

// unharmed has a customer book these goods, and returns the number of calls.
func (l *lane) unharmed(ctx context.Context, g goods) (calls int, err error) {
	v, err := l.visit(ctx, g)
	if err != nil {
		return 0, err
	}
	l.cable.arm(0, false, nil)
	receipt, err := v.book(ctx, func(r ask) (map[string]any, error) { return l.ask(ctx, r) })
	calls, _ = l.cable.disarm()
	if err != nil {
		return 0, err
	}
	return calls, errors.Join(v.booked(ctx, receipt), l.whole(ctx))
}

// lost is a customer who did not return.
type lost struct {
	death
	*visit
}

// dieAll has the lanes share the deaths.
func dieAll(t *testing.T, lanes []*lane, deaths []death) (left []lost) {
	t.Helper()
	next := make(chan death, len(deaths))
	for _, d := range deaths {
		next <- d
	}
	close(next)
	var all sync.WaitGroup
	var mu sync.Mutex
	for _, l := range lanes {
		all.Go(func() {
			for d := range next {
				v, err := l.die(t.Context(), d)
				if err != nil {
					t.Errorf("%v: %v", d, err)
				} else if d.gone {
					mu.Lock()
					left = append(left, lost{d, v})
					mu.Unlock()
				}
				if !l.server.alive() {
					return
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d deaths", len(deaths))
	return left
}

var errGone = errors.New("the customer does not come back")

// die has a customer book at a server that is killed on the way.
func (l *lane) die(ctx context.Context, d death) (*visit, error) {
	g, err := l.take(d.paid)
	if err != nil {
		return nil, err
	}
	v, err := l.visit(ctx, g)
	if err != nil {
		return nil, err
	}
	risen := false
	l.cable.arm(d.n, d.after, l.server.kill)
	receipt, err := v.book(ctx, func(r ask) (map[string]any, error) {
		answer, err := l.ask(ctx, r)
		if err == nil || risen {
			return answer, err
		}
		if _, struck := l.cable.disarm(); !struck {
			return nil, err
		}
		risen = true
		if err := l.rise(ctx); err != nil {
			return nil, err
		}
		if d.gone {
			return nil, errGone
		}
		return l.ask(ctx, r)
	})
	calls, struck := l.cable.disarm()
	if !struck {
		return v, errors.Join(fmt.Errorf("there were %d calls only", calls), err)
	}
	if !risen && err == nil { // killed after the last answer
		err = l.rise(ctx)
	}
	if errors.Is(err, errGone) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	return v, errors.Join(v.booked(ctx, receipt), l.whole(ctx))
}

// rise starts the next server, and checks that there are no differences before any request.
func (l *lane) rise(ctx context.Context) error {
	if err := l.start(); err != nil {
		return err
	}
	return l.whole(ctx)
}

// letGo lets all holds expire, for the worker only. Paid seats are booked; all others are available again.
func letGo(t *testing.T, l *lane, left []lost) {
	t.Helper()
	l.clock.Advance(booking.HoldLife + time.Minute)
	if err := errors.Join(l.x.jobs.Sweeps(t.Context()), l.whole(t.Context())); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, v := range left {
		has, err := v.outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case v.charged || strings.Contains(has, "fulfilled"):
			kept++
			err = v.once(t.Context(), strings.Replace(has, "hold expired", "hold confirmed", 1))
		case strings.Contains(has, "confirmed") || strings.Contains(has, "held") || strings.Contains(has, "1 of 1"),
			strings.Contains(has, "1 sold"), strings.Contains(has, "1 reserved"):
			err = fmt.Errorf("there is still %q", has)
		default:
			_, err = l.unharmed(t.Context(), v.goods)
		}
		if err != nil {
			t.Errorf("%v: %v", v.death, err)
		}
	}
	t.Logf("%d customers did not come back, %d of them are booked", len(left), kept)
	if kept == 0 || kept == len(left) {
		t.Error("the customers who did not come back are all alike")
	}
}
