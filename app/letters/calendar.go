package letters

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/view"
)

// Event is one entry of a calendar: a booking, or one date of a course. Its id is the booking's, so that adding it twice
// gives one entry; the version rises with every change, so that the newer one wins; and one of a cancelled booking takes
// the entry out.
type Event struct {
	ID                 uuid.UUID
	Version            int64
	State              booking.State
	Start, End         time.Time
	Changed            time.Time // when it got this version
	Name, Where, About string    // About may be empty
	Page               string    // absolute address of what it is about; empty without one
	Remind             bool      // two hours before it starts
}

// Calendar writes the events as a calendar file (RFC 5545). Instants are in UTC, so that the file needs no time zone of its
// own. host is where the product lives: with an event's id it makes one that never changes.
func Calendar(host string, events []Event) string {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Foyer//Booking//EN", "METHOD:PUBLISH"}
	for _, e := range events {
		lines = append(lines, e.lines(host)...)
	}
	var b strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		b.WriteString(fold(line))
	}
	return b.String()
}

func (e Event) lines(host string) []string {
	at := func(t time.Time) string { return t.UTC().Format("20060102T150405Z") }
	lines := []string{
		"BEGIN:VEVENT", "UID:" + e.ID.String() + "@" + host, "SEQUENCE:" + strconv.FormatInt(e.Version, 10), "STATUS:" + status(e.State),
		"DTSTAMP:" + at(e.Changed), "LAST-MODIFIED:" + at(e.Changed), "DTSTART:" + at(e.Start), "DTEND:" + at(e.End),
		"SUMMARY:" + escape(e.Name), "LOCATION:" + escape(e.Where),
	}
	if e.About != "" {
		lines = append(lines, "DESCRIPTION:"+escape(e.About))
	}
	if e.Page != "" {
		lines = append(lines, "URL:"+e.Page)
	}
	if e.Remind {
		lines = append(lines, "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:"+escape(e.Name), "TRIGGER:-PT2H", "END:VALARM")
	}
	return append(lines, "END:VEVENT")
}

// EventsOf are the entries of a booking: one, and of a course one for each date, in whatever state they are.
func EventsOf(v booking.CustomerBooking) []Event {
	var out []Event
	for _, d := range datesOf(v) {
		e := eventOf(d)
		e.Name, e.Where = v.OfferingName, joined(", ", v.BusinessName, v.LocationName)
		e.About = joined("\n", d.Instructor, d.Space, v.Attendee)
		out = append(out, e)
	}
	return out
}

// StandingEvents are the entries of what stands of a booking, for the person whose page of it this is.
func StandingEvents(v booking.CustomerBooking, address, page string) []Event {
	return standing(datesOf(v), v.OfferingName, joined(", ", v.BusinessName, address), page)
}

// ReceiptEvents are the entries of the seats of a receipt that stand: of a course one for each date, and one for all who come
// together.
func ReceiptEvents(r checkout.Receipt, page string) []Event {
	var out []Event
	told := map[uuid.UUID]bool{}
	for _, l := range r.Lines {
		if told[l.OccurrenceID] {
			continue
		}
		told[l.OccurrenceID] = l.State == booking.Confirmed
		dates := l.Dates
		if len(dates) == 0 {
			dates = []booking.CourseDate{{
				BookingID: l.BookingID, StartsAt: l.StartsAt, EndsAt: l.EndsAt, State: l.State, Instructor: l.Instructor, Space: l.Space,
				Version: l.Version, UpdatedAt: l.UpdatedAt,
			}}
		}
		out = append(out, standing(dates, l.Label, joined(", ", r.BusinessName, view.AddressLine(r.Address)), page)...)
	}
	return out
}

// datesOf are the dates of a booking: those of a course, or the one.
func datesOf(v booking.CustomerBooking) []booking.CourseDate {
	if len(v.Dates) > 0 {
		return v.Dates
	}
	return []booking.CourseDate{{
		BookingID: v.ID, StartsAt: v.StartsAt, EndsAt: v.EndsAt, State: v.State, Instructor: v.Instructor, Space: v.Space,
		Version: v.Version, UpdatedAt: v.UpdatedAt,
	}}
}

// standing are the confirmed ones, each with the page where more is said and a reminder.
func standing(dates []booking.CourseDate, name, where, page string) []Event {
	var out []Event
	for _, d := range dates {
		if d.State != booking.Confirmed {
			continue
		}
		e := eventOf(d)
		e.Name, e.Where, e.About = name, where, joined("\n", view.WhereWith(d.Space, d.Instructor), page)
		e.Page, e.Remind = page, true
		out = append(out, e)
	}
	return out
}

func eventOf(d booking.CourseDate) Event {
	return Event{ID: d.BookingID, Version: d.Version, State: d.State, Start: d.StartsAt, End: d.EndsAt, Changed: d.UpdatedAt}
}

// status is what the calendar shows: a request is tentative.
func status(s booking.State) string {
	switch {
	case s == booking.Requested:
		return "TENTATIVE"
	case booking.TakesSeat(s):
		return "CONFIRMED"
	}
	return "CANCELLED"
}

// joined joins the parts that say something, each once.
func joined(by string, parts ...string) string {
	return strings.Join(slices.Compact(view.Said(parts...)), by)
}

// escape writes text as a value.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(s)
}

// fold breaks a line after 75 bytes at the most, and not inside a character.
func fold(line string) string {
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
