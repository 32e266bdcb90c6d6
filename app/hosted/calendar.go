package hosted

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
)

// calendar is the file behind "Add to calendar": an event for each seat of the receipt that stands, of a course for each date.
func (h *site) calendar(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	events := eventsOf(r, h.o.BaseURL+"/receipt/"+c.Params("token"))
	if len(events) == 0 {
		return fault.Missing()
	}
	return sendCalendar(c, h.o.BaseURL, events)
}

// bookingCalendar is the file of one booking.
func (h *site) bookingCalendar(c *fiber.Ctx, b *visit) error {
	if b.State != booking.Confirmed {
		return fault.Missing()
	}
	own := h.o.BaseURL + b.path("")
	dates := b.Dates
	if len(dates) == 0 {
		dates = []booking.CourseDate{{
			BookingID: b.ID, StartsAt: b.StartsAt, EndsAt: b.EndsAt, State: b.State, Instructor: b.Instructor, Space: b.Space,
			Version: b.Version, UpdatedAt: b.UpdatedAt,
		}}
	}
	var events []event
	for _, d := range dates {
		if d.State == booking.Confirmed {
			events = append(events, event{
				ID: d.BookingID, Start: d.StartsAt, End: d.EndsAt, Stamp: d.UpdatedAt, Sequence: d.Version, Label: b.OfferingName,
				Where: b.BusinessName + ", " + addressLine(b.Studio.Location.Address), Text: describe(d.Space, d.Instructor, own), URL: own,
			})
		}
	}
	return sendCalendar(c, h.o.BaseURL, events)
}

func sendCalendar(c *fiber.Ctx, base string, events []event) error {
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(calendarOf(events, base))
}

// event is one entry of a calendar. Its id is the booking's, so that adding it twice gives one entry, and Sequence rises
// with every change, so that the newer one wins.
type event struct {
	ID                      uuid.UUID
	Start, End, Stamp       time.Time
	Sequence                int64 // 0: left out
	Label, Where, Text, URL string
}

// eventsOf are the seats of a receipt that stand.
func eventsOf(r checkout.Receipt, receipt string) []event {
	var out []event
	for _, l := range r.Lines {
		dates := l.Dates
		if len(dates) == 0 {
			dates = []booking.CourseDate{{
				BookingID: l.BookingID, StartsAt: l.StartsAt, EndsAt: l.EndsAt, State: l.State, Instructor: l.Instructor, Space: l.Space,
			}}
		}
		for _, d := range dates {
			if d.State == booking.Confirmed {
				out = append(out, event{
					ID: d.BookingID, Start: d.StartsAt, End: d.EndsAt, Stamp: r.SettledAt, Label: l.Label, URL: receipt,
					Where: r.BusinessName + ", " + addressLine(r.Address), Text: describe(d.Space, d.Instructor, receipt),
				})
			}
		}
	}
	return out
}

// calendarOf writes the events (RFC 5545). Instants are in UTC, so that the file needs no time zone of its own.
func calendarOf(events []event, base string) string {
	const utc = "20060102T150405Z"
	host := base
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Foyer//Booking//EN", "METHOD:PUBLISH"}
	for _, e := range events {
		lines = append(lines, "BEGIN:VEVENT", "UID:"+e.ID.String()+"@"+host, "DTSTAMP:"+e.Stamp.UTC().Format(utc))
		if e.Sequence > 0 {
			lines = append(lines, "SEQUENCE:"+strconv.FormatInt(e.Sequence, 10))
		}
		lines = append(lines, "DTSTART:"+e.Start.UTC().Format(utc), "DTEND:"+e.End.UTC().Format(utc), "SUMMARY:"+escape(e.Label),
			"LOCATION:"+escape(strings.TrimSuffix(e.Where, ", ")), "DESCRIPTION:"+escape(e.Text), "URL:"+e.URL,
			"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:"+escape(e.Label), "TRIGGER:-PT2H", "END:VALARM", "END:VEVENT")
	}
	var b strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		b.WriteString(fold(line))
	}
	return b.String()
}

func describe(space, instructor, page string) string {
	return strings.TrimPrefix(whereWith(space, instructor)+"\n"+page, "\n")
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
