package booking_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/claim"
	"foyer/app/fault"
)

// massage is a studio with one masseur, available every day from nine to five, and her service.
func (d desk) massage(t *testing.T, changes ...func(*apptest.ServiceRow)) apptest.ServiceRow {
	t.Helper()
	d.AddHours(t, apptest.Daily(9*60, 17*60)...)
	ana := d.AddMember(t, "Ana", apptest.Daily(9*60, 17*60)...)
	return d.AddAppointment(t, []uuid.UUID{ana.ID}, changes...)
}

// ten is ten o'clock in New York, so many days ahead.
func ten(days int) time.Time { return apptest.Start.AddDate(0, 0, days).Add(2 * time.Hour) }

func (d desk) bookTime(t *testing.T, f apptest.ServiceRow, at time.Time, email string) (booking.Did[booking.Made], error) {
	t.Helper()
	return d.s.Book(t.Context(), d.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: email}, Time: &booking.Times{OfferingID: f.ID, StartsAt: at},
	})
}

func (d desk) claims(t *testing.T, booking uuid.UUID) int {
	t.Helper()
	return apptest.Value[int](t, d.w, `select count(*) from claims c join bookings b on b.occurrence_id = c.occurrence_id where b.id = $1`, booking)
}

// The studio books a time: the person is busy from then on, rescheduling it changes the claim, and cancelling
// releases it.
func TestTimeLife(t *testing.T) {
	d := open(t)
	f := d.massage(t)
	got, err := d.bookTime(t, f, ten(3), "rosa@example.com")
	if err != nil || got.Done.PriceAmount != 6000 || got.Done.MemberID == nil || !got.Booking.StartsAt.Equal(ten(3)) || d.claims(t, got.Booking.ID) != 1 {
		t.Fatalf("%+v (%v)", got, err)
	}
	_, err = d.bookTime(t, f, ten(3).Add(30*time.Minute), "ben@example.com")
	is(t, "while she is busy", err, claim.ErrStaffBusy)
	d.w.CheckBooks(t)

	id := got.Booking.ID
	moved, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: id, Target: booking.Target{StartsAt: ten(3).Add(30 * time.Minute)}})
	if err != nil || !moved.Booking.StartsAt.Equal(ten(3).Add(30*time.Minute)) || moved.Done.OccurrenceID != got.Booking.OccurrenceID || d.claims(t, id) != 1 {
		t.Fatalf("to a time that overlaps its own: %+v (%v)", moved, err)
	}
	if _, err := d.bookTime(t, f, ten(3).Add(-30*time.Minute), "ben@example.com"); err != nil {
		t.Errorf("the time that was left: %v", err)
	}
	if _, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: id, Target: booking.Target{OccurrenceID: uuid.New()}}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("to a date of a class: %v", err)
	}
	d.w.CheckBooks(t)
	if _, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: id, By: booking.ByStudio}); err != nil || d.claims(t, id) != 0 {
		t.Errorf("cancelled: %v, %d claims", err, d.claims(t, id))
	}
	if _, err := d.bookTime(t, f, ten(3).Add(30*time.Minute), "cleo@example.com"); err != nil {
		t.Errorf("the time that came free: %v", err)
	}
	d.w.CheckBooks(t)
}

// The customer reschedules an appointment to a time that the storefront sells.
func TestTimeRescheduleMine(t *testing.T) {
	d := open(t)
	f := d.massage(t)
	got, err := d.bookTime(t, f, ten(3), "rosa@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.bookTime(t, f, ten(4), "ben@example.com"); err != nil {
		t.Fatal(err)
	}
	rosa := d.sales.At(d.w.Person(t, "rosa@example.com"))
	move := func(at time.Time) error {
		_, err := d.s.RescheduleMine(t.Context(), rosa, got.Booking.ID, booking.Target{StartsAt: at})
		return err
	}
	is(t, "to a time that is taken", move(ten(4)), claim.ErrStaffBusy)
	if err := move(ten(5).Add(12 * time.Hour)); !fault.IsKind(err, fault.Conflict) {
		t.Errorf("to the night: %v", err)
	}
	if err := move(ten(5)); err != nil {
		t.Error(err)
	}
	if m := d.transitions(t, got.Booking.ID); !slices.Equal(m, []string{"booked", "rescheduled from " + ten(3).Format(time.RFC3339)}) {
		t.Errorf("transitions: %q", m)
	}
	d.w.CheckBooks(t)
}

// Two overlapping requests for one person, approved at the same moment: one 409.
func TestTimeApproveRace(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	d := open(t)
	f := d.massage(t, func(r *apptest.ServiceRow) { r.Approval = true })
	for day := 3; day < 7; day++ {
		var ids []uuid.UUID
		for i := range 4 {
			got, err := d.bookTime(t, f, ten(day).Add(time.Duration(i)*15*time.Minute), "rosa@example.com")
			if err != nil {
				t.Fatal(err)
			}
			// As a request: the studio's own bookings are confirmed at once.
			if _, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: got.Booking.ID, By: booking.ByStudio}); err != nil {
				t.Fatal(err)
			}
			d.w.SQL(t, "update bookings set state = 'requested', cancelled_at = null where id = $1", got.Booking.ID)
			d.w.SQL(t, `with m as (delete from booking_transitions where booking_id = $1 and to_state = 'studio_cancelled')
				update booking_transitions set to_state = 'requested' where booking_id = $1 and from_state = ''`, got.Booking.ID)
			ids = append(ids, got.Booking.ID)
		}
		var yes atomic.Int64
		all(ids, func(id uuid.UUID) {
			_, err := d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: id})
			switch {
			case err == nil:
				yes.Add(1)
			case !errors.Is(err, booking.ErrFull):
				t.Error(err)
			}
		})
		if yes.Load() != 1 {
			t.Errorf("%d of four that overlap were approved", yes.Load())
		}
	}
	d.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, d.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}

// A party sharing a room grows and shrinks, and so do the seats of the room.
func TestTimeResize(t *testing.T) {
	d := open(t)
	d.AddHours(t, apptest.Daily(9*60, 17*60)...)
	room := d.AddSpace(t, "Sauna")
	f := d.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) { r.SoldAs, r.Capacity, r.Online = "person", 5, 5 })
	book := func(party int, email string) (booking.Did[booking.Made], error) {
		return d.s.Book(t.Context(), d.Owner, booking.BookInput{
			Customer: booking.CustomerRef{Email: email}, Party: party, Time: &booking.Times{OfferingID: f.ID, StartsAt: ten(3)},
		})
	}
	got, err := book(2, "rosa@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := book(2, "ben@example.com"); err != nil {
		t.Fatal(err)
	}
	resize := func(party int) error {
		version := apptest.Value[int64](t, d.w, "select version from bookings where id = $1", got.Booking.ID)
		_, err := d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: got.Booking.ID, Version: version, Party: &party})
		return err
	}
	if err := resize(3); err != nil {
		t.Errorf("the last seat: %v", err)
	}
	if err := resize(4); !fault.IsKind(err, fault.Conflict) {
		t.Errorf("more than there is room for: %v", err)
	}
	if n := apptest.Value[int](t, d.w, "select sum(seats) from claims where space_id = $1", room.ID); n != 5 {
		t.Errorf("%d seats of the room are claimed", n)
	}
	if err := resize(1); err != nil {
		t.Error(err)
	}
	if _, err := book(2, "cleo@example.com"); err != nil {
		t.Errorf("the seats that came free: %v", err)
	}
	d.w.CheckBooks(t)
}
