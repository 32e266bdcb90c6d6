package hosted

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/view"
)

// Why a chosen time could not be booked after all.
var (
	justFilled = &view.Trouble{Title: "This date has just filled up",
		Text: "Somebody else was quicker, and nothing was booked. Other times stand below."}
	notOffered = &view.Trouble{Title: "This cannot be booked",
		Text: "This date is not offered any more. Other times stand below."}
)

// add puts the chosen date or time into this browser's cart at the location and goes on at once: to sign in, or, for
// somebody who is signed in, to pay. So a returning customer books with three touches: the class, this one, Pay.
func (h *site) add(c *fiber.Ctx) error {
	at, moved, err := h.placeOf(c)
	if err == nil && moved != "" {
		err = fault.Missing() // forms come from pages with the address of today
	}
	if err != nil {
		return err
	}
	if c.Request().PostArgs().Has(fieldStart) {
		return h.addSlot(c, at)
	}
	if c.Request().PostArgs().Has(fieldCourse) {
		return h.addCourse(c, at)
	}
	wanted := c.FormValue("occurrence")
	occurrence, err := uuid.Parse(wanted)
	if err != nil {
		return h.showListing(c, at, listed{tr: notOffered})
	}
	b, err := h.fill(c, at, checkout.AddItemInput{OccurrenceID: occurrence})
	if tr, ok := refusedDate(err); ok {
		return h.showListing(c, at, listed{wanted: wanted, tr: tr})
	}
	if err != nil {
		return err
	}
	taken := b.taken(occurrence)
	if !taken {
		err = b.hold(c, nil)
		taken = errors.Is(err, booking.ErrFull) && about(err) == wanted
	}
	if taken {
		return b.giveBack(c, at, occurrence)
	}
	return b.onwards(c, err)
}

// refusedDate is why a date does not go into a cart, in words for the page it was chosen on.
func refusedDate(err error) (*view.Trouble, bool) {
	switch {
	case fault.IsKind(err, fault.NotFound):
		return notOffered, true
	case errors.Is(err, booking.ErrStarted), errors.Is(err, booking.ErrCancelled), errors.Is(err, booking.ErrNotBookable),
		errors.Is(err, booking.ErrCourse), errors.Is(err, checkout.ErrCartFull):
		return &view.Trouble{Title: "This cannot be booked", Text: fault.From(err).Message}, true
	}
	return nil, false
}

// fill puts something into the cart that this browser has at the location, or into a new one.
func (h *site) fill(c *fiber.Ctx, at place, in checkout.AddItemInput) (*basket, error) {
	sc, err := h.scope(c, at.tenant)
	if err != nil {
		return nil, err
	}
	b := &basket{studioPage: studioPage{site: h, Scope: sc, Shell: carriedOnly(c)}, Token: h.Cookies.Get(c, cartCookie(at.location))}
	if b.claim, err = h.Forms.Once(c); err != nil {
		return nil, err
	}
	if b.Token != "" {
		usable, err := b.refill(c, in)
		if usable || err != nil {
			return b, err
		}
	}
	if err := b.begin(c, at); err != nil {
		return nil, err
	}
	return b, b.addItem(c, in)
}

// refill adds to the cart of the cookie. usable is false when that cart is done, or somebody else books with it: then it
// is left alone. One that is being paid for is opened again: its payment is given up.
func (b *basket) refill(c *fiber.Ctx, in checkout.AddItemInput) (usable bool, err error) {
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
	err = b.addItem(c, in)
	if errors.Is(err, booking.ErrPaymentStarted) && b.signedIn() {
		if err = b.Checkout.Release(c.UserContext(), b.Scope, b.Token); err == nil {
			err = b.addItem(c, in)
		}
	}
	if errors.Is(err, booking.ErrPaymentStarted) || errors.Is(err, checkout.ErrPaymentPending) {
		return false, nil
	}
	return true, err
}

// addItem adds something that may be there already: the same form, sent twice. A date of a class, and a course, is there once
// because the cart has each once; a time is added under the form's one-time key, unless it was taken out of the cart since.
func (b *basket) addItem(c *fiber.Ctx, in checkout.AddItemInput) (err error) {
	add := func(ctx context.Context) error {
		b.Cart, err = b.Checkout.AddItem(ctx, b.Scope, b.Token, in)
		return err
	}
	if in.Slot == nil {
		if add(c.UserContext()); errors.Is(err, booking.ErrDuplicate) {
			b.Cart, err = b.Checkout.Cart(c.UserContext(), b.Scope, b.Token)
		}
		return err
	}
	if b.slotItem(*in.Slot) != nil {
		return nil
	}
	if add(b.claim); errors.Is(err, pg.ErrKeyReused) || err == nil && b.slotItem(*in.Slot) == nil {
		add(c.UserContext())
	}
	return err
}

// begin makes a new cart and lets the browser remember it.
func (b *basket) begin(c *fiber.Ctx, at place) error {
	in := checkout.CreateInput{LocationID: at.location, Ref: b.Shell.Ref}
	made, err := b.Checkout.Create(b.claim, b.Scope, in)
	if errors.Is(err, pg.ErrKeyReused) || err == nil && made.Token == "" { // the key has had another effect
		made, err = b.Checkout.Create(c.UserContext(), b.Scope, in)
	}
	if err != nil {
		return err
	}
	b.Token, b.Cart = made.Token, checkout.Cart{}
	b.Cookies.Set(c, cartCookie(at.location), b.Token, cartAge)
	return nil
}

// taken tells whether the last seat of a date of the cart went to somebody else.
func (b *basket) taken(occurrence uuid.UUID) bool {
	for _, l := range b.Cart.Lines {
		if l.OccurrenceID == occurrence && l.Full() {
			return true
		}
	}
	return false
}

// giveBack takes a date out of the cart again that has filled up, and offers the other dates of the same class.
func (b *basket) giveBack(c *fiber.Ctx, at place, occurrence uuid.UUID) error {
	for _, l := range b.Cart.Lines {
		if l.OccurrenceID == occurrence && l.Attendee == "" {
			if _, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID); err != nil {
				return err
			}
		}
	}
	return b.showListing(c, at, listed{wanted: occurrence.String(), tr: justFilled})
}
