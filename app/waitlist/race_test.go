package waitlist_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// crowd puts n people on the list of a date, in a few statements.
func (l *list) crowd(o apptest.OccurrenceRow, n int) []entrant {
	l.t.Helper()
	out := make([]entrant, n)
	persons, customers, entries, hashes := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n), make([][]byte, n)
	for i := range out {
		persons[i], customers[i], entries[i] = pg.NewID(), pg.NewID(), pg.NewID()
		token := l.Waitlist.Token(entries[i])
		hash := sha256.Sum256([]byte(token))
		hashes[i] = hash[:]
		out[i] = entrant{token: token, sc: l.At(tenancy.Principal{
			Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: persons[i]}, Email: persons[i].String() + "@example.com",
		})}
		out[i].ID = entries[i]
	}
	l.w.SQL(l.t, `with p as (
			insert into persons (id, email, created_at, updated_at) select x, x::text || '@example.com', $5, $5 from unnest($1::uuid[]) x
		), c as (
			insert into customers (id, business_id, person_id, email, created_at, updated_at)
			select x.c, $6, x.p, x.p::text || '@example.com', $5, $5 from unnest($1::uuid[], $2::uuid[]) x (p, c)
		), e as (
			insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, person_id, token_hash, state,
				rank, created_at, updated_at)
			select x.e, $6, o.location_id, o.offering_id, o.id, x.c, x.p, x.h, 'waiting', x.n, $5, $5
			from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[]) with ordinality x (p, c, e, h, n), occurrences o where o.id = $7
			returning id
		)
		insert into waitlist_transitions (id, business_id, entry_id, from_state, to_state, actor_kind, surface, created_at)
		select gen_random_uuid(), $6, id, '', 'waiting', 'system', 'job', $5 from e`,
		persons, customers, entries, hashes, l.w.Clock.Now(), l.Business.ID, o.ID)
	return out
}

// A74. Where the first to accept wins, two hundred who accept at once get exactly the seats there are. Built with the
// tag nolock the same race has to oversell, or it proves nothing.
func TestA74_WaitlistLastSeat(t *testing.T) {
	const racers = 200
	rounds := walks.Steps(1, 50)
	if !apptest.Guarded {
		rounds = 20 // it ends at the first that oversells
	}
	for _, capacity := range []int{1, 3, 10} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			l := openList(t, catalog.WaitlistRace)
			oversold := 0
			for round := 0; round < rounds && (apptest.Guarded || oversold == 0); round++ {
				o := l.date(capacity)
				var got atomic.Int64
				var start, done sync.WaitGroup
				start.Add(1)
				for _, w := range l.crowd(o, racers) {
					done.Go(func() {
						start.Wait()
						_, err := l.accept(w)
						if err == nil {
							got.Add(1)
						} else if !errors.Is(err, booking.ErrFull) {
							t.Errorf("a racer got %v", err)
						}
					})
				}
				start.Done()
				done.Wait()
				if apptest.Guarded && got.Load() != int64(capacity) {
					t.Errorf("%d of %d seats were granted", got.Load(), capacity)
				}
				oversold += max(0, int(got.Load())-capacity)
			}
			if apptest.Guarded {
				l.check()
			} else if oversold == 0 {
				t.Error("without the guard nothing was oversold: this race proves nothing")
			}
		})
	}
}

// Seats that are released one by one while rounds run concurrently go to the first entries, each to one, and never to
// the public: a public customer at that moment finds the date full.
func TestWaitlistBeforeThePublic(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_WaitlistLastSeat covers this case
	}
	l := openList(t, catalog.WaitlistAuto)
	const seats = 8
	o := l.full(seats)
	line := l.crowd(o, 20)
	bookings := read[uuid.UUID](l, "select id from bookings where occurrence_id = $1 and state = 'confirmed'", o.ID)
	visitors := make([]tenancy.Scope, 20)
	carts := make([]string, len(visitors))
	for i := range visitors {
		visitors[i], carts[i] = l.Customer(t, "visitor"), l.Fill(t, o)
	}
	var done sync.WaitGroup
	for _, id := range bookings {
		done.Go(func() { l.freeSeat(id) })
	}
	var outside atomic.Int64
	for i := range visitors {
		done.Go(func() {
			if _, err := l.Checkout.Hold(t.Context(), visitors[i], carts[i], holdAny); err == nil {
				outside.Add(1)
			} else if !errors.Is(err, booking.ErrFull) {
				t.Errorf("a visitor got %v", err)
			}
		})
	}
	for range 4 {
		done.Go(func() {
			if err := l.Waitlist.RoundsDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	l.sweep()
	l.want(waitlist.Promoted, line[:seats]...)
	l.want(waitlist.Waiting, line[seats:]...)
	if outside.Load() != 0 {
		t.Errorf("%d seats went to people who did not wait", outside.Load())
	}
	l.check()
	if n := apptest.Value[int](t, l.w, "select deadlocks from pg_stat_database where datname = current_database()"); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}
