package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
)

// course is a course of so many weekly dates, the first the day after tomorrow, for 80.00.
func (s *shop) course(t testing.TB, dates int, changes ...func(*apptest.OfferingRow)) class {
	t.Helper()
	row, list := s.AddCourse(t, dates, append([]func(*apptest.OfferingRow){func(o *apptest.OfferingRow) {
		price := int64(8000)
		o.Name, o.Slug, o.Price, o.Capacity, o.Online = "Pottery for beginners", "pottery", &price, 6, 6
	}}, changes...)...)
	return class{OfferingRow: row, Dates: list}
}

// A course is seen, booked, paid, found again and cancelled as one thing, with all of its dates on every page, in the
// mails and in the calendar.
func TestCourseFromPageToCancelling(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := s.course(t, 4)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	front := v.get("/harbour").want(200, "Pottery for beginners", "Part of course", "$80")
	if got := front.link("Details"); got != "/harbour/pottery" {
		t.Errorf("the row leads to %s", got)
	}
	p := v.get("/harbour/pottery?time="+c.Dates[1].ID.String()).want(200, "Pottery for beginners", "The whole course", "4 dates, Fri, Jun 12 to Jul 3",
		"$80 for all dates", "All dates", "Fri, Jun 12, 8:00 to 9:00 am", "Fri, Jul 3, 8:00 to 9:00 am", "A course is cancelled as a whole").lacks("Waitlist", "Next times", "Book this time")
	if strings.Count(p.Body, `<form method="post" action="/harbour/pottery"`) != 1 {
		t.Error("there is not one button")
	}
	pay := p.form("/pottery").post().follow().want(200, "Pottery for beginners", "4 dates, Fri, Jun 12 to Jul 3", "1 course", "Pay $80.00")
	v.get(pay.link("Edit cart")).want(200, "Your booking", "4 dates, Fri, Jun 12 to Jul 3", "Fri, Jun 26, 8:00 to 9:00 am", "$80.00",
		"Free cancellation until Thu, Jun 11, 8:00 am; after that you lose $80.00.", "Cancelling applies to the whole course").lacks("You can reschedule until it begins")
	receipt := v.get(pay.path()).pay(apptest.CardGood).follow().want(200, "You’re booked", "4 dates, Fri, Jun 12 to Jul 3", "Fri, Jun 19, 8:00 to 9:00 am", "1 course", "$80.00")
	file := v.get(receipt.link("Add to calendar")).want(200)
	if n := strings.Count(file.Body, "BEGIN:VEVENT"); n != 4 {
		t.Errorf("%d events", n)
	}
	s.courseAfterwards(t, v, c)
}

// courseAfterwards checks a booked course that loses a date and is cancelled.
func (s *shop) courseAfterwards(t *testing.T, v *visitor, c class) {
	t.Helper()
	mine := v.get("/my").want(200, "Pottery for beginners", "4 dates, Fri 12 Jun to 3 Jul", "Free cancellation until Thu 11 Jun, 8:00; after that you lose $80.00.")
	if n := strings.Count(mine.Body, ">Pottery for beginners</h3>"); n != 1 {
		t.Errorf("it is there %d times", n)
	}
	path := mine.link("Details")
	s.SQL(t, "update bookings set state = 'studio_cancelled', cancelled_at = $2 where occurrence_id = $1", c.Dates[2].ID, s.Clock.Now())
	s.SQL(t, "update occurrences set state = 'cancelled', taken = 0, taken_online = 0 where id = $1", c.Dates[2].ID)
	s.SQL(t, `insert into booking_transitions (id, business_id, booking_id, from_state, to_state, actor_kind, surface, reason, created_at)
		select gen_random_uuid(), business_id, id, 'confirmed', 'studio_cancelled', 'system', 'job', 'cancelled_by_studio', $2 from bookings where occurrence_id = $1`, c.Dates[2].ID, s.Clock.Now())
	last := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where occurrence_id = $1", c.Dates[3].ID)
	for _, at := range []string{path, "/my/bookings/" + last.String()} {
		v.get(at).want(200, "Confirmed", "Fri, Jun 26, 8:00 to 9:00 am Cancelled by the studio", "Cancel").lacks("Reschedule")
		v.get(at+"/move").want(400, "This cannot be rescheduled here", "A course cannot be rescheduled:")
	}
	if file := v.get(path + "/calendar.ics").want(200); strings.Count(file.Body, "BEGIN:VEVENT") != 3 {
		t.Error(file.Body)
	}
	ask := v.get(path+"/cancel").want(200, "Cancel this course?", "All upcoming dates of the course", "3 dates, Fri, Jun 12 to Jul 3",
		"Your refund $80.00", "refundable until Thu, Jun 11, 8:00 am", "Cancel course")
	ask.form("/cancel").post().follow().want(200, "Cancelled", "Your booking is cancelled")
	if n := s.count(t, "bookings where state = 'cancelled'"); n != 3 {
		t.Errorf("%d are cancelled", n)
	}
	if n := s.count(t, "refunds where amount = 8000"); n != 1 {
		t.Errorf("%d refunds", n)
	}
	s.CheckBooks(t)
}

// The page of a course shows that it has begun, is full, or has ended; a customer who was too slow sees a message and
// has an empty cart.
func TestCourseThatCannotBeHad(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := s.course(t, 3, seats(1))
	s.Clock.Set(c.Dates[0].StartsAt.Add(time.Minute))
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	p := v.get("/harbour/pottery").want(200, "This course has started: 2 of 3 dates remain", "2 dates, Fri, Jun 19 to Jun 26", "1 spot left", "Book the course")
	_, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "guest@example.com"}, OccurrenceID: c.Dates[2].ID, Override: true, Reason: "a trial lesson",
	})
	if err != nil {
		t.Fatal(err)
	}
	p.form("/pottery").post().want(400, "This course has just filled up", "Some dates are full", "This course is full:")
	v.get("/harbour/pottery").want(200, "This course is full:", "8:00 to 9:00 am Full").lacks("Book the course")
	if n := s.count(t, "cart_items"); n != 0 {
		t.Errorf("%d items in the cart", n)
	}
	s.Clock.Set(c.Dates[2].StartsAt)
	v.get("/harbour/pottery").want(200, "This course has no upcoming dates", "This course cannot be booked online right now").lacks("Book the course")
	p.form("/pottery").post().want(400, "This cannot be booked")
}

// TestCourseInABrowser books a course on a phone, with script and without, by visible elements, and checks the
// accessibility of every page on the way.
func TestCourseInABrowser(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.course(t, 8)
			l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: noScript})
			look := func(page string) {
				t.Helper()
				l.fits()
				if !noScript {
					l.see(page)
				}
			}
			l.at("/" + s.Location.Slug).fits()
			l.Click("a.btn[href='/harbour/pottery']")
			look("course")
			l.Click("#book button")
			l.signIn("ana@example.com")
			l.Fill("#name", "Ana Ruiz")
			l.Click("main form button")
			if got := l.order().Text(".order"); !strings.Contains(got, "8 dates") {
				t.Fatalf("the order says %q", got)
			}
			look("pay-course")
			l.order().Click(".order .acts a")
			l.Click("summary")
			look("cart-course")
			l.Click("form[id=go] button")
			l.pays(apptest.CardGood)
			if got := l.Text(".items"); !strings.Contains(got, "8 dates") {
				t.Fatalf("the receipt says %q", got)
			}
			look("receipt-course")
			l.at("/my").Click(".booked .do a")
			look("booking-course")
			l.Click("a[href$='/cancel']")
			look("cancel-course")
			l.quiet()
			if n := s.count(t, "bookings where state = 'confirmed'"); n != 8 {
				t.Errorf("%d are booked", n)
			}
		})
	}
}
