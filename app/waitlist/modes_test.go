package waitlist_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/waitlist"
)

// The first entry gets an offer for ten minutes, and then the next one does, in the same transaction; a seat on offer
// counts as occupied. At the end of the list the seat is public, and the next one starts from the top.
func TestWaitlistOffer(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(2)
	a, b, c := l.join(o), l.join(o), l.join(o)
	if got := []int{*a.Position, *b.Position, *c.Position}; !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("positions %v", got)
	}
	l.cancelOne(o)
	l.want(waitlist.Offered, a)
	l.want(waitlist.Waiting, b, c)
	if taken, offered := l.seats(o); taken != 1 || offered != 1 {
		t.Errorf("%d taken and %d offered", taken, offered)
	}
	if _, err := l.tryJoin(l.Customer(t, "late"), o); err != nil {
		t.Errorf("a date whose last seat is on offer is full: %v", err)
	}
	l.pass(9 * time.Minute)
	l.want(waitlist.Offered, a)
	l.pass(time.Minute)
	l.want(waitlist.Expired, a)
	l.want(waitlist.Offered, b)
	if err := l.decline(b); err != nil {
		t.Fatal(err)
	}
	l.jobs()
	l.want(waitlist.Declined, b)
	l.want(waitlist.Offered, c)
	l.check()
	if err := l.leave(c); err != nil { // also while an offer is open
		t.Fatal(err)
	}
	l.jobs()
	l.pass(10 * time.Minute) // the late one
	l.want(waitlist.Left, c)
	l.want(waitlist.Waiting, a) // no entry accepted: the list starts again
	if taken, offered := l.seats(o); taken != 1 || offered != 0 {
		t.Errorf("%d taken and %d offered at the end of the list", taken, offered)
	}
	if _, err := l.tryJoin(l.Customer(t, "free"), o); err == nil {
		t.Error("somebody waits for a seat that is everybody's")
	} else {
		wantReason(t, err, "seats_free")
	}
	l.cancelOne(o)
	l.want(waitlist.Offered, a)
	l.check()
	if got, want := l.mails(a), []string{"waitlist joined", "waitlist offered", "waitlist expired", "waitlist offered"}; !slices.Equal(got, want) {
		t.Errorf("mails %q, want %q", got, want)
	}
	t.Logf("%q", l.log(a))
}

// Accepting makes a hold and a cart of the person's: its payment is for the offered seat.
func TestWaitlistAccept(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	l.cancelOne(o)
	got := l.mustAccept(a)
	if again := l.mustAccept(a); again != got {
		t.Errorf("accepting again gives %+v, not %+v", again, got)
	}
	l.want(waitlist.Promoted, a)
	cart, err := l.Checkout.Cart(t.Context(), a.sc, l.Checkout.CartToken(got.CartID))
	if err != nil || cart.Hold == nil || cart.Totals.TotalAmount != 2200 || *cart.Lines[0].BookingID != got.BookingID {
		t.Fatalf("%v: %+v", err, cart)
	}
	if taken, offered := l.seats(o); taken != 1 || offered != 0 || got.OrderID != nil {
		t.Errorf("%d taken and %d offered, order %v", taken, offered, got.OrderID)
	}
	l.pass(booking.HoldLife) // it was not paid for
	l.want(waitlist.Offered, b)
	if _, err := l.accept(a); err == nil {
		t.Error("accepted after the hold was over")
	} else {
		wantReason(t, err, "hold_expired")
	}
	l.pass(booking.HoldRetention + time.Hour)
	if err := errors.Join(l.Booking.ForgetDue(t.Context()), l.Checkout.ForgetDue(t.Context())); err != nil {
		t.Fatal(err)
	}
	if n := read[int](l, "select count(*) from waitlist_entries e join bookings b on b.id = e.booking_id where e.id = $1", a.ID)[0]; n != 1 {
		t.Error("the place does not know any more what it became")
	}
	l.check()
}

// A free offer is booked at once.
func TestWaitlistAcceptFree(t *testing.T) {
	l := openList(t, catalog.WaitlistOffer)
	l.free = true
	o := l.full(1)
	a := l.join(o)
	l.cancelOne(o)
	got := l.mustAccept(a)
	if got.OrderID == nil {
		t.Fatal("not booked")
	}
	state := apptest.Value[booking.State](t, l.w, "select state from bookings where id = $1", got.BookingID)
	if again := l.mustAccept(a); state != booking.Confirmed || again.OrderID == nil || *again.OrderID != *got.OrderID {
		t.Errorf("the booking is %s; again %+v", state, again)
	}
	l.jobs()
	l.check()
	l.w.CheckBooks(t)
}

// In the mode auto the first entry is booked automatically; when it is late, with a grace period of free
// cancellation.
func TestWaitlistAuto(t *testing.T) {
	l := openList(t, catalog.WaitlistAuto)
	o := l.full(2)
	a, b, c := l.join(o), l.join(o), l.join(o)
	l.cancelOne(o)
	l.want(waitlist.Promoted, a)
	l.want(waitlist.Waiting, b, c)
	if g := l.see(a).GraceUntil; g != nil {
		t.Errorf("two days ahead there is grace until %v", g)
	}
	l.pass(40 * time.Hour)
	l.cancelOne(o)
	l.want(waitlist.Promoted, b)
	if g := l.see(b).GraceUntil; g == nil || !g.Equal(l.w.Clock.Now().Add(30*time.Minute)) {
		t.Errorf("grace until %v", g)
	}
	if _, err := l.accept(b); err == nil {
		t.Error("accepted what is booked")
	} else {
		wantReason(t, err, "promoted")
	}
	if got, want := l.mails(b), []string{"waitlist joined", "waitlist promoted"}; !slices.Equal(got, want) {
		t.Errorf("mails %q, want %q", got, want)
	}
	l.check()
}

// In the mode race all are notified, no position is shown, and the first to accept wins.
func TestWaitlistRace(t *testing.T) {
	l := openList(t, catalog.WaitlistRace)
	o := l.full(1)
	a, b := l.join(o), l.join(o)
	if a.Position != nil {
		t.Errorf("position %d", *a.Position)
	}
	l.cancelOne(o)
	l.want(waitlist.Waiting, a, b)
	if !l.see(a).Acceptable || !l.see(b).Acceptable {
		t.Error("there is nothing to accept")
	}
	l.mustAccept(b)
	if _, err := l.accept(a); err == nil {
		t.Error("two got one seat")
	} else {
		wantReason(t, err, "full")
	}
	for _, w := range []entrant{a, b} {
		if got, want := l.mails(w), []string{"waitlist joined", "waitlist free"}; !slices.Equal(got, want) {
			t.Errorf("mails %q, want %q", got, want)
		}
	}
	l.check()
}
