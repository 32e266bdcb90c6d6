package hosted

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/view"
)

// orderOf is the panel beside a step of the checkout.
func (b *basket) orderOf(hold *view.Hold) *view.Order {
	o := &view.Order{Bill: view.BillOf(b.Cart.Totals, counted(b.Cart.Lines)), Hold: hold, Change: b.path("")}
	for _, l := range b.Cart.Lines {
		o.Lines = append(o.Lines, b.shown(l))
	}
	o.Lines = view.Together(o.Lines)
	return o
}

// shown is a line of the cart as pages show it, with its deadlines where they were read.
func (b *basket) shown(l checkout.Line) view.Line {
	v := view.Line{
		Name: l.Name, Start: l.StartsAt, Minutes: view.Minutes(l.StartsAt, l.EndsAt), Where: whereOf(l), Party: l.Party, Who: l.Attendee,
	}
	for _, d := range l.Dates {
		v.Dates = append(v.Dates, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
	}
	if t, known := b.terms[l.OfferingID]; known {
		v.Terms = view.DeadlinesOf(b.Shell.Words, t, l.StartsAt, b.Cart.Totals.Currency)
	}
	return v
}

// know reads what the customer should know of what is in the cart before they pay.
func (b *basket) know(c *fiber.Ctx) (err error) {
	offerings := make([]uuid.UUID, len(b.Cart.Lines))
	for i, l := range b.Cart.Lines {
		offerings[i] = l.OfferingID
	}
	b.terms, err = catalog.TermsOf(c.UserContext(), b.DB.View(b.Scope.Tenant), offerings)
	return err
}

// counted counts the lines of a cart.
func counted(lines []checkout.Line) string {
	return view.CountOf(len(lines),
		func(i int) catalog.Kind { return view.KindOf(lines[i].Kind, lines[i].Course) },
		func(i int) any { return thing(lines[i]) })
}

// thing is what a line of a cart is for: lines of several people at one date, or in one course, are for the same.
func thing(l checkout.Line) uuid.UUID {
	switch {
	case l.Slot != nil:
		return l.ItemID
	case l.Course:
		return l.OfferingID
	}
	return l.OccurrenceID
}

// whereOf is where a line of the cart takes place, and with whom. Who gives an appointment is settled when it is held.
func whereOf(l checkout.Line) string {
	if l.Kind == catalog.Appointment && l.Instructor == "" && l.Slot != nil && l.Slot.MemberID == nil {
		return view.WhereWith(l.Space, "whoever is free")
	}
	return view.WhereWith(l.Space, l.Instructor)
}

// holdOf is the seats that are kept for the cart; nil when none are. extend is offered while it can be used.
func holdOf(c checkout.Cart, extend view.Form) *view.Hold {
	if c.Hold == nil {
		return nil
	}
	h := &view.Hold{Until: c.Hold.ExpiresAt}
	if !c.Hold.Extended {
		h.Extend = extend
	}
	return h
}
