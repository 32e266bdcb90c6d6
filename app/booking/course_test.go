package booking_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/policy"
)

// The refund of a course counts from its first date, and lateness from its next one; the studio can reschedule it
// until it begins.
func TestCourseWindows(t *testing.T) {
	first := apptest.Start.Add(72 * time.Hour)
	b := bookedAt(first, func(r *catalog.Rules) {
		r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 48*60, 12*60, 1500
	})
	b.CourseFrom = &first
	later := b
	later.StartsAt, later.EndsAt = first.AddDate(0, 0, 7), first.AddDate(0, 0, 7).Add(time.Hour)
	for name, c := range map[string]struct {
		b    booking.Booking
		at   time.Time
		want booking.Consequence
	}{
		"in time":                   {b, first.Add(-48 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"not in time":               {b, first.Add(-47 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel}},
		"late":                      {b, first.Add(-time.Hour), booking.Consequence{Transition: booking.TransitionCancelLate, Late: true, FeeAmount: 1500}},
		"begun, long before a next": {later, later.StartsAt.Add(-100 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel}},
		"begun, late for the next":  {later, later.StartsAt.Add(-time.Hour), booking.Consequence{Transition: booking.TransitionCancelLate, Late: true, FeeAmount: 1500}},
	} {
		if got, err := c.b.Cancelling(booking.ByCustomer, c.at); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, a := range c.b.CustomerActions(c.at) {
			if a.Action != booking.ActCancel || !a.FreeUntil.Equal(first.Add(-48*time.Hour)) || !a.LateFrom.Equal(c.b.StartsAt.Add(-12*time.Hour)) {
				t.Errorf("%s allows %+v", name, a)
			}
		}
	}
	moves := func(b booking.Booking, at time.Time) bool { // to another course, as long as it has not begun
		return slices.ContainsFunc(b.StudioActions(at, time.UTC), func(a booking.Allowance) bool { return a.Action == booking.ActReschedule })
	}
	if !moves(b, apptest.Start) || moves(later, later.StartsAt.Add(-time.Hour)) {
		t.Errorf("the studio may move it before it begins: %t, after: %t", moves(b, apptest.Start), moves(later, later.StartsAt.Add(-time.Hour)))
	}
}

// A course is listed by its next live date, and has the state of its upcoming dates.
func TestWhatStandsForACourse(t *testing.T) {
	at := func(day int, s booking.State) booking.CourseDate {
		start := apptest.Start.AddDate(0, 0, day)
		return booking.CourseDate{BookingID: uuid.New(), StartsAt: start, EndsAt: start.Add(time.Hour), State: s}
	}
	now := apptest.Start.Add(30 * time.Minute)
	for name, c := range map[string]struct {
		dates []booking.CourseDate
		want  int
		state booking.State
	}{
		"ahead":             {[]booking.CourseDate{at(1, booking.Confirmed), at(8, booking.Confirmed)}, 0, booking.Confirmed},
		"one goes on":       {[]booking.CourseDate{at(0, booking.CheckedIn), at(7, booking.Confirmed)}, 1, booking.Confirmed},
		"the last goes on":  {[]booking.CourseDate{at(-7, booking.Completed), at(0, booking.CheckedIn)}, 1, booking.CheckedIn},
		"one lost":          {[]booking.CourseDate{at(1, booking.StudioCancelled), at(8, booking.Confirmed)}, 1, booking.Confirmed},
		"given up half way": {[]booking.CourseDate{at(-7, booking.Completed), at(7, booking.LateCancelled), at(14, booking.LateCancelled)}, 1, booking.LateCancelled},
		"over":              {[]booking.CourseDate{at(-14, booking.Completed), at(-7, booking.NoShow)}, 1, booking.Completed},
		"all lost":          {[]booking.CourseDate{at(1, booking.StudioCancelled), at(8, booking.StudioCancelled)}, 0, booking.StudioCancelled},
		"asked for":         {[]booking.CourseDate{at(1, booking.Requested), at(8, booking.Requested)}, 0, booking.Requested},
		"never booked":      {[]booking.CourseDate{at(1, booking.Expired)}, 0, booking.Expired},
	} {
		if got := booking.CourseListing(c.dates, now); got.BookingID != c.dates[c.want].BookingID {
			t.Errorf("%s: by the one on %s", name, got.StartsAt)
		}
		if got := booking.CourseState(c.dates); got != c.state {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// courseOf is a course of three dates with so many seats.
func (d desk) courseOf(t *testing.T, capacity int) (apptest.OfferingRow, []apptest.OccurrenceRow) {
	t.Helper()
	return d.AddCourse(t, 3, func(o *apptest.OfferingRow) { o.Capacity, o.Online = capacity, capacity })
}

func (d desk) enrol(t *testing.T, email string, course apptest.OfferingRow, changes ...func(*booking.BookInput)) (booking.Did[booking.Made], error) {
	t.Helper()
	in := booking.BookInput{Customer: booking.CustomerRef{Email: email}, OfferingID: course.ID}
	for _, change := range changes {
		change(&in)
	}
	return d.s.Book(t.Context(), d.Owner, in)
}

func overruled(in *booking.BookInput) { in.Override, in.Reason = true, "a friend of the house" }

// The studio books a course for a customer: all of its dates, one price, one mail; or nothing, with the full dates.
func TestEnrolAtTheDesk(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.WindowDays = 5 })
	course, dates := d.courseOf(t, 1)
	got, err := d.enrol(t, "rosa@example.com", course)
	if err != nil || got.Done.PriceAmount != 2200 || len(got.Done.Dates) != 3 || got.Done.Dates[2].OccurrenceID != dates[2].ID || !got.Done.StartsAt.Equal(dates[0].StartsAt) {
		t.Fatalf("%+v, %v", got.Done, err)
	}
	rows := apptest.Values[string](t, d.w, `select state || ' ' || price_amount || ' ' || (group_id is not null) from bookings order by starts_at`)
	if !slices.Equal(rows, []string{"confirmed 2200 true", "confirmed 0 true", "confirmed 0 true"}) {
		t.Errorf("bookings: %q", rows)
	}
	if _, err := d.sales.RunJobs(t); err != nil || len(d.sales.Mail.List("rosa@example.com")) != 1 {
		t.Errorf("%d mails, %v", len(d.sales.Mail.List("rosa@example.com")), err)
	}
	entry, err := d.s.Get(t.Context(), d.Owner, got.Booking.ID)
	if err != nil || len(entry.Dates) != 3 || !entry.Course() {
		t.Errorf("%+v, %v", entry, err)
	}
	_, err = d.enrol(t, "rosa@example.com", course)
	is(t, "again", err, booking.ErrDuplicate)
	_, err = d.enrol(t, "ben@example.com", course)
	is(t, "full", err, booking.ErrFull)
	if full, _ := fault.From(err).Details["dates"].([]booking.FreeDate); len(full) != 3 {
		t.Errorf("full: %v", full)
	}
	over, err := d.enrol(t, "ben@example.com", course, overruled)
	if err != nil || !slices.Equal(over.Done.Overridden, []string{booking.OverCapacity}) || d.taken(t, dates[2]) != 2 {
		t.Errorf("%+v, %v", over.Done, err)
	}
	class := d.class(t, 5)
	classOf := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", class.ID)
	for name, in := range map[string]booking.BookInput{"a class": {OfferingID: classOf}, "both": {OfferingID: course.ID, OccurrenceID: dates[0].ID}} {
		in.Customer.Email = "cleo@example.com"
		if _, err := d.s.Book(t.Context(), d.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.enrol(t, "cleo@example.com", apptest.OfferingRow{ID: uuid.New()}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	if _, err := d.s.Book(t.Context(), d.Holding(uuid.New(), policy.BookingManage), booking.BookInput{Customer: booking.CustomerRef{Email: "cleo@example.com"}, OfferingID: course.ID}); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("elsewhere: %v", err)
	}
	d.w.CheckBooks(t)
}

// One date of a course is booked, or rescheduled to, only by an override; then it is free of charge and belongs to no
// course.
func TestOneDateOfACourse(t *testing.T) {
	d := open(t)
	course, dates := d.courseOf(t, 2)
	one := func(i int, change ...func(*booking.BookInput)) (booking.Did[booking.Made], error) {
		in := booking.BookInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OccurrenceID: dates[i].ID}
		for _, f := range change {
			f(&in)
		}
		return d.s.Book(t.Context(), d.Owner, in)
	}
	_, err := one(0)
	is(t, "one date", err, booking.ErrCourse)
	got, err := one(0, overruled)
	if err != nil || got.Done.PriceAmount != 0 || !slices.Equal(got.Done.Overridden, []string{booking.OverCourse}) || got.Booking.Course() {
		t.Fatalf("%+v, %v", got.Done, err)
	}
	_, err = d.enrol(t, "rosa@example.com", course)
	is(t, "and the course", err, booking.ErrDuplicate)
	move := booking.RescheduleInput{BookingID: got.Booking.ID, Target: to(dates[1])}
	_, err = d.s.Reschedule(t.Context(), d.Owner, move)
	is(t, "moved", err, booking.ErrCourse)
	move.Override, move.Reason = true, "ill"
	if moved, err := d.s.Reschedule(t.Context(), d.Owner, move); err != nil || moved.Done.OccurrenceID != dates[1].ID || moved.Done.DifferenceAmount != 0 {
		t.Errorf("%+v, %v", moved.Done, err)
	}
	done, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: got.Booking.ID, By: booking.ByCustomer})
	if err != nil || len(done.Done.Dates) != 0 {
		t.Errorf("%+v, %v", done.Done, err)
	}
	_, err = d.s.BookRecurring(t.Context(), d.Owner, booking.RecurringInput{
		Customer: booking.CustomerRef{Email: "rosa@example.com"}, OfferingID: course.ID, OccurrenceIDs: []uuid.UUID{dates[0].ID, dates[2].ID},
	})
	is(t, "recurring", err, booking.ErrCourse)
	c := d.cart(t)
	_, err = d.hold(t.Context(), c, nil, seat(dates[0]))
	is(t, "held by itself", err, booking.ErrCourse)
	class := d.class(t, 5)
	_, err = d.hold(t.Context(), c, nil, booking.Seat{OccurrenceID: class.ID, Group: uuid.New()})
	is(t, "a class held as a course", err, booking.ErrNotBookable)
	d.w.CheckBooks(t)
}

// Lead time and booking window apply to the first date of a course only.
func TestCourseNoticeAndWindow(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.NoticeMinutes, r.WindowDays = 24*60, 3 })
	_, dates := d.courseOf(t, 5)
	seats := func() []booking.Seat {
		group, out := uuid.New(), []booking.Seat{}
		for i, o := range dates {
			out = append(out, booking.Seat{OccurrenceID: o.ID, Group: group, Follows: i > 0})
		}
		return out
	}
	if h := d.mustHold(t, d.cart(t), seats()...); len(h.Seats) != 3 {
		t.Errorf("%d seats", len(h.Seats))
	}
	d.w.Clock.Set(dates[0].StartsAt.Add(-23 * time.Hour))
	_, err := d.hold(t.Context(), d.cart(t), nil, seats()...)
	is(t, "too late for the first", err, booking.ErrTooLate)
	d.w.Clock.Set(dates[0].StartsAt.AddDate(0, 0, -4))
	_, err = d.hold(t.Context(), d.cart(t), nil, seats()...)
	is(t, "too early for the first", err, booking.ErrTooEarly)
	d.w.CheckBooks(t)
}

// Bulk cancellation: a course ends in the row of its first date, with all dates, and the rows of the others return
// the result.
func TestBulkCancelOfCourses(t *testing.T) {
	d := open(t)
	course, _ := d.courseOf(t, 5)
	var ids []uuid.UUID
	for _, email := range []string{"rosa@example.com", "ben@example.com"} {
		if _, err := d.enrol(t, email, course); err != nil {
			t.Fatal(err)
		}
	}
	ids = apptest.Values[uuid.UUID](t, d.w, "select id from bookings order by customer_id, starts_at")
	_, single := d.made(t, d.class(t, 5))
	rows, err := d.s.BulkCancel(t.Context(), d.Owner, []uuid.UUID{ids[1], ids[0], single, ids[5]}, booking.CancelInput{By: booking.ByStudio, Reason: "flood"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 0, 0, 3} {
		if r := rows.Rows[i]; r.Done == nil || len(r.Done.Dates) != want || r.Done.State != booking.StudioCancelled {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if n := apptest.Value[int](t, d.w, "select count(*) from bookings where state = 'studio_cancelled'"); n != 7 {
		t.Errorf("%d are cancelled", n)
	}
	if _, err := d.sales.RunJobs(t); err != nil || len(d.sales.Mail.List("rosa@example.com")) != 1 {
		t.Errorf("%d mails, %v", len(d.sales.Mail.List("rosa@example.com")), err)
	}
	d.w.CheckBooks(t)
}
