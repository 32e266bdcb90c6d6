package checkout_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/paging"
	"foyer/app/waitlist"
	"foyer/billing/processor"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// buy books and pays a course and returns the bookings of its dates.
func (s shop) buy(t testing.TB, who tenancy.Scope, course apptest.OfferingRow) []uuid.UUID {
	t.Helper()
	token := s.enrol(t, course)
	s.hold(t, who, token)
	if total := s.cart(t, token).Totals.TotalAmount; total > 0 {
		p := s.pay(t, who, token, total)
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
	}
	var out []uuid.UUID
	for _, d := range s.confirm(t, who, token).Lines[0].Dates {
		out = append(out, d.BookingID)
	}
	return out
}

// fees gives the studio a policy under which cancelling is free until two days before and costs 5.00 from one day
// before on.
func (s shop) fees(t testing.TB) {
	t.Helper()
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
		r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 40*60, 24*60, 500
		r.Grace.LateCancels = 0
	}))
}

// Cancelling one date of a course cancels all upcoming ones: the price is refunded once, or not, and there is one
// fee. The price is refunded by the first date, and it is late by the next one.
func TestCourseCancelled(t *testing.T) {
	for _, c := range []struct {
		name           string
		at             func(dates []apptest.OccurrenceRow) time.Time
		back, forfeit  int64
		fee            int64
		states         string
		left           []int
		studio, waived bool
	}{
		{"in time", func(d []apptest.OccurrenceRow) time.Time { return d[0].StartsAt.Add(-48 * time.Hour) }, 8000, 0, 0,
			"cancelled 3 in 1 for 8000", []int{0, 0, 0}, false, false},
		{"after the free time", func(d []apptest.OccurrenceRow) time.Time { return d[0].StartsAt.Add(-39 * time.Hour) }, 0, 8000, 0,
			"cancelled 3 in 1 for 8000", []int{0, 0, 0}, false, false},
		{"late", func(d []apptest.OccurrenceRow) time.Time { return d[0].StartsAt.Add(-time.Hour) }, 0, 8000, 500,
			"late_cancelled 3 in 1 for 8000", []int{0, 0, 0}, false, false},
		{"begun, in time for the next", func(d []apptest.OccurrenceRow) time.Time { return d[0].StartsAt.Add(2 * time.Hour) }, 0, 8000, 0,
			"cancelled 2 in 1 for 0, confirmed 1 in 1 for 8000", []int{1, 0, 0}, false, false},
		{"begun, late for the next", func(d []apptest.OccurrenceRow) time.Time { return d[1].StartsAt.Add(-time.Hour) }, 0, 8000, 500,
			"confirmed 1 in 1 for 8000, late_cancelled 2 in 1 for 0", []int{1, 0, 0}, false, false},
		{"begun, by the studio", func(d []apptest.OccurrenceRow) time.Time { return d[1].StartsAt.Add(-time.Hour) }, 8000, 0, 0,
			"confirmed 1 in 1 for 8000, studio_cancelled 2 in 1 for 0", []int{1, 0, 0}, true, false},
		{"late, waived", func(d []apptest.OccurrenceRow) time.Time { return d[0].StartsAt.Add(-time.Hour) }, 8000, 0, 500,
			"late_cancelled 3 in 1 for 8000", []int{0, 0, 0}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.fees(t)
			course, dates := s.course(t, 3, 8000, 2)
			ada := s.Customer(t, "Ada")
			bookings := s.buy(t, ada, course)
			s.jobs(t)
			s.w.Clock.Set(c.at(dates))
			done := func() booking.Cancellation {
				if !c.studio && !c.waived {
					done, err := s.Booking.CancelMine(t.Context(), ada, bookings[0]) // whichever date is named
					return must(t, done, err).Done
				}
				in := booking.CancelInput{BookingID: bookings[2], By: booking.ByCustomer}
				if c.studio {
					in.By = booking.ByStudio
				} else {
					in.FeeMode, in.Reason = booking.FeeWaive, "ill"
				}
				done, err := s.Booking.Cancel(t.Context(), s.Owner, in)
				return must(t, done, err).Done
			}()
			ended := 0
			for _, n := range c.left {
				ended += 1 - n
			}
			if done.RefundAmount != c.back || done.ForfeitedAmount != c.forfeit || done.FeeAmount != c.fee || len(done.Dates) != ended || !done.Mail {
				t.Errorf("%+v", done)
			}
			if got := s.enrolled(t, course); got != c.states || !slices.Equal(s.seats(t, dates), c.left) {
				t.Errorf("%s, taken %v", got, s.seats(t, dates))
			}
			if n := apptest.Value[int](t, s.w, "select count(*) from fees"); n != min(int(c.fee), 1) {
				t.Errorf("%d fees", n)
			}
			s.jobs(t)
			if got := s.mails(ada); len(got) != 2 {
				t.Errorf("mails: %v", got)
			}
			if s.Refunded(t) != c.back {
				t.Errorf("%d went back", s.Refunded(t))
			}
			_, err := s.Booking.CancelMine(t.Context(), ada, bookings[2])
			over := booking.ErrState
			if c.left[0] == 1 { // the first date was, and nothing is to come
				over = booking.ErrStarted
			}
			refused(t, "again", err, over)
			s.check(t)
		})
	}
}

// A course that is held together by nothing but its dates: it cannot be rescheduled, and one that has begun to its
// end cannot be cancelled any more.
func TestCourseStays(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 0, 2)
	ada := s.Customer(t, "Ada")
	bookings := s.buy(t, ada, course)
	to := booking.Target{OccurrenceID: dates[2].ID}
	_, err := s.Booking.RescheduleMine(t.Context(), ada, bookings[0], to)
	refused(t, "moved by the customer", err, booking.ErrCourse)
	_, err = s.Booking.Reschedule(t.Context(), s.Owner, booking.RescheduleInput{BookingID: bookings[0], Target: to})
	refused(t, "moved by the studio", err, booking.ErrCourse)
	for _, id := range bookings {
		v, err := s.Booking.MyBooking(t.Context(), ada.Principal, id)
		acts := must(t, v, err).CustomerActions(s.w.Clock.Now())
		if v.ID != bookings[0] || len(v.Dates) != 3 || len(acts) != 1 || acts[0].Action != booking.ActCancel {
			t.Errorf("%s: %s with %d dates, %+v", id, v.ID, len(v.Dates), acts)
		}
	}
	s.w.Clock.Set(dates[2].StartsAt)
	_, err = s.Booking.CancelMine(t.Context(), ada, bookings[0])
	refused(t, "the last date has begun", err, booking.ErrStarted)
	s.check(t)
}

// My bookings has a course once: by its next date, then by its last one, and then among past bookings.
func TestCourseOnceAmongMine(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 0, 2)
	ada := s.Customer(t, "Ada")
	class := s.class(t, 0, 2)
	token := s.Fill(t, class)
	s.hold(t, ada, token)
	s.confirm(t, ada, token)
	bookings := s.buy(t, ada, course)
	list := func(past bool, limit int) (out []uuid.UUID) {
		t.Helper()
		in := booking.MineInput{Past: past, Page: paging.In[paging.Moment]{Limit: limit}}
		for {
			page, err := s.Booking.Mine(t.Context(), ada.Principal, in)
			must(t, 0, err)
			for _, v := range page.Items {
				if out = append(out, v.ID); v.OfferingID == course.ID && (len(v.Dates) != 3 || v.Dates[0].BookingID != bookings[0]) {
					t.Errorf("dates: %+v", v.Dates)
				}
			}
			if in.Page.After = page.Next; in.Page.After == nil {
				return out
			}
		}
	}
	for _, limit := range []int{1, 2, 50} {
		if got := list(false, limit); len(got) != 2 || !slices.Contains(got, bookings[0]) {
			t.Errorf("by %d: %v", limit, got)
		}
	}
	s.w.Clock.Set(dates[1].StartsAt.Add(time.Minute)) // the second goes on
	if got := list(false, 1); !slices.Equal(got, bookings[2:]) {
		t.Errorf("on the way: %v", got)
	}
	if got := list(true, 50); len(got) != 1 || slices.Contains(bookings, got[0]) {
		t.Errorf("over meanwhile: %v", got)
	}
	s.w.Clock.Set(dates[2].StartsAt.Add(2 * time.Hour))
	if got := list(true, 1); len(got) != 2 || got[0] != bookings[2] || len(list(false, 1)) != 0 {
		t.Errorf("over: %v", got)
	}
}

// The studio cancels dates of a course: it goes on without them and nothing is refunded, until there are none; then
// all is.
func TestCourseLosesDates(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 8000, 2)
	calendar := schedule.New(schedule.Options{DB: s.w.DB, Bookings: waitlist.Calendar(s.Booking), Cards: processor.EnvSimulated})
	cancel := func(i int) schedule.Plan {
		t.Helper()
		done, err := calendar.CancelDate(t.Context(), s.Owner, schedule.CancelDateInput{
			OfferingID: course.ID, OccurrenceID: dates[i].ID, Reason: "flood",
		})
		return must(t, done, err).Plan
	}
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	mine := s.buy(t, ada, course)
	if p := cancel(0); p.Courses != 1 || len(p.Refunds) != 0 || p.Notices != 1 || len(p.Hit) != 1 || p.Hit[0].Outcome != "cancelled" {
		t.Errorf("the first: %+v", p)
	}
	s.buy(t, bob, course) // joins after that
	if p := cancel(1); p.Courses != 2 || len(p.Refunds) != 0 {
		t.Errorf("the second: %+v", p)
	}
	if got := s.enrolled(t, course); got != "confirmed 2 in 2 for 0, studio_cancelled 3 in 2 for 16000" || !slices.Equal(s.seats(t, dates), []int{0, 0, 2}) {
		t.Errorf("%s, taken %v", got, s.seats(t, dates))
	}
	v, err := s.Booking.MyBooking(t.Context(), ada.Principal, mine[0])
	if must(t, v, err); v.ID != mine[2] || v.State != booking.Confirmed || booking.CourseState(v.Dates) != booking.Confirmed {
		t.Errorf("what is left: %s %s", v.ID, v.State)
	}
	s.jobs(t)
	if s.Refunded(t) != 0 {
		t.Errorf("%d back", s.Refunded(t))
	}
	// the other dates are cancelled in time: the lead is cancelled already
	done, err := s.Booking.CancelMine(t.Context(), bob, nextOf(t, s, bob))
	if must(t, done, err).Done.RefundAmount != 8000 {
		t.Errorf("given up: %+v", done.Done)
	}
	if p := cancel(2); p.Courses != 0 || len(p.Refunds) != 1 || p.Refunds[0].Amount != 8000 || p.Refunds[0].Bookings != 1 {
		t.Errorf("the last: %+v", p)
	}
	s.jobs(t)
	if s.Refunded(t) != 16000 {
		t.Errorf("%d back", s.Refunded(t))
	}
	s.check(t)
}

// nextOf returns a customer's upcoming booking.
func nextOf(t testing.TB, s shop, who tenancy.Scope) uuid.UUID {
	t.Helper()
	page, err := s.Booking.Mine(t.Context(), who.Principal, booking.MineInput{})
	return must(t, page, err).Items[0].ID
}
