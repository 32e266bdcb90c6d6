package booking_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/waitlist"
)

// race has racers request the same seats at once and returns the number of successes. Every other answer must be
// ErrFull.
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
	rounds := walks.Steps(2, 50)
	if !apptest.Guarded {
		rounds = 50 // it ends at the first that oversells
	}
	for _, capacity := range []int{1, 3, 10} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			d := open(t)
			oversold := 0
			for round := 0; round < rounds && (apptest.Guarded || oversold == 0); round++ {
				o := d.class(t, capacity)
				got := d.race(t, racers, seat(o))
				if apptest.Guarded && got != capacity {
					t.Errorf("%d of %d seats were granted", got, capacity)
				}
				oversold += max(0, got-capacity)
			}
			if apptest.Guarded {
				d.w.CheckBooks(t)
			} else if oversold == 0 {
				t.Error("without the guard nothing was oversold: this race proves nothing")
			}
		})
	}
}

// Carts with the same two classes, in either order: each gets both or none, and there is no deadlock.
func TestAllOrNone(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastSeat covers this case
	}
	d := open(t)
	const capacity = 7
	for range walks.Steps(2, 50) {
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
	if n := apptest.Deadlocks(t, d.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}

// Two carts of one person, and twelve such people, that hold and release in every order over the same few classes:
// seats that are held, released, transferred to the other cart, expired and held anew change the same rows, and
// Postgres never has to break a deadlock.
func TestComeAndGo(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	d := open(t)
	classes := make([]booking.Seat, 5)
	for i := range classes {
		classes[i] = seat(d.class(t, 40))
	}
	seed := walks.Seed(t)
	var done sync.WaitGroup
	for i, c := range d.carts(t, 12) {
		g := comer{d: d, t: t, r: rand.New(rand.NewPCG(seed, uint64(i))), carts: []cart{c, d.again(t, c)}, classes: classes}
		done.Go(func() {
			for range walks.Steps(25, 250) {
				g.step()
			}
		})
	}
	done.Wait()
	d.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, d.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}

// A transaction that waits for a hold has locked no occurrence yet: the sweep, which has the hold, may be about to
// release its seats.
func TestHoldsBeforeOccurrences(t *testing.T) {
	d := open(t)
	one, two := d.class(t, 5), d.class(t, 5)
	c := d.cart(t)
	other := d.again(t, c)
	over, kept := d.mustHold(t, c, seat(one)), d.mustHold(t, other, seat(two))
	d.w.SQL(t, "update holds set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where id = $1", over.ID)
	over.ExpiresAt = over.ExpiresAt.Add(-time.Hour)

	held := make(chan error, 1)
	_, err := in(t, d, func(tx *pg.Tx) (int64, error) {
		if _, err := tx.Exec(t.Context(), "select id from holds where id = $1 for update", kept.ID); err != nil {
			return 0, err
		}
		go func() {
			_, err := d.hold(t.Context(), c, &over, seat(one), seat(two))
			held <- err
		}()
		for apptest.Value[int](t, d.w, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == 0 {
			time.Sleep(time.Millisecond)
		}
		return tx.Exec(t.Context(), "select id from occurrences where id in ($1, $2) for update nowait", one.ID, two.ID)
	})
	if err != nil {
		t.Errorf("an occurrence was locked before the hold: %v", err)
	}
	if err := <-held; err != nil {
		t.Error(err)
	}
	if d.taken(t, one) != 1 || d.taken(t, two) != 1 {
		t.Errorf("%d and %d seats are taken, want one each", d.taken(t, one), d.taken(t, two))
	}
	d.w.CheckBooks(t)
}

// comer is one person with two carts.
type comer struct {
	d       desk
	t       *testing.T
	r       *rand.Rand
	carts   []cart
	current [2]*booking.Hold
	classes []booking.Seat
}

func (g *comer) step() {
	i := g.r.IntN(2)
	switch h := g.current[i]; {
	case h != nil && g.r.IntN(3) == 0:
		g.must("release", func(tx *pg.Tx) error { return booking.ReleaseTx(g.t.Context(), tx, g.d.scope(g.carts[i]), h.ID) })
		g.current[i] = nil
	case h != nil && g.r.IntN(2) == 0: // its time is over: the next step holds anew, or the sweep is first
		g.must("age", func(tx *pg.Tx) error {
			_, err := tx.Exec(g.t.Context(), `update holds set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
				where id = $1 and state = 'live'`, h.ID)
			return err
		})
		h.ExpiresAt = h.ExpiresAt.Add(-time.Hour)
		if g.r.IntN(2) == 0 {
			if err := g.d.s.ExpireDue(g.t.Context()); err != nil {
				g.t.Errorf("expire: %v", err)
			}
			if g.gone(h) { // else the sweep of another comer has it, and has not ended
				g.current[i] = nil
			}
		}
	default:
		g.hold(i)
	}
}

func (g *comer) hold(i int) {
	h, err := g.d.hold(g.t.Context(), g.carts[i], g.current[i], some(g.r, g.classes)...)
	switch {
	case err == nil:
		g.current[i] = &h
		if other := g.current[1-i]; other != nil && g.gone(other) {
			g.current[1-i] = nil // its seats were transferred here
		}
	case errors.Is(err, booking.ErrHoldExpired): // it was transferred to the other cart, or was swept
		g.current[i] = nil
	case !errors.Is(err, booking.ErrFull):
		g.t.Errorf("hold: %v", err)
	}
}

func (g *comer) gone(h *booking.Hold) bool {
	live, err := pg.One[bool](g.t.Context(), g.d.w.DB.View(g.d.Business.ID), "select state = 'live' from holds where id = $1", h.ID)
	return err != nil || !live
}

func (g *comer) must(what string, fn func(tx *pg.Tx) error) {
	if _, err := pg.InTx(g.t.Context(), g.d.w.DB, g.d.Business.ID, func(tx *pg.Tx) (int, error) { return 0, fn(tx) }); err != nil {
		g.t.Errorf("%s: %v", what, err)
	}
}

// some is some of the seats in any order, at least one.
func some(r *rand.Rand, seats []booking.Seat) []booking.Seat {
	out := make([]booking.Seat, 0, len(seats))
	for _, i := range r.Perm(len(seats))[:1+r.IntN(len(seats))] {
		out = append(out, seats[i])
	}
	return out
}

// The studio archives a class while customers hold seats of it: either it is archived without any seat, or there is a
// seat and it is not archived. Without the guard both must happen, or this race proves nothing.
func TestHoldAgainstArchive(t *testing.T) {
	d := open(t)
	shelf := catalog.New(catalog.Options{
		DB: d.w.DB, Ports: catalog.Ports{
			HasTimesTx: availability.HasTimesTx, ArchiveOfferingTx: waitlist.ArchiveOfferingTx, GoOnTx: waitlist.GoOnTx(d.s), CourseTx: schedule.CourseTx,
			TakesCardsTx: func(context.Context, *pg.Tx, money.Currency) (bool, error) { return true, nil },
		},
	})
	both := 0
	for range walks.Steps(25, 100) {
		o := d.class(t, 3)
		offering := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", o.ID)
		var done sync.WaitGroup
		for _, c := range d.carts(t, 2) {
			done.Go(func() {
				if _, err := d.hold(t.Context(), c, nil, seat(o)); err != nil && !errors.Is(err, booking.ErrNotBookable) {
					t.Error(err)
				}
			})
		}
		done.Go(func() {
			if _, err := shelf.Archive(t.Context(), d.Owner, offering); err != nil && !errors.Is(err, catalog.ErrFutureBookings) {
				t.Error(err)
			}
		})
		done.Wait()
		state := apptest.Value[string](t, d.w, "select state from offerings where id = $1", offering)
		if (state == "archived") == (d.taken(t, o) > 0) {
			both++
		}
	}
	if apptest.Guarded != (both == 0) {
		t.Errorf("%d classes are archived and booked, or neither", both)
	}
}
