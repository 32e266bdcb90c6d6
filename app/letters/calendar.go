package letters

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/view"
)

// Event is one entry of a calendar: a booking, or one date of a course. Its id is the booking's, so that adding it
// twice yields one entry. The version rises with every change, so that the newer one wins. An event of a cancelled
// booking removes the entry.
type Event struct {
	ID                 uuid.UUID
	Version            int64
	State              booking.State
	Start, End         time.Time
	Zone               *time.Location // the wall clock of its location; nil: UTC
	Changed            time.Time      // when it got this version
	Studio             string         // name of the studio
	Name, Where, About string         // About may be empty
	Page               string         // absolute address of its page; may be empty
	Remind             bool           // two hours before it starts
	Course             bool           // one of several dates
}

// gone reports whether the entry is to be removed.
func (e Event) gone() bool { return status(e.State) == "CANCELLED" }

// Calendar returns the events as a calendar file (RFC 5545, 5546). It is the only writer of such files: pages, mails
// and the API use it. Times are on the wall clock of their location, and the file includes its changes, so that a
// calendar in another time zone shows the right hour. host is the product's host: with an event's id it makes a
// permanent one. A file with only cancelled events removes them from the calendar.
func Calendar(host string, events []Event) string {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Foyer//Booking//EN", "CALSCALE:GREGORIAN", "METHOD:" + method(events)}
	var told []string
	for i, e := range events {
		if name := zoneName(e.Zone); name != "" && !slices.Contains(told, name) {
			told = append(told, name)
			lines = append(lines, zoneLines(e.Zone, events[i:])...)
		}
	}
	for _, e := range events {
		lines = append(lines, e.lines(host)...)
	}
	var b strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		b.WriteString(fold(line))
	}
	return b.String()
}

func method(events []Event) string {
	if len(events) > 0 && !slices.ContainsFunc(events, func(e Event) bool { return !e.gone() }) {
		return "CANCEL"
	}
	return "PUBLISH"
}

func (e Event) lines(host string) []string {
	utc := func(t time.Time) string { return t.UTC().Format(utcStamp) }
	at := func(t time.Time) string {
		if name := zoneName(e.Zone); name != "" && !again(t, e.Zone) {
			return ";TZID=" + name + ":" + t.In(e.Zone).Format(wallStamp)
		}
		return ":" + utc(t)
	}
	lines := []string{
		"BEGIN:VEVENT", "UID:" + e.ID.String() + "@" + host, "SEQUENCE:" + strconv.FormatInt(e.Version, 10), "STATUS:" + status(e.State),
		"DTSTAMP:" + utc(e.Changed), "LAST-MODIFIED:" + utc(e.Changed), "DTSTART" + at(e.Start), "DTEND" + at(e.End),
		"SUMMARY:" + escape(e.Name), "LOCATION:" + escape(e.Where),
	}
	if e.Studio != "" { // the publisher of an event needs a name and a mail address; this one is never read
		lines = append(lines, "ORGANIZER;CN="+quoted(e.Studio)+":mailto:no-reply@"+host)
	}
	if e.About != "" {
		lines = append(lines, "DESCRIPTION:"+escape(e.About))
	}
	if e.Page != "" {
		lines = append(lines, "URL:"+e.Page)
	}
	if e.Remind && !e.gone() {
		lines = append(lines, "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:"+escape(e.Name), "TRIGGER:-PT2H", "END:VALARM")
	}
	return append(lines, "END:VEVENT")
}

// Files returns the attachments for a mail: one file for the standing part of a booking, with all dates of a course,
// and one for each removed event, because calendar programs process only the first removal in a file.
func Files(host string, events []Event) []mail.File {
	var out []mail.File
	var dates []Event
	add := func(list ...Event) {
		name := "booking.ics"
		if len(out) > 0 {
			name = "booking-" + strconv.Itoa(len(out)+1) + ".ics"
		}
		out = append(out, mail.File{Name: name, Type: "text/calendar; charset=utf-8; method=" + method(list), Body: Calendar(host, list)})
	}
	for _, e := range events {
		if e.Course && !e.gone() {
			dates = append(dates, e)
		} else {
			add(e)
		}
	}
	for len(dates) > 0 { // the dates of one course after the other
		of := slices.IndexFunc(dates, func(e Event) bool { return e.Name != dates[0].Name })
		if of < 0 {
			of = len(dates)
		}
		add(dates[:of]...)
		dates = dates[of:]
	}
	return out
}

// Links returns links for the upcoming events that stand. Each opens the form of a web calendar. A course has none:
// such a form accepts one date.
func Links(events []Event, now time.Time) []view.CalendarEntry {
	var out []view.CalendarEntry
	for _, e := range events {
		if !e.Course && !e.gone() && now.Before(e.Start) {
			out = append(out, view.CalendarEntry{Name: e.Name, Start: e.Start, Google: e.google(), Outlook: e.outlook()})
		}
	}
	return out
}

func (e Event) google() string {
	q := url.Values{
		"action": {"TEMPLATE"}, "text": {e.Name}, "location": {e.Where}, "details": {e.About},
		"dates": {e.Start.UTC().Format(utcStamp) + "/" + e.End.UTC().Format(utcStamp)},
	}
	if name := zoneName(e.Zone); name != "" {
		q.Set("ctz", name)
	}
	return "https://calendar.google.com/calendar/render?" + q.Encode()
}

func (e Event) outlook() string {
	q := url.Values{
		"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {e.Name}, "location": {e.Where}, "body": {e.About},
		"startdt": {e.Start.UTC().Format(time.RFC3339)}, "enddt": {e.End.UTC().Format(time.RFC3339)},
	}
	// It shows a plus as a plus, so a space must not be written as one.
	return "https://outlook.live.com/calendar/0/deeplink/compose?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// EventsOf returns the entries of a booking: one, and of a course one for each date, in every state.
func EventsOf(v booking.CustomerBooking) []Event {
	dates := datesOf(v)
	var out []Event
	for _, d := range dates {
		e := eventOf(d, v.Zone, len(v.Dates) > 0)
		e.Studio, e.Name, e.Where = v.BusinessName, v.OfferingName, joined(", ", v.BusinessName, v.LocationName)
		e.About = joined("\n", d.Instructor, d.Space, v.Attendee)
		out = append(out, e)
	}
	return out
}

// StandingEvents returns the entries of the standing part of a booking, for the owner of the given page.
func StandingEvents(w view.Words, v booking.CustomerBooking, address, page string) []Event {
	return standing(w, datesOf(v), Event{
		Studio: v.BusinessName, Name: v.OfferingName, Where: joined(", ", v.BusinessName, address), Page: page, Course: len(v.Dates) > 0,
	}, v.Zone)
}

// ReceiptEvents returns the entries of the seats of a receipt that stand: of a course one for each date, and one for
// all people of a date.
func ReceiptEvents(w view.Words, r order.Receipt, page string) []Event {
	var out []Event
	told := map[uuid.UUID]bool{}
	for _, l := range r.Lines {
		if told[l.OccurrenceID] || l.StartsAt.IsZero() {
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
		out = append(out, standing(w, dates, Event{
			Studio: r.BusinessName, Name: l.Label, Where: joined(", ", r.BusinessName, view.AddressLine(r.Address)), Page: page, Course: len(l.Dates) > 0,
		}, r.Zone)...)
	}
	return out
}

// datesOf are the dates of a booking: those of a course, or the one.
func datesOf(v booking.CustomerBooking) []booking.CourseDate {
	if len(v.Dates) > 0 {
		return v.Dates
	}
	return []booking.CourseDate{dateOf(v)}
}

// dateOf is a booking as the one date that it is.
func dateOf(v booking.CustomerBooking) booking.CourseDate {
	return booking.CourseDate{
		BookingID: v.ID, StartsAt: v.StartsAt, EndsAt: v.EndsAt, State: v.State, Instructor: v.Instructor, Space: v.Space,
		Version: v.Version, UpdatedAt: v.UpdatedAt,
	}
}

// standing are the confirmed ones, each with its page and a reminder.
func standing(w view.Words, dates []booking.CourseDate, of Event, zone string) []Event {
	var out []Event
	for _, d := range dates {
		if d.State != booking.Confirmed {
			continue
		}
		e := eventOf(d, zone, of.Course)
		e.Studio, e.Name, e.Where, e.About = of.Studio, of.Name, of.Where, joined("\n", w.WhereWith(d.Space, d.Instructor), of.Page)
		e.Page, e.Remind = of.Page, true
		out = append(out, e)
	}
	return out
}

func eventOf(d booking.CourseDate, zone string, course bool) Event {
	return Event{
		ID: d.BookingID, Version: d.Version, State: d.State, Start: d.StartsAt, End: d.EndsAt, Zone: civil.ZoneOrUTC(zone), Changed: d.UpdatedAt,
		Course: course,
	}
}

// status is the status in the calendar: a request is tentative.
func status(s booking.State) string {
	switch {
	case s == booking.Requested:
		return "TENTATIVE"
	case booking.TakesSeat(s):
		return "CONFIRMED"
	}
	return "CANCELLED"
}

// joined joins the parts that are not empty, each once.
func joined(by string, parts ...string) string {
	return strings.Join(slices.Compact(view.NonEmpty(parts...)), by)
}

// escape writes text as a value.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(s)
}

// quoted writes text as a parameter, without quotation marks and line breaks.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`"`, "'", "\r", "", "\n", " ").Replace(s) + `"`
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
