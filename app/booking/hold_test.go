package booking_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
)

func TestHoldKeepsTheSeat(t *testing.T) {
	d := open(t)
	o := d.class(t, 2)
	c := d.cart(t)
	var h booking.Hold
	trips := d.w.Statements(func() { h = d.mustHold(t, c, seat(o)) })
	if h.State != booking.HoldLive || len(h.Seats) != 1 || h.Seats[0].OccurrenceID != o.ID || h.Seats[0].PriceAmount != 2200 ||
		!h.ExpiresAt.Equal(apptest.Start.Add(booking.HoldLife)) || h.PersonID != c.person.ID {
		t.Errorf("hold is %+v", h)
	}
	if trips != 4 { // cart, customer, seats, commit
		t.Errorf("%d round trips", trips)
	}
	again, err := d.hold(t.Context(), c, &h, seat(o))
	if err != nil || again.ID != h.ID || again.Seats[0] != h.Seats[0] || d.taken(t, o) != 1 {
		t.Errorf("again: %+v (%v), %d taken", again, err, d.taken(t, o))
	}
	other := d.class(t, 1)
	more, err := d.hold(t.Context(), c, &h, seat(o), seat(other))
	if err != nil || more.ID != h.ID || len(more.Seats) != 2 || !more.ExpiresAt.Equal(h.ExpiresAt) {
		t.Errorf("with another seat: %+v (%v)", more, err)
	}
	d.w.CheckBooks(t)
}

// A74. Each reason, with the occurrence it is about; nothing is taken.
func TestA74_WhyASeatCannotBeHad(t *testing.T) {
	d := open(t)
	c := d.cart(t)
	good := d.class(t, 5)
	elsewhere := d.AddLocation(t, "Elsewhere")
	class := func(changes ...func(*apptest.OfferingRow)) apptest.OccurrenceRow {
		return d.AddOccurrence(t, d.AddOffering(t, changes...), apptest.Start.Add(48*time.Hour))
	}
	cases := map[string]struct {
		o    apptest.OccurrenceRow
		want string
	}{
		"full":              {d.class(t, 1, func(o *apptest.OccurrenceRow) { o.Taken, o.TakenOnline = 1, 1 }), "full"},
		"full online":       {d.class(t, 5, func(o *apptest.OccurrenceRow) { o.Online = 0 }), "full"},
		"begun":             {d.AddOccurrence(t, d.AddOffering(t), apptest.Start), "started"},
		"cancelled":         {d.class(t, 5, func(o *apptest.OccurrenceRow) { o.State = "cancelled" }), "cancelled"},
		"a draft":           {class(func(o *apptest.OfferingRow) { o.State = "draft" }), "not_bookable"},
		"archived":          {class(func(o *apptest.OfferingRow) { o.State = "archived" }), "not_bookable"},
		"no class":          {class(func(o *apptest.OfferingRow) { o.Kind = "appointment" }), "not_bookable"},
		"another location":  {class(func(o *apptest.OfferingRow) { o.Location = elsewhere.ID }), ""},
		"of nobody's world": {apptest.OccurrenceRow{ID: pg.NewID()}, ""},
	}
	for name, x := range cases {
		_, err := d.hold(t.Context(), c, nil, seat(good), seat(x.o))
		code, occurrence := reason(err)
		if x.want == "" {
			if !fault.IsKind(err, fault.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		} else if code != x.want || occurrence != x.o.ID.String() || !fault.IsKind(err, fault.Conflict) {
			t.Errorf("%s: %v about %s", name, err, occurrence)
		}
	}
	d.Pause(t)
	if code, _ := reason(errOf(d.hold(t.Context(), c, nil, seat(good)))); code != "not_bookable" {
		t.Errorf("paused: %s", code)
	}
	if d.taken(t, good) != 0 {
		t.Errorf("a refused cart left %d seats taken", d.taken(t, good))
	}
}

func errOf[T any](_ T, err error) error { return err }

// The same person in two tabs: the seat is transferred, and there is never a second one.
func TestOwnHoldMoves(t *testing.T) {
	d := open(t)
	o, other := d.class(t, 1), d.class(t, 1)
	first := d.cart(t)
	h := d.mustHold(t, first, seat(o), seat(other))
	second := d.again(t, first)
	moved, err := d.hold(t.Context(), second, nil, seat(o))
	if err != nil || moved.ID == h.ID {
		t.Fatalf("%+v (%v)", moved, err)
	}
	if d.taken(t, o) != 1 || d.taken(t, other) != 0 {
		t.Errorf("%d and %d taken", d.taken(t, o), d.taken(t, other))
	}
	d.w.CheckBooks(t)

	// Another attendee of the same person is another seat.
	guest := d.class(t, 2)
	d.mustHold(t, d.again(t, first), seat(guest), booking.Seat{OccurrenceID: guest.ID, Attendee: "Bob"})
	if d.taken(t, guest) != 2 {
		t.Errorf("%d taken", d.taken(t, guest))
	}
}

// A74: a duplicate, and a seat that is being paid for in another tab.
func TestA74_Duplicate(t *testing.T) {
	d := open(t)
	o := d.class(t, 5)
	first := d.cart(t)
	h := d.mustHold(t, first, seat(o))
	order := d.order(t, h, "open")
	if _, err := in(t, d, func(tx *pg.Tx) (int, error) { return 0, booking.BillTx(t.Context(), tx, h, order) }); err != nil {
		t.Fatal(err)
	}
	second := d.again(t, first)
	if code, about := reason(errOf(d.hold(t.Context(), second, nil, seat(o)))); code != "payment_started" || about != o.ID.String() {
		t.Errorf("while it is paid: %s about %s", code, about)
	}
	d.w.SQL(t, "update orders set state = 'fulfilled', fulfilled_at = created_at")
	if !d.confirm(t, first, h, order) {
		t.Fatal("not confirmed")
	}
	if _, err := d.hold(t.Context(), second, nil, seat(o)); !errors.Is(err, booking.ErrDuplicate) {
		t.Errorf("booked already: %v", err)
	}
	if _, err := d.hold(t.Context(), second, nil, booking.Seat{OccurrenceID: o.ID, Attendee: "Bob"}); err != nil {
		t.Errorf("for somebody else: %v", err)
	}
	d.w.CheckBooks(t)
}

// One person has one seat, however their name is typed; and a hold that is renamed to another spelling stays theirs.
func TestOnePersonOneSeat(t *testing.T) {
	d := open(t)
	o := d.class(t, 9)
	first := d.cart(t)
	zoe := func(name string) booking.Seat { return booking.Seat{OccurrenceID: o.ID, Attendee: name} }
	h := d.mustHold(t, first, zoe("Zoë Ray"))
	rename := func(name string) error {
		_, err := in(t, d, func(tx *pg.Tx) (int, error) { return 0, booking.RenameTx(t.Context(), tx, name, h.Seats[0].BookingID) })
		return err
	}
	if err := rename("ZOË RAY"); err != nil {
		t.Errorf("another spelling: %v", err)
	}
	if err := rename("Zoë Ray"); err != nil {
		t.Errorf("and back: %v", err)
	}
	if !d.confirm(t, first, h, d.order(t, h, "fulfilled")) {
		t.Fatal("not confirmed")
	}
	for _, name := range []string{"Zoë Ray", "zoë ray", "ZOË RAY"} {
		if _, err := d.hold(t.Context(), d.again(t, first), nil, zoe(name)); !errors.Is(err, booking.ErrDuplicate) {
			t.Errorf("%q has another seat (%v)", name, err)
		}
	}
	d.w.SQL(t, "update bookings set attendee_key = null") // as the version before wrote it
	if _, err := d.hold(t.Context(), d.again(t, first), nil, zoe("Zoë Ray")); !errors.Is(err, booking.ErrDuplicate) {
		t.Errorf("a seat of before is not seen (%v)", err)
	}
	if d.taken(t, o) != 1 {
		t.Errorf("%d taken", d.taken(t, o))
	}
}

// The maximum is five open holds; expired ones do not count, at any concurrency.
func TestTooManyHolds(t *testing.T) {
	d := open(t)
	first := d.cart(t)
	errs := make(chan error)
	const asked = 12
	for range asked {
		c, o := d.again(t, first), d.class(t, 1)
		go func() { errs <- errOf(d.hold(t.Context(), c, nil, seat(o))) }()
	}
	refused := 0
	for range asked {
		if err := <-errs; errors.Is(err, booking.ErrTooManyHolds) {
			refused++
		} else if err != nil {
			t.Error(err)
		}
	}
	if refused != asked-booking.HoldsMax {
		t.Errorf("%d of %d were refused", refused, asked)
	}
	d.w.Clock.Advance(booking.HoldLife)
	if _, err := d.hold(t.Context(), d.again(t, first), nil, seat(d.class(t, 1))); err != nil {
		t.Errorf("after the others are over: %v", err)
	}
}

// A hold past its time is expired for all customers, before any sweep.
func TestOverdueHoldKeepsNobodyOut(t *testing.T) {
	d := open(t)
	o := d.class(t, 1)
	first := d.cart(t)
	h := d.mustHold(t, first, seat(o))
	d.w.Clock.Advance(booking.HoldLife)
	second := d.cart(t)
	if _, err := d.hold(t.Context(), second, nil, seat(o)); !errors.Is(err, booking.ErrFull) {
		t.Errorf("the counter still counts it: %v", err)
	}
	freed, err := d.s.ExpireAt(t.Context(), d.Business.ID, []uuid.UUID{o.ID})
	if err != nil || !freed {
		t.Fatal(freed, err)
	}
	d.mustHold(t, second, seat(o))
	if d.confirm(t, first, h, d.order(t, h, "open")) {
		t.Error("a hold past its time was confirmed")
	}
	if freed, err := d.s.ExpireAt(t.Context(), d.Business.ID, []uuid.UUID{o.ID}); err != nil || freed {
		t.Errorf("a live hold was ended: %v, %v", freed, err)
	}
	d.w.CheckBooks(t)
}

// The cart's own hold that is over is ended and a new one made, in one step.
func TestHoldAnew(t *testing.T) {
	d := open(t)
	o, other := d.class(t, 1), d.class(t, 1)
	c := d.cart(t)
	old := d.mustHold(t, c, seat(o))
	d.w.Clock.Advance(booking.HoldLife)
	fresh, err := d.hold(t.Context(), c, &old, seat(other), seat(o))
	if err != nil || fresh.ID == old.ID || len(fresh.Seats) != 2 || d.taken(t, o) != 1 || d.taken(t, other) != 1 {
		t.Errorf("%+v (%v), %d and %d taken", fresh, err, d.taken(t, o), d.taken(t, other))
	}
	d.w.CheckBooks(t)
}
