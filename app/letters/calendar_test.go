package letters_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

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
	v.Zone = "America/New_York"
	file := letters.Calendar("book.example.org", letters.EventsOf(v))
	for _, want := range []string{
		"BEGIN:VCALENDAR\r\n", "UID:0190a1b2-0000-7000-8000-000000000001@book.example.org\r\n", "SEQUENCE:3\r\n", "STATUS:CONFIRMED\r\n",
		"DTSTART;TZID=America/New_York:20260610T080000\r\n", "DTEND;TZID=America/New_York:20260610T090000\r\n",
		"METHOD:PUBLISH\r\n", "ORGANIZER;CN=\"Harbour Yoga\":mailto:no-reply@book.example.org\r\n", "BEGIN:DAYLIGHT\r\nDTSTART:20260308T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nTZNAME:EDT\r\n", "DTSTAMP:20260610T110000Z\r\n",
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
		file := letters.Calendar("x", letters.EventsOf(v))
		if !strings.Contains(file, "STATUS:"+want+"\r\n") {
			t.Errorf("%s is not %s", state, want)
		}
		if strings.Contains(file, "METHOD:CANCEL\r\n") != (want == "CANCELLED") {
			t.Errorf("%s: %s", state, file)
		}
	}
}

// TestCalendarZones reads the time zone of a file as a calendar does: each event is at its instant, whatever the
// clock changes of the country, also in the hour that comes twice.
func TestCalendarZones(t *testing.T) {
	zones := []string{"America/New_York", "Europe/London", "Europe/Dublin", "Australia/Sydney", "Australia/Lord_Howe", "America/Santiago",
		"Africa/Casablanca", "Asia/Tokyo", "Asia/Kathmandu", "UTC"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		var events []letters.Event
		for range rapid.IntRange(1, 3).Draw(t, "events") {
			at := time.Unix(rapid.Int64Range(1767225600, 1924992000).Draw(t, "at")/900*900, 0).In(zone) // 2026 to 2030
			if _, ends := at.ZoneBounds(); !ends.IsZero() && rapid.Bool().Draw(t, "near a change") {
				at = ends.Add(time.Duration(rapid.IntRange(-12, 12).Draw(t, "quarters of an hour")) * 15 * time.Minute)
			}
			events = append(events, letters.Event{ID: uuid.New(), State: booking.Confirmed, Start: at, End: at.Add(time.Hour), Zone: zone, Name: "x"})
		}
		file := letters.Calendar("x", events)
		for _, e := range events {
			_, rest, _ := strings.Cut(file, "UID:"+e.ID.String())
			got := readStart(t, file, rest)
			if !got.Equal(e.Start) {
				t.Fatalf("%s is read as %s\n%s", e.Start.UTC(), got.UTC(), file)
			}
		}
	})
}

// readStart is when the first event of rest begins, by the rules of RFC 5545: the offset is that of the stretch of
// time which began last before it on the wall clock, and a time that comes twice is the first of the two.
func readStart(t *rapid.T, file, rest string) time.Time {
	_, rest, _ = strings.Cut(rest, "DTSTART")
	value, _, _ := strings.Cut(rest, "\r\n")
	if utc, ok := strings.CutPrefix(value, ":"); ok {
		at, err := time.Parse("20060102T150405Z", utc)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	_, wall, _ := strings.Cut(value, ":")
	local, err := time.Parse("20060102T150405", wall)
	if err != nil {
		t.Fatal(err)
	}
	zone, _, _ := strings.Cut(file, "END:VTIMEZONE")
	var begins time.Time
	offset := ""
	for _, part := range strings.Split(zone, "DTSTART:")[1:] {
		from, err := time.Parse("20060102T150405", part[:15])
		if err != nil {
			t.Fatal(err)
		}
		if !from.After(local) && !from.Before(begins) {
			begins = from // on the clock of before: of an hour that comes twice the first is left by then
			_, offset, _ = strings.Cut(part, "TZOFFSETTO:")
		}
	}
	return local.Add(-span(t, offset[:5]))
}

func span(t *rapid.T, offset string) time.Duration {
	at, err := time.Parse("-0700", offset)
	if err != nil {
		t.Fatal(err)
	}
	_, seconds := at.Zone()
	return time.Duration(seconds) * time.Second
}

// TestCalendarLinks open forms that are filled in, with instants and no wall clock to be mistaken.
func TestCalendarLinks(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	e := letters.Event{Name: "Yoga & more + tea", Where: "12 Quay Street", About: "With Ana", Start: apptest.Start, End: apptest.Start.Add(time.Hour),
		Zone: zone, State: booking.Confirmed}
	gone, course, past := e, e, e
	gone.State, course.Course, past.Start = booking.Cancelled, true, apptest.Start.Add(-time.Hour)
	got := letters.Links([]letters.Event{e, gone, course, past}, apptest.Start.Add(-time.Minute))
	if len(got) != 1 || strings.Contains(got[0].Outlook, "+") {
		t.Fatalf("%+v", got)
	}
	google, err := url.Parse(got[0].Google)
	if err != nil || google.Query().Get("text") != e.Name || google.Query().Get("dates") != "20260610T120000Z/20260610T130000Z" ||
		google.Query().Get("ctz") != "Europe/Lisbon" || google.Query().Get("location") != e.Where {
		t.Errorf("%s (%v)", got[0].Google, err)
	}
	outlook, err := url.Parse(got[0].Outlook)
	if err != nil || outlook.Query().Get("subject") != e.Name || outlook.Query().Get("startdt") != "2026-06-10T12:00:00Z" || outlook.Query().Get("enddt") != "2026-06-10T13:00:00Z" {
		t.Errorf("%s (%v)", got[0].Outlook, err)
	}
}
