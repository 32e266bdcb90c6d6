package hosted

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/penalty"
	"foyer/app/view"
)

// orderOf is the panel beside a step of the checkout.
func (b *basket) orderOf(hold *view.Hold) *view.Order {
	o := &view.Order{Bill: view.BillOf(b.Shell.Words, b.Cart.Totals, counted(b.Shell.Words, b.Cart.Lines)), Hold: hold, Change: b.path("")}
	stakes := b.Cart.Stakes()
	for i, l := range b.Cart.Lines {
		o.Lines = append(o.Lines, b.shown(l, stakes[i]))
	}
	o.Lines = view.Together(b.Shell.Words, o.Lines)
	return o
}

// shown is a line of the cart as pages show it, with what cancelling it costs where its rules were read.
func (b *basket) shown(l checkout.Line, s booking.Stake) view.Line {
	v := view.Line{
		Name: l.Name, Start: l.StartsAt, Minutes: view.Minutes(l.StartsAt, l.EndsAt), Where: whereOf(b.Shell.Words, l), Party: l.Party, Who: b.Shell.Attendee(l.Attendee),
	}
	for _, d := range l.Dates {
		v.Dates = append(v.Dates, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
	}
	v.Terms = b.costs(l, s)
	return v
}

// costs says what cancelling a line will cost, where its rules were read.
func (b *basket) costs(l checkout.Line, s booking.Stake) []string {
	t, known := b.terms[l.OfferingID]
	if !known {
		return nil
	}
	s.Forgiven = b.past
	return view.DeadlinesOf(b.Shell.Words, t, l.StartsAt, b.Cart.Totals.Currency, s)
}

// know reads what the customer should know of what is in the cart before they pay. Whether a fee would be forgiven is theirs alone,
// and asked where the rules forgive any; who is not signed in yet is told of a new customer.
func (b *basket) know(c *fiber.Ctx) (err error) {
	offerings := make([]uuid.UUID, len(b.Cart.Lines))
	for i, l := range b.Cart.Lines {
		offerings[i] = l.OfferingID
	}
	v := b.DB.View(b.Scope.Tenant)
	b.terms, err = catalog.TermsOf(c.UserContext(), v, offerings)
	if err != nil || !b.signedIn() || !b.forgiving() {
		return err
	}
	b.past, err = penalty.ForgivenTo(c.UserContext(), v, b.Scope.Person())
	return err
}

// forgiving tells whether the rules of anything in the cart forgive a fee for cancelling late.
func (b *basket) forgiving() bool {
	for _, t := range b.terms {
		if t.Rules.ForgivesLate() {
			return true
		}
	}
	return false
}

// counted counts the lines of a cart.
func counted(w view.Words, lines []checkout.Line) string {
	return w.CountOf(len(lines),
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
func whereOf(w view.Words, l checkout.Line) string {
	if l.Kind == catalog.Appointment && l.Instructor == "" && l.Slot != nil && l.Slot.MemberID == nil {
		return w.WhereWith(l.Space, w.T("whoever is free"))
	}
	return w.WhereWith(l.Space, l.Instructor)
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
