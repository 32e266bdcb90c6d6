package hosted

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/letters"
	"foyer/app/view"
)

// calendar is the file behind "Add to calendar": an event for each seat of the receipt that stands, of a course for each date.
func (h *site) calendar(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	events := letters.ReceiptEvents(r, h.o.BaseURL+"/receipt/"+c.Params("token"))
	if len(events) == 0 {
		return fault.Missing()
	}
	return h.sendCalendar(c, events)
}

// bookingCalendar is the file of one booking.
func (h *site) bookingCalendar(c *fiber.Ctx, b *visit) error {
	if b.State != booking.Confirmed {
		return fault.Missing()
	}
	return h.sendCalendar(c, letters.StandingEvents(b.CustomerBooking, view.AddressLine(b.Studio.Location.Address), h.o.BaseURL+b.path("")))
}

func (h *site) sendCalendar(c *fiber.Ctx, events []letters.Event) error {
	c.Response().Header.SetContentType("text/calendar; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="booking.ics"`)
	return c.SendString(letters.Calendar(h.Host(), events))
}
