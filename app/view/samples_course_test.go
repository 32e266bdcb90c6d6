package view_test

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"foyer/app/hosted/cart"
	"foyer/app/hosted/my"
	"foyer/app/hosted/studio"
	"foyer/app/view"
)

// weekly returns n dates from Tuesday 24 November on, a week each, with the given states.
func weekly(n int, states ...string) []view.CourseDate {
	var out []view.CourseDate
	for i := range n {
		d := view.CourseDate{Start: at(24, 18, 30).AddDate(0, 0, 7*i), Minutes: 90}
		if i < len(states) {
			d.State = states[i]
		}
		out = append(out, d)
	}
	return out
}

func pottery(dates []view.CourseDate) studio.Course {
	return studio.Course{
		Dates: dates, Total: len(dates), Spots: 3, Form: post("/harbour/pottery"), About: view.About{
			Name: "Pottery for beginners", Text: "From the first lump of clay to a glazed cup.\n\nClay and firing are included.", Price: price(24000), Minutes: 90,
			Who: "Ana Ruiz", Where: "Studio B",
			Policy: []string{"Cancel until 24 hours before the first date and the price is refunded. After that there is no refund.", "A course is cancelled as a whole, and cannot be rescheduled."}},
	}
}

// courses are the pages with special forms for courses.
func courses() map[string]templ.Component {
	sh := harbour()
	begun := pottery(weekly(5))
	begun.Total, begun.NeedsApproval = 8, true
	full := pottery(weekly(8, "", "Full"))
	full.Form, full.Note, full.Spots = view.Form{}, "This course is full: some of its dates have no spots left.", 0
	full.Trouble = &view.Trouble{Title: "This course has just filled up", Text: "Some dates are full. Nothing was booked."}
	over := pottery(nil)
	over.Form, over.Note = view.Form{}, "This course cannot be booked online right now."

	chosen := chosenCart()
	chosen.Lines[0].Name, chosen.Lines[0].Dates = "Pottery for beginners", weekly(8)
	chosen.Lines[1].Name, chosen.Lines[1].Dates, chosen.Lines[1].Gone = hostile, weekly(2), "This course is full now: not every date has a spot left."
	chosen.Form = view.Form{}
	bought := receipt()
	bought.Order.Lines[0].Dates = weekly(8, "", "", "Cancelled by the studio")
	listed := mine()
	listed.Upcoming[0].Dates = weekly(8)
	booked := my.Details{Stands: view.StandsWell, Line: view.Line{Name: "Pottery for beginners", Start: at(24, 18, 30), Minutes: 90, Where: "Studio B, with Ana Ruiz",
		State: "Confirmed", Dates: weekly(8, "Attended", "", "Cancelled by the studio"), Terms: []string{"Free cancellation until Mon 23 Nov, 18:30; after that you lose $160.00."}},
		Calendar: view.Calendar{File: "/my/bookings/1/calendar.ics"}, Cancel: "/my/bookings/1/cancel", CancelWord: "Cancel", Receipt: "/receipt/abc"}
	ask := my.Change{Title: "Cancel this course?", Line: view.Line{Name: "Pottery for beginners", Start: at(24, 18, 30), Minutes: 90, Dates: weekly(7)}, Form: post("/my/bookings/1/cancel"),
		Button: "Cancel course", Keep: view.Link{Text: "Keep it", Href: "/my/bookings/1"}, Points: []my.Outcome{
			{Label: "Dates cancelled", Text: "All upcoming dates of the course."},
			{Label: "Your refund", Amount: price(24000), Text: "To the card you paid with."}}}
	rows := schedule()
	rows.Days[0].Rows[0].Course, rows.Days[0].Rows[0].Action = true, view.ActionDetails
	paying := pay(cart.PayTest)
	paying.Order.Lines[0].Dates = weekly(8)
	return map[string]templ.Component{
		"course": studio.CoursePage(from(sh), pottery(weekly(8))), "course-begun": studio.CoursePage(sh, begun), "course-full": studio.CoursePage(sh, full),
		"course-over": studio.CoursePage(sh, over), "course-framed": studio.CoursePage(framed(sh), pottery(weekly(8))), "cart-course": cart.CartPage(sh, chosen),
		"pay-course": cart.PayPage(sh, paying), "receipt-course": cart.ReceiptPage(sh, bought), "my-bookings-course": my.BookingsPage(sh, listed),
		"booking-course": my.BookingPage(sh, booked), "cancel-course": my.ChangePage(sh, ask), "schedule-course": view.SchedulePage(sh, rows),
	}
}

func TestDatesInWords(t *testing.T) {
	t.Parallel()
	w := view.Words{Now: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)}
	us := w
	us.Locale = "en-US"
	for _, c := range []struct {
		words view.Words
		n     int
		want  string
	}{{w, 0, ""}, {w, 1, "1 date, Tue 24 Nov"}, {w, 2, "2 dates, Tue 24 Nov to 1 Dec"}, {w, 8, "8 dates, Tue 24 Nov to 12 Jan 2027"}, {us, 8, "8 dates, Tue, Nov 24 to Jan 12, 2027"}} {
		if got := c.words.Dates(weekly(c.n)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
