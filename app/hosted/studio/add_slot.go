package studio

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
)

// addSlot is add for a time of an appointment or a rental.
func (h *site) addSlot(c *fiber.Ctx, at kit.Location) error {
	p, err := h.PageOf(c, at)
	if err != nil {
		return err
	}
	l := Listed{wish: kit.WishOf(c.FormValue).Fit(p)}
	start := kit.Instant(c.FormValue(kit.FieldStart))
	if start.IsZero() || p.Kind == catalog.Class {
		l.Tr = kit.NotOffered
		return h.showListing(c, at, l)
	}
	return h.put(c, at, checkout.AddItemInput{Slot: l.wish.Slot(p, start)}, putting{
		refused: kit.RefusedTime,
		lost: func(b *cart.Basket, line *checkout.Line, err error) (kit.Trouble, bool) {
			tr, ok := kit.RefusedTime(err)
			return tr, ok && b.About(err) == line.ItemID.String()
		},
		again: func(tr kit.Trouble, refusal error) error { return h.otherTimes(c, at, l, start, tr, refusal) },
	})
}

// otherTimes shows the times of a day after one of them was refused, and the nearest available alternatives.
func (h *site) otherTimes(c *fiber.Ctx, at kit.Location, l Listed, start time.Time, tr kit.Trouble, refusal error) error {
	s, err := h.StudioOf(c, at)
	if err != nil {
		return err
	}
	l.from, l.Tr, l.near = civil.LocalDate(start, s.Clock), tr, near(refusal)
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
