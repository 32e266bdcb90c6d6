package kit

import (
	"encoding/hex"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// CartAge is the lifetime of a cart's cookie.
const CartAge = checkout.CartRetention

// CartCookie returns the name of the cookie with the token of a location's cart. It is for the schedule's bar and for
// adding to the cart; the cart's own pages have the token in their address.
func CartCookie(location uuid.UUID) string { return cartPrefix + hex.EncodeToString(location[:]) }

const cartPrefix = "cart_"

// chosenAt reads the open cart of this browser at the studio; the zero value without one.
func (h *Site) chosenAt(c *fiber.Ctx, s *Studio) (cart checkout.Cart, token string, err error) {
	if token = h.Cookies.Get(c, CartCookie(s.Location.ID)); token == "" {
		return checkout.Cart{}, "", nil
	}
	cart, err = h.Checkout.Cart(c.UserContext(), tenancy.Visitor(tenancy.Principal{}, s.Business.ID, tenancy.SurfaceHosted), token)
	if fault.IsKind(err, fault.NotFound) || err == nil && cart.State != checkout.CartOpen {
		h.Cookies.Clear(c, CartCookie(s.Location.ID))
		return checkout.Cart{}, "", nil
	}
	return cart, token, err
}

// CartBar reads the open cart of this browser at the studio, and its bar; the zero value and nil without.
func (h *Site) CartBar(c *fiber.Ctx, s *Studio, w view.Words) (cart checkout.Cart, bar *view.CartBar, err error) {
	cart, token, err := h.chosenAt(c, s)
	return cart, barOf(w, cart, token), err
}

// barOf is the cart bar of the studio's pages while this browser has a cart with items there; nil without.
func barOf(w view.Words, cart checkout.Cart, token string) *view.CartBar {
	if len(cart.Lines) == 0 {
		return nil
	}
	return &view.CartBar{
		Label: Counted(w, cart.Lines), Total: view.TotalOf(cart.Totals),
		Hold: HoldOf(cart, view.Form{}), Href: "/cart/" + token,
	}
}

// IsOn reports whether id identifies a line, as the id of its date or its own.
func IsOn(l checkout.Line, id string) bool {
	return l.ItemID.String() == id || l.OccurrenceID.String() == id ||
		slices.ContainsFunc(l.Dates, func(d checkout.LineDate) bool { return d.OccurrenceID.String() == id })
}

// Counted returns the number of items in a cart, in words.
func Counted(w view.Words, lines []checkout.Line) string {
	return w.CountOf(len(lines),
		func(i int) order.Kind { return view.KindOf(lines[i].Kind, lines[i].Course) },
		func(i int) any { return Thing(lines[i]) })
}

// Thing returns the id of a line's item: lines of several people at one date, or in one course, have the same.
func Thing(l checkout.Line) uuid.UUID {
	switch {
	case l.Slot != nil || !l.Kind.Seat():
		return l.ItemID
	case l.Course:
		return l.OfferingID
	}
	return l.OccurrenceID
}

// HoldOf returns the hold of a cart; nil when no seats are held. extend is offered while it is possible.
func HoldOf(c checkout.Cart, extend view.Form) *view.Hold {
	if c.Hold == nil {
		return nil
	}
	h := &view.Hold{Until: c.Hold.ExpiresAt, Items: !c.HasSeats()}
	if !c.Hold.Extended {
		h.Extend = extend
	}
	return h
}
