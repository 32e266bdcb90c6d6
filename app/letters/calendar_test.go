package letters_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/letters"
)

// A calendar file: the id stays, the sequence grows, the status follows; nothing in a name can break out of its line.
func TestICalendar(t *testing.T) {
	v := booking.CustomerBooking{
		BusinessName: "Harbour Yoga",
		Shown: booking.Shown{
			Booking: booking.Booking{
				ID: uuid.MustParse("0190a1b2-0000-7000-8000-000000000001"), State: booking.Confirmed, Version: 3,
				StartsAt: apptest.Start, EndsAt: apptest.Start.Add(time.Hour), UpdatedAt: apptest.Start.Add(-time.Hour),
			},
			LocationName: "Harbour", OfferingName: "Flow; slow,\r\nBEGIN:VEVENT " + strings.Repeat("ü", 80), Instructor: "Ana",
		},
	}
	file := letters.Calendar("book.example.org", letters.EventsOf(v))
	for _, want := range []string{
		"BEGIN:VCALENDAR\r\n", "UID:0190a1b2-0000-7000-8000-000000000001@book.example.org\r\n", "SEQUENCE:3\r\n", "STATUS:CONFIRMED\r\n",
		"DTSTART:20260610T120000Z\r\n", "DTEND:20260610T130000Z\r\n", "DTSTAMP:20260610T110000Z\r\n",
		`SUMMARY:Flow\; slow\,\nBEGIN:VEVENT `, "LOCATION:Harbour Yoga\\, Harbour\r\n", "DESCRIPTION:Ana\r\n", "END:VCALENDAR\r\n",
	} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in\n%s", want, file)
		}
	}
	if n := strings.Count(file, "\r\nBEGIN:VEVENT\r\n"); n != 1 {
		t.Errorf("%d events", n)
	}
	for line := range strings.SplitSeq(file, "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !strings.HasPrefix(line, " ") && strings.Contains(line, "\x00") {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	for state, want := range map[booking.State]string{
		booking.Requested: "TENTATIVE", booking.CheckedIn: "CONFIRMED", booking.Completed: "CONFIRMED", booking.Cancelled: "CANCELLED",
		booking.LateCancelled: "CANCELLED", booking.StudioCancelled: "CANCELLED", booking.Declined: "CANCELLED",
	} {
		v.State = state
		if !strings.Contains(letters.Calendar("x", letters.EventsOf(v)), "STATUS:"+want+"\r\n") {
			t.Errorf("%s is not %s", state, want)
		}
	}
}
