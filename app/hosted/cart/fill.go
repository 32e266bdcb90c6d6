package cart

import (
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Line returns the last line of the cart for an added item; nil if there is none.
func (b *Basket) Line(in checkout.AddItemInput) *checkout.Line {
	for i := len(b.Cart.Lines) - 1; i >= 0; i-- {
		if IsFor(b.Cart.Lines[i], in) {
			return &b.Cart.Lines[i]
		}
	}
	return nil
}

// IsFor reports whether a line of a cart is for the added item.
func IsFor(l checkout.Line, in checkout.AddItemInput) bool {
	switch {
	case in.Slot != nil:
		return l.Attendee == "" && l.Slot != nil && l.Slot.OfferingID == in.Slot.OfferingID && l.Slot.StartsAt.Equal(in.Slot.StartsAt) &&
			slices.Equal(kit.Wish(*l.Slot).Params(), kit.Wish(*in.Slot).Params())
	case in.CourseID != uuid.Nil:
		return l.Course && l.OfferingID == in.CourseID
	}
	return !l.Course && l.OccurrenceID == in.OccurrenceID
}

// Fill adds an item to this browser's cart at the location, or to a new one.
func Fill(h *kit.Site, c *fiber.Ctx, at kit.Location, in checkout.AddItemInput) (*Basket, error) {
	return fill(h, c, at, func(b *Basket) error { return b.addItem(c, in) })
}

// Adding adds an item to the cart of a token.
type Adding func(ctx context.Context, sc tenancy.Scope, token string) (checkout.Cart, error)

// Put is Fill for an item without a seat; is reports whether a line of the cart is that item. The same form, sent
// twice, adds it once, unless it was removed from the cart since.
func Put(h *kit.Site, c *fiber.Ctx, at kit.Location, is func(checkout.Line) bool, add Adding) (*Basket, error) {
	return fill(h, c, at, func(b *Basket) error {
		filled, err := add(b.claim, b.Scope, b.Token)
		if errors.Is(err, pg.ErrKeyReused) || err == nil && !slices.ContainsFunc(filled.Lines, is) {
			filled, err = add(c.UserContext(), b.Scope, b.Token)
		}
		if err != nil {
			return err
		}
		b.Cart = filled
		for _, l := range filled.Lines {
			if is(l) {
				b.Last = l.ItemID
			}
		}
		return nil
	})
}

func fill(h *kit.Site, c *fiber.Ctx, at kit.Location, add func(*Basket) error) (*Basket, error) {
	sc, err := h.ScopeOf(c, at.Tenant)
	if err != nil {
		return nil, err
	}
	b := &Basket{StudioPage: kit.StudioPage{Site: h, Scope: sc, Shell: kit.CarriedOnly(c)}, Token: h.Cookies.Get(c, kit.CartCookie(at.Location))}
	if b.claim, err = h.Forms.Once(c); err != nil {
		return nil, err
	}
	if b.Token != "" {
		usable, err := b.refill(c, add)
		if usable || err != nil {
			return b, err
		}
	}
	if err := b.begin(c, at); err != nil {
		return nil, err
	}
	return b, add(b)
}

// refill adds to the cart of the cookie. usable is false when that cart is done, or belongs to another person: then
// it is left alone. A cart in payment is opened again: its payment is abandoned.
func (b *Basket) refill(c *fiber.Ctx, add func(*Basket) error) (usable bool, err error) {
	b.Cart, err = b.Checkout.Cart(c.UserContext(), b.Scope, b.Token)
	if fault.IsKind(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !b.Cart.OpenTo(b.Scope.Person()) {
		return false, nil
	}
	err = add(b)
	if errors.Is(err, booking.ErrPaymentStarted) && b.signedIn() {
		if err = b.Checkout.Release(c.UserContext(), b.Scope, b.Token); err == nil {
			err = add(b)
		}
	}
	if errors.Is(err, booking.ErrPaymentStarted) || errors.Is(err, checkout.ErrPaymentPending) || errors.Is(err, checkout.ErrOther) {
		return false, nil
	}
	return true, err
}

// addItem adds an item under the form's one-time key: the same form, sent twice, adds it once, unless it was removed
// from the cart since. A time of an appointment or a rental that is in the cart already stays the only one; a date of
// a class is for more people.
func (b *Basket) addItem(c *fiber.Ctx, in checkout.AddItemInput) (err error) {
	before := b.items(in)
	add := func(ctx context.Context) {
		var filled checkout.Cart
		if filled, err = b.Checkout.AddItem(ctx, b.Scope, b.Token, in); err == nil {
			b.Cart = filled
		}
	}
	if in.Slot != nil && len(before) > 0 {
		return nil
	}
	if add(b.claim); errors.Is(err, pg.ErrKeyReused) || err == nil && b.Line(in) == nil {
		add(c.UserContext())
	}
	for _, item := range b.items(in) {
		if !slices.Contains(before, item) {
			b.Added = append(b.Added, item)
		}
	}
	b.Short = slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.Full && slices.Contains(b.Added, l.ItemID) })
	return err
}

// items are the lines of the cart with that item.
func (b *Basket) items(in checkout.AddItemInput) []uuid.UUID {
	var out []uuid.UUID
	for _, l := range b.Cart.Lines {
		if IsFor(l, in) {
			out = append(out, l.ItemID)
		}
	}
	return out
}

// begin makes a new cart and stores it in the browser.
func (b *Basket) begin(c *fiber.Ctx, at kit.Location) error {
	in := checkout.CreateInput{LocationID: at.Location, Ref: b.Shell.Ref}
	made, err := b.Checkout.Create(b.claim, b.Scope, in)
	if errors.Is(err, pg.ErrKeyReused) || err == nil && made.Token == "" { // the key has had another effect
		made, err = b.Checkout.Create(c.UserContext(), b.Scope, in)
	}
	if err != nil {
		return err
	}
	b.Token, b.Cart = made.Token, checkout.Cart{}
	b.Cookies.Set(c, kit.CartCookie(at.Location), b.Token, kit.CartAge)
	return nil
}
