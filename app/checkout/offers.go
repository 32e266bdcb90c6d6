package checkout

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/order"
)

// Code is a customer's promo code, as it is stored.
type Code struct {
	Code   string
	Name   string // of its discount; empty if it no longer exists
	Amount int64  // taken off now
	// Problem is the reason that it takes nothing off; nil if it does. It is one of the errors of package discount.
	Problem *fault.Error
}

// wall is the clock of a cart's discounts.
type wall struct {
	zone *time.Location
	now  time.Time
}

// discountCart returns the cart as package discount reads it.
func (l *loaded) discountCart(lines []Line, items []order.Item) discount.Cart {
	c := discount.Cart{
		LocationID: l.LocationID, Currency: l.terms.Currency, Today: civil.LocalDate(l.wall.now, l.wall.zone),
		Lines: make([]discount.Line, len(items)),
	}
	for i, it := range items {
		c.Lines[i] = discount.Line{
			Seat: lines[i].Kind.Seat() && it.Cover == nil, Goods: lines[i].Kind == order.Product,
			OfferingID: lines[i].OfferingID,
			Day:        lines[i].StartsAt.In(l.wall.zone).Weekday(), Amount: it.ListedAmount,
		}
	}
	return c
}

// offs returns the discounts that lines of the cart can have, in the order in which they are taken off. A cart being
// paid has those of its order.
func (l *loaded) offs(lines []Line, items []order.Item) []order.Off {
	if l.ordered {
		return nil
	}
	var out []order.Off
	for _, c := range l.candidates {
		eligible, why := c.For(l.discountCart(lines, items))
		if why != nil {
			continue
		}
		out = append(out, order.Off{ID: c.ID, Name: c.Name, Code: c.Code, PPM: c.PPM, Amount: c.Amount, Combines: c.Combines, Lines: eligible})
	}
	return out
}

// quote prices lines of the cart. If the studio accepts cards, an amount after discounts below a card's minimum is
// waived, because no card could pay it.
func (l *loaded) quote(lines []Line, items []order.Item, t order.Terms) order.Quote {
	offs := l.offs(lines, items)
	q := order.Price(items, offs, t)
	if l.card && !l.ordered && q.LeavesTooLittle() {
		t.WaiveRemainder = true
		return order.Price(items, offs, t)
	}
	return q
}

// atStudio sets the totals if the cart is paid at the studio; none if that is not offered.
func (l *loaded) atStudio(terms order.Terms) {
	l.AtStudio = nil
	if !l.desk || l.State != CartOpen || l.Totals.TotalAmount == 0 {
		return
	}
	terms.Prepaid, terms.InFull = nil, true
	t := l.quote(l.Lines, l.items, terms.WithoutCard()).Totals
	if l.ordered {
		t.Discounts = l.Totals.Discounts
	}
	l.AtStudio = &t
}

// code returns the effect of the code entered for the cart.
func (l *loaded) code(given string) *Code {
	if given == "" {
		return nil
	}
	out := &Code{Code: given}
	if i := slices.IndexFunc(l.Totals.Discounts, func(d order.Discounted) bool { return d.Code == given }); i >= 0 {
		out.Name, out.Amount = l.Totals.Discounts[i].Name, l.Totals.Discounts[i].Amount
		return out
	}
	i := slices.IndexFunc(l.candidates, func(c discount.Candidate) bool { return c.Code == given })
	if i < 0 {
		out.Problem = discount.ErrUnknown
		return out
	}
	out.Name, out.Problem = l.candidates[i].Name, discount.ErrNothingMore
	if _, why := l.candidates[i].For(l.discountCart(l.Lines, l.items)); why != nil {
		out.Problem = why
	}
	return out
}

// limited returns the limited discounts of the cart.
func (l *loaded) limited() []uuid.UUID {
	var out []uuid.UUID
	for _, c := range l.candidates {
		used := slices.ContainsFunc(l.Totals.Discounts, func(d order.Discounted) bool { return d.ID == c.ID })
		if used && c.Limited() && !l.ordered {
			out = append(out, c.ID)
		}
	}
	return out
}
