package booking

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ICalendar writes the booking as a calendar file with one event, and one for each date of a course (RFC 5545). Instants are in
// UTC, so that the file needs no time zone of its own. host is where the product lives: with the booking's id it makes an id of
// the event that never changes, so a file that is added again changes the event, by its sequence, and one of a cancelled
// booking takes it out.
func (v CustomerBooking) ICalendar(host string) string {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Foyer//Booking//EN", "METHOD:PUBLISH"}
	for _, d := range v.each() {
		lines = append(lines, v.event(d, host)...)
	}
	var b strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		b.WriteString(icsFold(line))
	}
	return b.String()
}

// each are the dates of the booking: those of a course, or the one.
func (v CustomerBooking) each() []CourseDate {
	if len(v.Dates) > 0 {
		return v.Dates
	}
	return []CourseDate{{
		BookingID: v.ID, OccurrenceID: v.OccurrenceID, StartsAt: v.StartsAt, EndsAt: v.EndsAt, State: v.State, Instructor: v.Instructor,
		Space: v.Space, Version: v.Version, UpdatedAt: v.UpdatedAt,
	}}
}

func (v CustomerBooking) event(d CourseDate, host string) []string {
	const utc = "20060102T150405Z"
	at := func(t time.Time) string { return t.UTC().Format(utc) }
	lines := []string{
		"BEGIN:VEVENT", "UID:" + d.BookingID.String() + "@" + host, "SEQUENCE:" + strconv.FormatInt(d.Version, 10), "STATUS:" + icsStatus(d.State),
		"DTSTAMP:" + at(d.UpdatedAt), "LAST-MODIFIED:" + at(d.UpdatedAt), "DTSTART:" + at(d.StartsAt), "DTEND:" + at(d.EndsAt),
		"SUMMARY:" + icsText(v.OfferingName), "LOCATION:" + icsText(joined(", ", v.BusinessName, v.LocationName)),
	}
	if about := joined("\n", d.Instructor, d.Space, v.Attendee); about != "" {
		lines = append(lines, "DESCRIPTION:"+icsText(about))
	}
	return append(lines, "END:VEVENT")
}

// icsStatus is what the calendar shows: a request is tentative.
func icsStatus(s State) string {
	switch {
	case s == Requested:
		return "TENTATIVE"
	case TakesSeat(s):
		return "CONFIRMED"
	}
	return "CANCELLED"
}

// joined joins the parts that say something, each once.
func joined(by string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" && (len(said) == 0 || said[len(said)-1] != p) {
			said = append(said, p)
		}
	}
	return strings.Join(said, by)
}

// icsText writes text as a value.
func icsText(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(s)
}

// icsFold breaks a line after 75 bytes at the most, and not inside a character.
func icsFold(line string) string {
	const most = 75
	var b strings.Builder
	for room := most; len(line) > room; room = most - 1 {
		n := room
		for !utf8.RuneStart(line[n]) {
			n--
		}
		b.WriteString(line[:n] + "\r\n ")
		line = line[n:]
	}
	return b.String() + line + "\r\n"
}
