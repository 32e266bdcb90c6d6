package hosted

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
)

// calendar is the file behind "Add to calendar": an event for each seat of the receipt that stands.
func (h *site) calendar(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	body := calendarOf(r, h.o.BaseURL, h.o.BaseURL+"/receipt/"+c.Params("token"))
	if body == "" {
		return fault.Missing()
	}
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(body)
}

// calendarOf writes the events (RFC 5545); empty without any. Instants are in UTC, so that the file needs no time zone of
// its own. The id of an event is the booking's: adding it twice gives one event.
func calendarOf(r checkout.Receipt, base, receipt string) string {
	const utc = "20060102T150405Z"
	host := base
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	where := strings.TrimSuffix(r.BusinessName+", "+addressLine(r.Address), ", ")
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Foyer//Booking//EN", "METHOD:PUBLISH"}
	head := len(lines)
	for _, l := range r.Lines {
		if l.State != booking.Confirmed {
			continue
		}
		lines = append(lines, "BEGIN:VEVENT", "UID:"+l.BookingID.String()+"@"+host, "DTSTAMP:"+r.SettledAt.Format(utc),
			"DTSTART:"+l.StartsAt.UTC().Format(utc), "DTEND:"+l.EndsAt.UTC().Format(utc), "SUMMARY:"+escape(l.Label),
			"LOCATION:"+escape(where), "DESCRIPTION:"+escape(describe(l.Space, l.Instructor, receipt)), "URL:"+receipt,
			"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:"+escape(l.Label), "TRIGGER:-PT2H", "END:VALARM", "END:VEVENT")
	}
	if len(lines) == head {
		return ""
	}
	var b strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		b.WriteString(fold(line))
	}
	return b.String()
}

func describe(space, instructor, receipt string) string {
	return strings.TrimPrefix(whereWith(space, instructor)+"\n"+receipt, "\n")
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
