package cart

import (
	"cmp"
	"slices"

	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/letters"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// readReceipt reads the receipt in the path.
func (h *site) readReceipt(c *fiber.Ctx) (order.Receipt, error) {
	token := c.Params("token")
	tenant, found, err := h.Orders.FindReceipt(c.UserContext(), token)
	if err == nil && !found {
		err = fault.Missing()
	}
	if err != nil {
		return order.Receipt{}, err
	}
	return h.Orders.Receipt(c.UserContext(), tenancy.Visitor(tenancy.Principal{}, tenant, tenancy.SurfaceHosted), token)
}

// receipt shows the bookings and payments of a receipt to every bearer of its address. A215.
func (h *site) receipt(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	s, err := h.StudioOf(c, kit.Location{Tenant: r.BusinessID, Location: r.LocationID})
	if err != nil {
		return err
	}
	sh := h.ShellOf(c, s, cmp.Or(c.Query(view.FieldRef), r.Ref))
	path := "/receipt/" + c.Params("token")
	sh.Self = h.BaseURL + path
	v := view.ReceiptOf(sh.Words, r)
	if _, sh.Bar, err = h.CartBar(c, s, sh.Words); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Lines, func(l order.ReceiptLine) bool { return stillToCome(sh.Words, l) }) && !v.Off {
		v.Calendar = view.Calendar{File: path + "/calendar.ics", Add: letters.Links(letters.ReceiptEvents(sh.Words, r, h.BaseURL+path), sh.Now)}
	}
	return kit.Show(c, sh, ReceiptPage(sh, v))
}

// stillToCome reports whether a part of a receipt's line is in the future, so that a calendar file is useful.
func stillToCome(w view.Words, l order.ReceiptLine) bool {
	if len(l.Dates) > 0 {
		return slices.ContainsFunc(l.Dates, func(d booking.CourseDate) bool { return d.State == booking.Confirmed && w.Now.Before(d.StartsAt) })
	}
	return l.State == booking.Confirmed && w.Now.Before(l.StartsAt)
}

// calendar is the file behind "Add to calendar": an event for each seat of the receipt that stands, of a course for
// each date.
func (h *site) calendar(c *fiber.Ctx) error {
	r, err := h.readReceipt(c)
	if err != nil {
		return err
	}
	s, err := h.StudioOf(c, kit.Location{Tenant: r.BusinessID, Location: r.LocationID})
	if err != nil {
		return err
	}
	events := letters.ReceiptEvents(h.ShellOf(c, s, r.Ref).Words, r, h.BaseURL+"/receipt/"+c.Params("token"))
	if len(events) == 0 {
		return fault.Missing()
	}
	return h.SendCalendar(c, events)
}
