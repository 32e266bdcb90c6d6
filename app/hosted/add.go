package hosted

import (
	"context"
	"errors"
	"slices"

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
	courseFilled = &view.Trouble{Title: "This course has just filled up",
		Text: "Not every date has a spot left, and nothing was booked."}
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
	form := c.Request().PostArgs()
	switch {
	case form.Has(fieldStart):
		return h.addSlot(c, at)
	case form.Has(fieldCourse):
		return h.addDates(c, at, fieldCourse, courseFilled)
	}
	return h.addDates(c, at, fieldDate, justFilled)
}

// addDates is add for the course or the date of a class that a field of the form names. full says that it has filled up.
func (h *site) addDates(c *fiber.Ctx, at place, field string, full *view.Trouble) error {
	id, err := uuid.Parse(c.FormValue(field))
	if err != nil {
		return h.showListing(c, at, listed{tr: notOffered})
	}
	l, in := listed{}, checkout.AddItemInput{CourseID: id}
	if field == fieldDate {
		l.wanted, in = id.String(), checkout.AddItemInput{OccurrenceID: id}
	}
	return h.put(c, at, in, putting{
		refused: refusedDate,
		lost: func(b *basket, line *checkout.Line, err error) (*view.Trouble, bool) {
			return full, line.Full() || errors.Is(err, booking.ErrFull) && isOn(*line, about(err))
		},
		again: func(tr *view.Trouble, _ error) error {
			l.tr = tr
			return h.showListing(c, at, l)
		},
	})
}

// putting is what differs between the things that go into a cart. again shows the page that something was chosen on.
type putting struct {
	refused func(err error) (*view.Trouble, bool)                                       // why it does not go in
	lost    func(b *basket, line *checkout.Line, err error) (tr *view.Trouble, ok bool) // somebody was quicker; err is that of holding it
	again   func(tr *view.Trouble, refusal error) error
}

// put puts something into the cart and goes on. What somebody else was quicker to book is taken out of it again.
func (h *site) put(c *fiber.Ctx, at place, in checkout.AddItemInput, p putting) error {
	b, err := h.fill(c, at, in)
	if tr, ok := p.refused(err); ok {
		return p.again(tr, err)
	}
	if err != nil {
		return err
	}
	line := b.line(in)
	if line == nil {
		return b.proceed(c, nil)
	}
	if !line.Full() {
		err = b.hold(c, nil)
	}
	tr, lost := p.lost(b, line, err)
	if !lost {
		return b.onwards(c, err)
	}
	if _, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, line.ItemID); err != nil {
		return err
	}
	return p.again(tr, err)
}

// line is the line of the cart with something that was added for the customer themself; nil when there is none.
func (b *basket) line(in checkout.AddItemInput) *checkout.Line {
	i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool {
		switch {
		case l.Attendee != "":
			return false
		case in.Slot != nil:
			return l.Slot != nil && l.Slot.OfferingID == in.Slot.OfferingID && l.Slot.StartsAt.Equal(in.Slot.StartsAt) &&
				slices.Equal(wish(*l.Slot).params(), wish(*in.Slot).params())
		case in.CourseID != uuid.Nil:
			return l.Course && l.OfferingID == in.CourseID
		}
		return l.OccurrenceID == in.OccurrenceID
	})
	if i < 0 {
		return nil
	}
	return &b.Cart.Lines[i]
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
	if errors.Is(err, booking.ErrPaymentStarted) || errors.Is(err, checkout.ErrPaymentPending) || errors.Is(err, checkout.ErrOther) {
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
	if b.line(in) != nil {
		return nil
	}
	if add(b.claim); errors.Is(err, pg.ErrKeyReused) || err == nil && b.line(in) == nil {
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
