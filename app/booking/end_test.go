package booking_test

import (
	"errors"
	"sync"
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/pg"
)

func TestConfirm(t *testing.T) {
	d := open(t)
	o := d.class(t, 3)
	c := d.cart(t)
	h := d.mustHold(t, c, seat(o), booking.Seat{OccurrenceID: o.ID, Attendee: "Bob", PriceAmount: 2200})
	order := d.order(t, h, "fulfilled")
	if !d.confirm(t, c, h, order) || d.confirm(t, c, h, order) {
		t.Error("a hold is confirmed once")
	}
	for _, s := range h.Seats {
		if got := apptest.Value[string](t, d.w, "select state || ' ' || (order_id = $2) from bookings where id = $1", s.BookingID, order); got != "confirmed true" {
			t.Errorf("booking is %s", got)
		}
	}
	d.w.CheckBooks(t)
}

// Past its time a hold is expired, even before the sweep.
func TestConfirmTooLate(t *testing.T) {
	d := open(t)
	c := d.cart(t)
	h := d.mustHold(t, c, seat(d.class(t, 1)))
	order := d.order(t, h, "open")
	d.w.Clock.Advance(booking.HoldLife)
	if d.confirm(t, c, h, order) {
		t.Error("confirmed")
	}
	d.w.CheckBooks(t)
}

func TestRelease(t *testing.T) {
	d := open(t)
	o := d.class(t, 3)
	c := d.cart(t)
	h := d.mustHold(t, c, seat(o), booking.Seat{OccurrenceID: o.ID, Attendee: "Bob"})
	run := func(fn func(tx *pg.Tx) error) {
		t.Helper()
		if _, err := in(t, d, func(tx *pg.Tx) (int, error) { return 0, fn(tx) }); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is nothing to drop
		run(func(tx *pg.Tx) error { return booking.DropTx(t.Context(), tx, d.scope(c), h.Seats[1].BookingID) })
		if d.taken(t, o) != 1 {
			t.Errorf("%d taken after one was dropped", d.taken(t, o))
		}
	}
	d.w.CheckBooks(t)
	for range 2 {
		run(func(tx *pg.Tx) error { return booking.ReleaseTx(t.Context(), tx, d.scope(c), h.ID) })
		if d.taken(t, o) != 0 {
			t.Errorf("%d taken after the release", d.taken(t, o))
		}
	}
	d.w.CheckBooks(t)
	if got := apptest.Values[string](t, d.w, "select reason from booking_transitions order by created_at, id"); len(got) != 4 || got[2] != "released" || got[3] != "released" {
		t.Errorf("transitions are %q", got)
	}
}

func TestExtend(t *testing.T) {
	d := open(t)
	c := d.cart(t)
	h := d.mustHold(t, c, seat(d.class(t, 1)))
	d.w.Clock.Advance(booking.HoldLife - 1000)
	extend := func(h booking.Hold) (booking.Hold, error) {
		return in(t, d, func(tx *pg.Tx) (booking.Hold, error) { return booking.ExtendTx(t.Context(), tx, h) })
	}
	longer, err := extend(h)
	if err != nil || !longer.ExpiresAt.Equal(h.ExpiresAt.Add(booking.HoldLife)) {
		t.Fatalf("%+v (%v)", longer, err)
	}
	if same, err := extend(longer); err != nil || !same.ExpiresAt.Equal(longer.ExpiresAt) {
		t.Errorf("again: %+v (%v)", same, err)
	}
	if at := apptest.Value[bool](t, d.w, "select extended from holds"); !at {
		t.Error("not kept")
	}
	// Ended between the reading and the writing.
	d.w.SQL(t, "update holds set state = 'released', extended = false")
	if _, err := extend(h); !errors.Is(err, booking.ErrHoldExpired) {
		t.Errorf("a hold that is gone: %v", err)
	}
	d.w.Clock.Advance(booking.HoldLife + 1000)
	if _, err := extend(longer); !errors.Is(err, booking.ErrHoldExpired) {
		t.Errorf("a hold that is over: %v", err)
	}
}

// The sweep in four processes at once, over several businesses: each seat comes free once.
func TestExpireDue(t *testing.T) {
	d := open(t)
	second := d
	second.Studio = d.w.Studio(t)
	const each = 30
	var classes []apptest.OccurrenceRow
	for _, x := range []desk{d, second} {
		o := x.class(t, each+1)
		classes = append(classes, o)
		for _, c := range x.carts(t, each) {
			x.mustHold(t, c, seat(o))
		}
	}
	if err := d.s.ExpireDue(t.Context()); err != nil || d.taken(t, classes[0]) != each {
		t.Fatalf("too early: %v, %d taken", err, d.taken(t, classes[0]))
	}
	d.w.Clock.Advance(booking.HoldLife)
	fresh := d.mustHold(t, d.cart(t), seat(classes[0]))
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			if err := d.s.ExpireDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if err := d.s.ExpireDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.taken(t, classes[0]) != 1 || d.taken(t, classes[1]) != 0 {
		t.Errorf("%d and %d taken", d.taken(t, classes[0]), d.taken(t, classes[1]))
	}
	if got := apptest.Value[string](t, d.w, "select state from holds where id = $1", fresh.ID); got != "live" {
		t.Errorf("a hold in time is %s", got)
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from booking_transitions where reason = 'expired' and actor_kind = 'system'"); n != 2*each {
		t.Errorf("%d transitions", n)
	}
	d.w.CheckBooks(t)
}

// Money that came too late: the seats are taken again, all or none.
func TestRetake(t *testing.T) {
	start := func(t *testing.T) (d desk, c cart, h booking.Hold, a, b apptest.OccurrenceRow, retake func() bool) {
		d = open(t)
		a, b = d.class(t, 1), d.class(t, 2)
		c = d.cart(t)
		h = d.mustHold(t, c, seat(a), seat(b))
		order := d.order(t, h, "open")
		if _, err := in(t, d, func(tx *pg.Tx) (int, error) { return 0, booking.BillTx(t.Context(), tx, h, order) }); err != nil {
			t.Fatal(err)
		}
		d.w.Clock.Advance(booking.HoldLife)
		return d, c, h, a, b, func() bool {
			t.Helper()
			ok, err := in(t, d, func(tx *pg.Tx) (bool, error) {
				b := tx.Batch()
				hold := booking.HoldOfOrder(b, tx.Business(), order)
				if err := b.Send(t.Context()); err != nil {
					return false, err
				}
				now, err := hold()
				if err != nil {
					return false, err
				}
				return booking.RetakeTx(t.Context(), tx, d.scope(c), now, order)
			})
			if err != nil {
				t.Fatal(err)
			}
			return ok
		}
	}
	confirmed := func(t *testing.T, d desk) int {
		return apptest.Value[int](t, d.w, "select count(*) from bookings where state = 'confirmed'")
	}
	t.Run("before the sweep", func(t *testing.T) {
		d, _, _, a, b, retake := start(t)
		if !retake() || confirmed(t, d) != 2 || d.taken(t, a) != 1 || d.taken(t, b) != 1 {
			t.Errorf("%d confirmed, %d and %d taken", confirmed(t, d), d.taken(t, a), d.taken(t, b))
		}
		d.w.SQL(t, "update orders set state = 'fulfilled', fulfilled_at = created_at")
		d.w.CheckBooks(t)
	})
	t.Run("after the sweep", func(t *testing.T) {
		d, _, _, a, b, retake := start(t)
		if err := d.s.ExpireDue(t.Context()); err != nil || d.taken(t, a) != 0 {
			t.Fatal(err)
		}
		if !retake() || confirmed(t, d) != 2 || d.taken(t, a) != 1 || d.taken(t, b) != 1 {
			t.Errorf("%d confirmed, %d and %d taken", confirmed(t, d), d.taken(t, a), d.taken(t, b))
		}
	})
	for name, spoil := range map[string]func(t *testing.T, d desk, c cart, h booking.Hold, a apptest.OccurrenceRow){
		"one is full": func(t *testing.T, d desk, _ cart, _ booking.Hold, a apptest.OccurrenceRow) {
			d.mustHold(t, d.cart(t), seat(a))
		},
		"one was cancelled": func(t *testing.T, d desk, _ cart, _ booking.Hold, a apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set state = 'cancelled' where id = $1", a.ID)
		},
		"one has begun": func(t *testing.T, d desk, _ cart, _ booking.Hold, a apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set starts_at = $2 where id = $1", a.ID, d.w.Clock.Now())
		},
		"one was moved": func(t *testing.T, d desk, _ cart, _ booking.Hold, a apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour' where id = $1", a.ID)
		},
		"booked another way": func(t *testing.T, d desk, c cart, _ booking.Hold, a apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set capacity = 2, online_capacity = 2 where id = $1", a.ID)
			d.mustHold(t, d.again(t, c), seat(a))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, c, h, a, b, retake := start(t)
			if err := d.s.ExpireDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			spoil(t, d, c, h, a)
			if retake() || confirmed(t, d) != 0 || d.taken(t, b) != 0 {
				t.Errorf("%d confirmed, %d taken of the other", confirmed(t, d), d.taken(t, b))
			}
			d.w.CheckBooks(t)
		})
	}
}
