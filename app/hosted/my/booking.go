package my

import (
	"cmp"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/letters"
	"foyer/app/view"
)

// myBooking is one booking of the signed-in person, with its studio.
type myBooking struct {
	kit.StudioPage
	booking.CustomerBooking
}

// mine runs a page of one's own booking. A visitor signs in first; another person's booking is not found.
func (h *site) mine(run func(c *fiber.Ctx, b *myBooking) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p, err := h.Person(c)
		if err != nil {
			return err
		}
		id, err := uuid.Parse(c.Params("booking"))
		if err != nil {
			return fault.Missing()
		}
		if p.Person() == uuid.Nil {
			return h.SignInFirst(c, "/my/bookings/"+id.String())
		}
		b := &myBooking{}
		if b.CustomerBooking, err = h.Booking.MyBooking(c.UserContext(), p, id); err != nil {
			return err
		}
		if b.StudioPage, err = h.PageIn(c, kit.Location{Tenant: b.BusinessID, Location: b.LocationID}); err != nil {
			return err
		}
		b.Shell.Mine = "/my"
		return run(c, b)
	}
}

// stake returns the basis for the cost of cancelling the booking.
func (b *myBooking) stake(c *fiber.Ctx) (booking.CostBasis, error) {
	all, err := b.Site.CostBases(c, []booking.CustomerBooking{b.CustomerBooking})
	return all[b.ID], err
}

// path is an address of this booking: "" for its page, "/cancel" for the page to confirm cancelling.
func (b *myBooking) path(step string) string { return "/my/bookings/" + b.ID.String() + step }

// The last action on a booking, in the address of its page.
const (
	doneCancelled = "cancelled"
	doneMoved     = "moved"
)

// showBooking is the page of one booking. ?done= names the action to confirm.
func (h *site) showBooking(c *fiber.Ctx, b *myBooking) error {
	var notes []string
	switch done := c.Query("done"); {
	case done == doneCancelled && (b.State == booking.Cancelled || b.State == booking.LateCancelled):
		notes = append(notes, b.Shell.T("Your booking is cancelled. We e-mailed you the details."))
	case done == doneMoved && b.State == booking.Confirmed:
		notes = append(notes, b.Shell.T("Your booking is rescheduled. We e-mailed you the new time."))
	}
	return b.show(c, notes, nil)
}

func (b *myBooking) show(c *fiber.Ctx, notes []string, tr *view.Trouble) error {
	sh := b.Shell
	v := Details{
		Line: view.LineOf(sh.Words, b.CustomerBooking), Stands: view.StandsOver, Notes: notes, Address: b.Studio.Address(), CancelWord: sh.C("button", "Cancel"), Trouble: tr,
		Map: view.MapOf(b.BusinessName, b.Studio.Location.Address),
	}
	stake, err := b.stake(c)
	if err != nil {
		return err
	}
	if stake.Plan != "" {
		v.Plan = sh.PaidByPlan(stake.Plan, stake.PlanCredits)
	}
	v.State, v.Terms = cmp.Or(v.State, sh.C("state", "Confirmed")), view.Deadlines(sh.Words, b.Booking, stake)
	switch {
	case b.State == booking.Requested:
		v.Stands, v.CancelWord = view.StandsRequested, sh.C("button", "Withdraw")
		v.Notes = append(v.Notes, sh.RequestedNote(b.BusinessName, view.Price{Minor: stake.AuthorizedAmount, Currency: b.Currency}, stake.AuthorizedAmount > 0))
	case booking.TakesSeat(b.State) && b.State != booking.NoShow && (sh.Now.Before(b.EndsAt) || b.State != booking.Confirmed):
		v.Stands = view.StandsWell
	}
	if _, may := b.CustomerMay(booking.ActCancel, sh.Now); may {
		v.Cancel = b.path("/cancel")
	}
	switch {
	case b.movable():
		v.Reschedule = b.path("/move")
	case b.State == booking.Confirmed && !b.Course() && sh.Now.Before(b.StartsAt):
		v.Terms = append(v.Terms, view.Movable(sh.Words, b.Booking))
	}
	if b.State == booking.Confirmed && sh.Now.Before(b.StartsAt) {
		v.Calendar = view.Calendar{File: b.path("/calendar.ics"), Add: letters.Links(b.events(), sh.Now)}
	}
	if b.OrderID != nil {
		v.Receipt = "/receipt/" + b.Orders.ReceiptToken(*b.OrderID)
	}
	if v.Balance, err = b.rest(c); err != nil {
		return err
	}
	if v.Balance != nil && len(v.Terms) > 0 {
		v.Terms = slices.Insert(v.Terms, 1, b.restTerm()...) // after the term about the balance due
	}
	if err := b.agreements(c, &v); err != nil {
		return err
	}
	if b.Studio.Location.ArchivedAt == nil {
		v.Again = "/" + b.LocationSlug + "/" + b.OfferingSlug
	}
	return kit.Show(kit.Troubled(c, tr), sh, BookingPage(sh, v))
}

// bookingCalendar is the file of one booking.
func (h *site) bookingCalendar(c *fiber.Ctx, b *myBooking) error {
	if b.State != booking.Confirmed {
		return fault.Missing()
	}
	return h.SendCalendar(c, b.events())
}

// events are the calendar events of one booking.
func (b *myBooking) events() []letters.Event {
	return letters.StandingEvents(b.Shell.Words, b.CustomerBooking, view.AddressLine(b.Studio.Location.Address), b.Site.BaseURL+b.path(""))
}
