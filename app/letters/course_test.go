package letters_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/order"
)

// A letter about a course names all of its dates, and one about a single date mentions that the others stand.
func TestCourseLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	nine := time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC)
	var dates []booking.CourseDate
	for i := range 4 {
		start := nine.AddDate(0, 0, 7*i)
		dates = append(dates, booking.CourseDate{StartsAt: start, EndsAt: start.Add(time.Hour), State: booking.Confirmed})
	}
	receipt := order.Receipt{
		State: order.Fulfilled, BusinessName: "Harbour Yoga", Zone: "America/New_York", Address: business.Address{Country: "US"},
		Totals: order.Totals{Currency: "USD", SubtotalAmount: 8000, TotalAmount: 8000},
		Lines: []order.ReceiptLine{{Kind: order.Class, OfferingKind: catalog.Class, Quantity: 1,
			Label: "Pottery", StartsAt: nine, EndsAt: nine.Add(time.Hour),
			ListedAmount: 8000,
			State:        booking.Confirmed, Rules: catalog.StandardRules(), Dates: dates}},
	}
	late := receipt
	late.State = order.Refunded
	told := func(what booking.NoticeKind, state booking.State, course bool) mail.Message {
		n := notice.Notice{Kind: what, To: "ana@example.com", Locale: "en", Address: business.Address{Country: "US"}, Course: course, Booking: booking.CustomerBooking{
			BusinessName: "Harbour Yoga", Shown: booking.Shown{
				Booking:      booking.Booking{StartsAt: nine, EndsAt: nine.Add(time.Hour), Currency: "USD", State: state, CourseFrom: &nine},
				LocationName: "Harbour", Zone: "America/New_York", Kind: catalog.Class, OfferingName: "Pottery",
			},
		}}
		for i, d := range dates {
			if d.State = state; i == 0 && course {
				d.State = booking.Completed // it was, before the others were cancelled
			}
			n.Booking.Dates = append(n.Booking.Dates, d)
		}
		return w.Notice(n)
	}
	for name, c := range map[string]struct {
		mail mail.Message
		want []string
	}{
		"booked": {w.Booked(order.Confirmation{To: "ana@example.com", Locale: "en", Receipt: receipt, Token: "tok"}),
			[]string{"Pottery\n4 dates, Thu, Jun 11 to Jul 2\nThu, Jun 11, 9:00 to 10:00 am\nThu, Jun 18, 9:00", "1 course: $80.00", "Cancelling applies to the whole course."}},
		"refunded":  {w.Refunded(order.LateRefund{To: "ana@example.com", Locale: "en", Amount: 8000, Currency: "USD", Receipt: late}), []string{"For Pottery, 4 dates, Thu, Jun 11 to Jul 2."}},
		"cancelled": {told(booking.ToldCancelled, booking.Cancelled, true), []string{"Pottery\n3 dates, Thu, Jun 18 to Jul 2\nThu, Jun 18, 9:00 to 10:00 am\n"}},
		"one date":  {told(booking.ToldStudioCancelled, booking.StudioCancelled, false), []string{"Pottery\nThursday, June 11, 9:00 to 10:00 am", "This applies to one date of your course."}},
		"restored":  {told(booking.ToldRestored, booking.StudioCancelled, false), []string{"To attend, contact the studio"}},
	} {
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
			if first, _, _ := strings.Cut(want, "\n"); name != "booked" && !strings.Contains(strings.ReplaceAll(c.mail.HTML, "\u00a0", " "), first) {
				t.Errorf("%s: the page lacks %q", name, first)
			}
		}
	}
	if got := w.Booked(order.Confirmation{Locale: "en", Receipt: receipt}).Subject; got != "You’re booked: Pottery, 4 dates, Thu, Jun 11 to Jul 2" {
		t.Errorf("subject %q", got)
	}
}
