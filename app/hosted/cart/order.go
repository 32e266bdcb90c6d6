package cart

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fees"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/view"
)

// orderOf is the panel beside a step of the checkout.
func (b *Basket) orderOf(hold *view.Hold) *view.Order {
	o := &view.Order{Bill: view.BillOf(b.Shell.Words, b.Cart.Totals, kit.Counted(b.Shell.Words, b.Cart.Lines)), Hold: hold, Change: b.path("")}
	stakes := b.Cart.CostBases()
	for i, l := range b.Cart.Lines {
		o.Lines = append(o.Lines, b.shown(l, stakes[i]))
	}
	o.Lines = view.Together(b.Shell.Words, o.Lines)
	return o
}

// shown is a line of the cart as pages show it, with the cost of cancelling it if its rules were read.
func (b *Basket) shown(l checkout.Line, s booking.CostBasis) view.Line {
	if !l.Kind.Seat() {
		return view.Line{
			Name: b.Shell.ItemName(l.Kind, l.Name), Quantity: l.Quantity, Terms: view.NonEmpty(l.Consent),
		}
	}
	v := view.Line{
		Name: l.Name, Start: l.StartsAt, Minutes: view.Minutes(l.StartsAt, l.EndsAt), Where: whereOf(b.Shell.Words, l), Party: l.Party, Who: b.Shell.Attendee(l.Attendee),
		Plan: b.Shell.Covered(l.Cover),
	}
	for _, d := range l.Dates {
		v.Dates = append(v.Dates, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
	}
	v.Terms = b.costs(l, s)
	return v
}

// costs are the costs of cancelling a line, if its rules were read.
func (b *Basket) costs(l checkout.Line, s booking.CostBasis) []string {
	t, known := b.terms[l.OfferingID]
	if !known {
		return nil
	}
	s.WaivedAt = b.past
	return view.DeadlinesOf(b.Shell.Words, t, l.StartsAt, b.Cart.Totals.Currency, s)
}

// know reads the terms of the items for the customer before they pay. A grace waiver depends on the customer, and is
// checked if the rules have one; a visitor who is not signed in sees the terms of a new customer.
func (b *Basket) know(c *fiber.Ctx) (err error) {
	offerings := make([]uuid.UUID, len(b.Cart.Lines))
	for i, l := range b.Cart.Lines { // uuid.Nil of one without a seat, which no offering has
		offerings[i] = l.OfferingID
	}
	v := b.DB.View(b.Scope.Tenant)
	b.terms, err = catalog.TermsOf(c.UserContext(), v, offerings)
	if err != nil || !b.signedIn() || !b.forgiving() {
		return err
	}
	b.past, err = fees.GraceUsedFor(c.UserContext(), v, b.Scope.Person())
	return err
}

// forgiving reports whether the rules of any item in the cart waive a late-cancellation fee.
func (b *Basket) forgiving() bool {
	for _, t := range b.terms {
		if t.Rules.HasLateGrace() {
			return true
		}
	}
	return false
}

// whereOf is the location of a line, and its instructor. The instructor of an appointment is assigned when it is
// held.
func whereOf(w view.Words, l checkout.Line) string {
	if l.Kind == order.Appointment && l.Instructor == "" && l.Slot != nil && l.Slot.MemberID == nil {
		return w.WhereWith(l.Space, w.T("any available instructor"))
	}
	return w.WhereWith(l.Space, l.Instructor)
}
