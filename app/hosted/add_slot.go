package hosted

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/names"
)

// addSlot is add for a time of an appointment or a rental.
func (h *site) addSlot(c *fiber.Ctx, at place) error {
	p, err := h.pageOf(c, at)
	if err != nil {
		return err
	}
	l := listed{wish: wishOf(c.FormValue).fit(p)}
	start := instant(c.FormValue(fieldStart))
	if start.IsZero() || p.Kind == catalog.Class {
		l.tr = notOffered
		return h.showListing(c, at, l)
	}
	return h.put(c, at, checkout.AddItemInput{Slot: l.wish.slot(p, start)}, putting{
		refused: refusedTime,
		lost: func(b *basket, line *checkout.Line, err error) (trouble, bool) {
			tr, ok := refusedTime(err)
			return tr, ok && b.about(err) == line.ItemID.String()
		},
		again: func(tr trouble, refusal error) error { return h.otherTimes(c, at, l, start, tr, refusal) },
	})
}

// otherTimes shows the times of a day one of which was refused, and the nearest that can be had in its place.
func (h *site) otherTimes(c *fiber.Ctx, at place, l listed, start time.Time, tr trouble, refusal error) error {
	s, err := h.studioOf(c, at)
	if err != nil {
		return err
	}
	l.from, l.tr, l.near = civil.LocalDate(start, s.clock), tr, near(refusal)
	return h.showListing(c, at, l)
}

// near are the other times that a refusal names.
func near(err error) []availability.Alternative {
	if f := fault.From(err); f != nil {
		list, _ := f.Details["alternatives"].([]availability.Alternative)
		return list
	}
	return nil
}

var justTaken = says("This time has just been taken", "Somebody else was quicker, and nothing was booked.")

// refusedTime is why a time cannot be had, in words for the page it was chosen on.
func refusedTime(err error) (trouble, bool) {
	f := fault.From(err)
	switch {
	case f == nil:
		return nil, false
	case f.Kind == fault.NotFound, f.Kind == fault.Validation:
		return notOffered, true
	case errors.Is(err, claim.ErrStaffBusy), errors.Is(err, claim.ErrSpaceBusy), errors.Is(err, availability.ErrFull),
		errors.Is(err, availability.ErrClosed), errors.Is(err, booking.ErrFull):
		return justTaken, true
	case errors.Is(err, availability.ErrPartySize), errors.Is(err, availability.ErrTooLate), errors.Is(err, availability.ErrTooEarly), errors.Is(err, availability.ErrPaused),
		errors.Is(err, checkout.ErrCartFull), errors.Is(err, booking.ErrNotBookable):
		return cannot(err), true
	}
	return nil, false
}

// about is what a refusal is about, as an address names it: the date's id, or the item's for a time of an appointment or a
// rental and for somebody at a date; empty when it is about the cart. The refusals of times say which it was of those that had yet to be placed.
func (b *basket) about(err error) string {
	f := fault.From(err)
	if f == nil {
		return ""
	}
	ask, is := f.Details["ask"].(int)
	if !is {
		return b.seat(about(err), f.Details["attendee"])
	}
	for _, l := range b.Cart.Lines {
		if l.Slot == nil || l.BookingID != nil {
			continue
		}
		if ask == 0 {
			return l.ItemID.String()
		}
		ask--
	}
	return ""
}

// seat is the id of the item for somebody at a date; the date's own where nobody is named.
func (b *basket) seat(date string, attendee any) string {
	name, named := attendee.(string)
	for _, l := range b.Cart.Lines {
		if named && names.Same(l.Attendee, name) && isOn(l, date) {
			return l.ItemID.String()
		}
	}
	return date
}
