package booking_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/fault"
)

// group is a course at a price with so many dates and seats.
func (d desk) group(t *testing.T, dates, seats int, price int64) (apptest.OfferingRow, []apptest.OccurrenceRow) {
	t.Helper()
	return d.AddCourse(t, dates, func(o *apptest.OfferingRow) { o.Capacity, o.Online, o.Price = seats, seats, &price })
}

// enrolled makes a customer's booking of a course.
func (d desk) enrolled(t *testing.T, course apptest.OfferingRow, email string) uuid.UUID {
	t.Helper()
	made, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: email}, OfferingID: course.ID})
	if err != nil {
		t.Fatal(err)
	}
	return made.Booking.ID
}

func (d desk) toGroup(t *testing.T, id uuid.UUID, course apptest.OfferingRow) (booking.Did[booking.Rescheduled], error) {
	t.Helper()
	return d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: id, Target: booking.Target{CourseID: course.ID}})
}

// A course is rescheduled to another group as a whole: the same bookings, date by date, at the agreed price. The
// price difference is reported, and the customer is notified once.
func TestCourseMovesToAnotherGroup(t *testing.T) {
	d := open(t)
	monday, was := d.group(t, 3, 2, 9000)
	tuesday, dates := d.group(t, 3, 2, 10500)
	short, _ := d.group(t, 2, 2, 6000)
	id := d.enrolled(t, monday, "ada@example.com")
	ids := apptest.Values[uuid.UUID](t, d.w, "select id from bookings order by starts_at")
	_, err := d.toGroup(t, id, short)
	is(t, "to a shorter one", err, booking.ErrCourseDiffers)
	if f := refusal(t, err); f.Details["dates"] != 2 || f.Details["booked"] != 3 {
		t.Errorf("%+v", f.Details)
	}
	_, err = d.toGroup(t, id, monday)
	is(t, "to where it is", err, booking.ErrDuplicate)
	_, err = d.toGroup(t, id, apptest.OfferingRow{ID: uuid.New()})
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("to an unknown one: %v", err)
	}
	class := d.class(t, 5)
	_, err = d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: id, Target: to(class)})
	is(t, "to a date of a class", err, booking.ErrCourse)

	got, err := d.toGroup(t, ids[1], tuesday) // whichever date is named
	if err != nil || got.Done.PriceAmount != 9000 || got.Done.DifferenceAmount != 1500 || len(got.Done.Dates) != 3 || got.Done.FromOccurrenceID != was[0].ID {
		t.Fatalf("%+v (%v)", got.Done, err)
	}
	for i := range dates {
		if d.taken(t, was[i]) != 0 || d.taken(t, dates[i]) != 1 {
			t.Errorf("date %d: %d and %d are taken", i, d.taken(t, was[i]), d.taken(t, dates[i]))
		}
	}
	now := apptest.Values[string](t, d.w, `select b.id::text || ' ' || (b.occurrence_id = any($1)) || ' ' || (b.offering_id = $2) || ' ' || b.price_amount
		from bookings b order by b.starts_at`, []uuid.UUID{dates[0].ID, dates[1].ID, dates[2].ID}, tuesday.ID)
	if want := []string{fmt.Sprintf("%s true true 9000", ids[0]), fmt.Sprintf("%s true true 0", ids[1]), fmt.Sprintf("%s true true 0", ids[2])}; !slices.Equal(now, want) {
		t.Errorf("%q, want %q", now, want)
	}
	if _, err := d.sales.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	if mails := d.sales.Mail.List("ada@example.com"); len(mails) != 2 || mails[0].Subject != "moved" {
		t.Errorf("%d mails", len(mails))
	}
	d.w.CheckBooks(t)
	d.w.Clock.Set(dates[0].StartsAt.Add(time.Minute))
	_, err = d.toGroup(t, id, monday)
	is(t, "begun", err, booking.ErrStarted)
}

// A group with a full date is refused with that date; the studio may raise its capacity.
func TestCourseMovesToAFullGroup(t *testing.T) {
	d := open(t)
	monday, was := d.group(t, 2, 2, 9000)
	tuesday, dates := d.group(t, 2, 1, 9000)
	d.enrolled(t, tuesday, "ben@example.com")
	id := d.enrolled(t, monday, "ada@example.com")
	_, err := d.toGroup(t, id, tuesday)
	is(t, "full", err, booking.ErrFull)
	if full, _ := refusal(t, err).Details["dates"].([]booking.FreeDate); len(full) != 2 || d.taken(t, was[0]) != 1 {
		t.Errorf("%+v", full)
	}
	got, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{
		BookingID: id, Target: booking.Target{CourseID: tuesday.ID}, Override: true, Reason: "a sister is there",
	})
	if err != nil || !slices.Equal(got.Done.Overridden, []string{booking.OverCapacity}) || d.taken(t, dates[1]) != 2 {
		t.Errorf("%+v (%v)", got.Done, err)
	}
	d.w.CheckBooks(t)
}

// Ten customers reschedule to a group with three spots: three succeed, with all dates, and none is in two groups or
// in no group.
func TestCourseMoveRace(t *testing.T) {
	d := open(t)
	for round := range walks.Steps(2, 50) {
		monday, was := d.group(t, 3, 10, 9000)
		tuesday, dates := d.group(t, 3, 3, 9000)
		var ids []uuid.UUID
		for i := range 10 {
			ids = append(ids, d.enrolled(t, monday, fmt.Sprintf("person%d-%d@example.com", round, i)))
		}
		var got atomic.Int64
		all(ids, func(id uuid.UUID) {
			_, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: id, Target: booking.Target{CourseID: tuesday.ID}})
			switch {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, booking.ErrFull):
				t.Error(err)
			}
		})
		for i := range dates {
			if apptest.Guarded && (got.Load() != 3 || d.taken(t, dates[i]) != 3 || d.taken(t, was[i]) != 7) {
				t.Errorf("%d moved; date %d: %d there, %d here", got.Load(), i, d.taken(t, dates[i]), d.taken(t, was[i]))
			}
		}
	}
	if apptest.Guarded {
		d.w.CheckBooks(t)
	}
}
