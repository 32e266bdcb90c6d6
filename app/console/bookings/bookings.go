// Package bookings is the list of bookings, one booking with its actions, and the forms for new bookings.
package bookings

import (
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listBookings", "/bookings", s.list)
	d.Views("listBookings", business.ScreenBookings)
	d.Form("bulkCheckIn", "/bookings/check-in", desk.Form{Do: s.checkInMany})
	d.Form("bulkCancel", "/bookings/chosen", desk.Form{Do: s.chosen})
	d.Page("bulkCancel", "/bookings/cancel", s.askMany)
	d.Form("bulkCancel", "/bookings/cancel", desk.Form{Do: s.cancelMany, Show: s.askMany, Inputs: []string{"reason", "by", "feeMode"}})
	d.Page("listFees", "/bookings/fees", s.fees)
	d.Page("createBooking", "/bookings/new", s.new)
	d.Form("createBooking", "/bookings/new", desk.Form{Do: s.make, Show: s.new, Inputs: []string{"party", "attendee", "note", "reason"}})
	d.Form("createCustomer", "/bookings/new/customer", desk.Form{Do: s.newCustomer, Show: s.asked, Inputs: []string{"name", "email", "phone"}})
	d.Page("createRecurringBooking", "/bookings/recurring", s.recurring)
	d.Form("createRecurringBooking", "/bookings/recurring", desk.Form{Do: s.makeRecurring, Show: s.recurring, Inputs: recurringFields})
	d.Page("getBooking", "/bookings/:booking", s.booking)
	for _, a := range s.attendance() {
		d.Form(a.op, "/bookings/:booking"+a.path, desk.Form{Do: a.do})
	}
	d.Form("approveBooking", "/bookings/:booking/approve", desk.Form{Do: s.approve, Show: s.askApprove, Inputs: []string{"reason"}})
	d.Page("approveBooking", "/bookings/:booking/approve", s.askApprove)
	d.Page("declineBooking", "/bookings/:booking/decline", s.askDecline)
	d.Form("declineBooking", "/bookings/:booking/decline", desk.Form{Do: s.decline, Show: s.askDecline, Inputs: []string{"reason"}})
	d.Page("cancelBooking", "/bookings/:booking/cancel", s.askCancel)
	d.Form("cancelBooking", "/bookings/:booking/cancel", desk.Form{Do: s.cancel, Show: s.askCancel, Inputs: []string{"reason", "by", "feeMode", "scope"}})
	d.Page("rescheduleBooking", "/bookings/:booking/move", s.askMove)
	d.Form("rescheduleBooking", "/bookings/:booking/move", desk.Form{Do: s.move, Show: s.askMove, Inputs: []string{"reason"}})
	d.Page("updateBooking", "/bookings/:booking/edit", s.askEdit)
	d.Form("updateBooking", "/bookings/:booking/edit", desk.Form{Do: s.edit, Show: s.askEdit,
		Inputs: []string{"note", "attendee", "party", "difference", "reason"}})
	d.Page("createSale", "/bookings/:booking/take", s.askTake)
	d.Form("createSale", "/bookings/:booking/take", desk.Form{Do: s.take, Show: s.askTake, Inputs: takeInputs})
	d.Form("findGiftCard", "/bookings/:booking/take/gift-card", desk.Form{
		Do: s.useGiftCard, Show: s.askTake, Inputs: takeInputs,
	})
	d.Page("collectCustomerBalance", "/bookings/:booking/charge", s.askCharge)
	d.Form("collectCustomerBalance", "/bookings/:booking/charge", desk.Form{Do: s.charge, Show: s.askCharge})
	d.Page("waiveFee", "/bookings/:booking/waive", s.askWaive)
	d.Form("waiveFee", "/bookings/:booking/waive", desk.Form{Do: s.waive, Show: s.askWaive, Inputs: []string{"reason"}})
}

// path returns the address of a booking, or of a page of it.
func path(b booking.StudioBooking, more string) string { return "/bookings/" + b.ID.String() + more }

// wordsAt returns the screen's words in the time zone of a booking.
func wordsAt(c *desk.Call, zone string) view.Words {
	w := c.UI.Words
	w.Zone = civil.ZoneOrUTC(zone)
	return w
}

func who(sh ui.Shell, b booking.StudioBooking) string {
	return ui.Who(sh, b.Attendee, b.CustomerName, b.CustomerEmail)
}

// called returns the customer of a booking, in a sentence.
func called(sh ui.Shell, b booking.StudioBooking) string {
	return ui.Who(sh, "", b.CustomerName, b.CustomerEmail)
}

// up returns the link back to a booking.
func up(c *desk.Call, b booking.StudioBooking) *view.Link {
	return &view.Link{Text: who(c.UI, b), Href: c.To(path(b, ""))}
}

// find reads the booking of the address.
func (s *screens) find(c *desk.Call) (booking.StudioBooking, error) {
	id, err := c.ID("booking")
	if err != nil {
		return booking.StudioBooking{}, err
	}
	return s.Booking.Get(c.Context(), c.Scope, id)
}

// mayOverride reports whether the caller can override rules at some location.
func mayOverride(c *desk.Call) bool { return c.Scope.Grants.Any(policy.BookingOverride) }
