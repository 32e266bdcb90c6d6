package booking_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/pg"
)

// standing writes n bookings of as many customers at an occurrence, in a state and past every verb. Confirmed ones
// occupy their seats.
func (d desk) standing(t *testing.T, o apptest.OccurrenceRow, state booking.State, n int) (ids []uuid.UUID, people []cart) {
	t.Helper()
	people = d.carts(t, n)
	persons, customers, moves := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	ids = make([]uuid.UUID, n)
	for i, c := range people {
		persons[i], customers[i], ids[i], moves[i] = c.person.ID, pg.NewID(), pg.NewID(), pg.NewID()
	}
	d.w.SQL(t, `with c as (
			insert into customers (id, business_id, person_id, created_at, updated_at) select c, $1, p, $6, $6
			from unnest($2::uuid[], $3::uuid[]) x (c, p)
		), b as (
			insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, starts_at, ends_at,
				price_amount, currency, created_at, updated_at)
			select x.b, $1, o.location_id, o.offering_id, o.id, x.c, $7, true, o.starts_at, o.ends_at, 2200, 'USD', $6, $6
			from unnest($2::uuid[], $4::uuid[]) x (c, b), occurrences o where o.id = $8
		), taken as (
			update occurrences set taken = taken + $9, taken_online = taken_online + $9 where id = $8 and $7 = 'confirmed'
		)
		insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, created_at)
		select x.m, $1, x.b, '', $7, 'system', 'job', $6 from unnest($4::uuid[], $5::uuid[]) x (b, m)`,
		d.Business.ID, customers, persons, ids, moves, d.w.Clock.Now(), state, o.ID, n)
	return ids, people
}

// A74. Two hundred at once by every other way to a seat: the studio books, the studio approves, customers reschedule.
// Exactly as many get one as there are. Built with the tag nolock the same races have to oversell, or they prove
// nothing.
func TestA74_LastSeatByEveryWay(t *testing.T) {
	const racers = 200
	type racer func() error
	ways := map[string]func(d desk, o apptest.OccurrenceRow) []racer{
		"booked by the studio": func(d desk, o apptest.OccurrenceRow) (out []racer) {
			for _, c := range d.carts(t, racers) {
				out = append(out, func() error {
					_, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: c.person.Email}, OccurrenceID: o.ID})
					return err
				})
			}
			return out
		},
		"approved": func(d desk, o apptest.OccurrenceRow) (out []racer) {
			ids, _ := d.standing(t, o, booking.Requested, racers)
			for _, id := range ids {
				out = append(out, func() error {
					_, err := d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: id})
					return err
				})
			}
			return out
		},
		"moved by the customer": func(d desk, o apptest.OccurrenceRow) (out []racer) {
			offering := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", o.ID)
			from := d.AddOccurrence(t, apptest.OfferingRow{ID: offering, Location: d.Location.ID, Minutes: 60, Capacity: racers, Online: racers},
				o.StartsAt.AddDate(0, 0, 1))
			ids, people := d.standing(t, from, booking.Confirmed, racers)
			for i, id := range ids {
				out = append(out, func() error {
					_, err := d.s.RescheduleMine(t.Context(), d.me(people[i]), id, to(o))
					return err
				})
			}
			return out
		},
	}
	for way, line := range ways {
		for _, capacity := range []int{1, 3, 10} {
			t.Run(fmt.Sprintf("%s, %d seats", way, capacity), func(t *testing.T) {
				d := open(t)
				oversold := 0
				for round := 0; round < walks.Steps(1, 50) || !apptest.Guarded && oversold == 0 && round < 10; round++ {
					o := d.class(t, capacity)
					var got atomic.Int64
					all(line(d, o), func(f racer) {
						err := f()
						switch {
						case err == nil:
							got.Add(1)
						case !errors.Is(err, booking.ErrFull):
							t.Errorf("a racer got %v", err)
						}
					})
					if apptest.Guarded && (int(got.Load()) != capacity || d.taken(t, o) != capacity) {
						t.Errorf("%d of %d seats were granted, %d are taken", got.Load(), capacity, d.taken(t, o))
					}
					oversold += max(0, int(got.Load())-capacity)
				}
				if apptest.Guarded {
					d.w.CheckBooks(t)
					if n := apptest.Deadlocks(t, d.w); n != 0 {
						t.Errorf("Postgres broke %d deadlocks", n)
					}
				} else if oversold == 0 {
					t.Error("without the lock nothing was oversold: this race proves nothing")
				}
			})
		}
	}
}

// Customers reschedule between the same few dates in every direction, while others hold, book and cancel there: there
// is no deadlock, and every date counts right in the end.
func TestRescheduleInCircles(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	d := open(t)
	dates := d.dates(t, 4, 12)
	var walkers []func()
	for i := range 8 {
		ids, people := d.standing(t, dates[i%4], booking.Confirmed, 1)
		walkers = append(walkers, func() {
			for step := range 12 {
				_, err := d.s.RescheduleMine(t.Context(), d.me(people[0]), ids[0], to(dates[(i*7+step*3+1)%4]))
				if err != nil && !errors.Is(err, booking.ErrDuplicate) && !errors.Is(err, booking.ErrFull) {
					t.Errorf("move: %v", err)
				}
			}
		})
	}
	for _, c := range d.carts(t, 4) {
		walkers = append(walkers, func() {
			for step := range 8 {
				h, err := d.hold(t.Context(), c, nil, seat(dates[step%4]), seat(dates[(step+3)%4]))
				if err != nil {
					if !errors.Is(err, booking.ErrFull) {
						t.Errorf("hold: %v", err)
					}
					continue
				}
				_, err = pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (int, error) {
					return 0, booking.ReleaseTx(t.Context(), tx, d.scope(c), h.ID)
				})
				if err != nil {
					t.Errorf("release: %v", err)
				}
			}
		})
	}
	all(walkers, func(f func()) { f() })
	d.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, d.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}
