package hosted

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/words"
)

// Why a chosen time could not be booked after all.
var (
	justFilled = says("This date has just filled up",
		"Somebody else was quicker, and nothing was booked. Other times are below.")
	courseFilled = says("This course has just filled up",
		"Not every date has a spot left, and nothing was booked.")
	courseTight = says("There is no room for all of you",
		"Not every date has so many spots left, and nothing was booked. Choose fewer people.")
	notOffered = says("This cannot be booked",
		"This date is not offered any more. Other times are below.")
	twice = says("Somebody would come twice",
		"Nothing was added. Two people of a booking need two names: leave a name out, or write it in full.")
)

// trouble is why a form comes back, yet to be said in the language of whoever sent it. The zero value is none.
type trouble func(w view.Words) *view.Trouble

func (t trouble) in(w view.Words) *view.Trouble {
	if t == nil {
		return nil
	}
	return t(w)
}

// says is trouble in two sentences.
func says(title, text words.Text) trouble {
	return func(w view.Words) *view.Trouble { return &view.Trouble{Title: w.T(title), Text: w.T(text)} }
}

// cannot says that something cannot be booked, and why as the domain does.
func cannot(err error) trouble {
	return func(w view.Words) *view.Trouble {
		return &view.Trouble{Title: w.T("This cannot be booked"), Text: w.Refusal(fault.From(err))}
	}
}

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
		return h.addDates(c, at, fieldCourse)
	}
	return h.addDates(c, at, fieldDate)
}

// addDates is add for the course or the date of a class that a field of the form names, for as many people as it says.
func (h *site) addDates(c *fiber.Ctx, at place, field string) error {
	id, err := uuid.Parse(c.FormValue(field))
	if err != nil {
		return h.showListing(c, at, listed{tr: notOffered})
	}
	in := checkout.AddItemInput{More: true}
	in.People, in.Others = peopleOf(c)
	l := listed{people: in.People, names: c.FormValue(fieldNames)}
	if field == fieldDate {
		l.wanted, in.OccurrenceID = id.String(), id
	} else {
		in.CourseID = id
	}
	return h.put(c, at, in, putting{
		refused: refusedDate,
		lost:    lostDates,
		again: func(tr trouble, _ error) error {
			l.tr = tr
			return h.showListing(c, at, l)
		},
	})
}

// peopleOf reads for how many people a date is, and the names of those beside the customer: as many as were given.
func peopleOf(c *fiber.Ctx) (n int, people []string) {
	for _, name := range strings.FieldsFunc(c.FormValue(fieldNames), func(r rune) bool { return r == ',' || r == '\n' }) {
		if name = names.Clean(name); name != "" && len(people) < checkout.ItemsMax-1 {
			people = append(people, name)
		}
	}
	n, err := strconv.Atoi(c.FormValue(fieldPeople))
	if err != nil {
		n = 1
	}
	return min(max(n, 1), checkout.ItemsMax), people
}

// lostDates tells whether what was just added is not to be had for all who would come, and says how many could.
func lostDates(b *basket, line *checkout.Line, err error) (trouble, bool) {
	if !b.short && !(errors.Is(err, booking.ErrFull) && isOn(*line, about(err))) {
		return nil, false
	}
	left := line.Spots
	if f := fault.From(err); f != nil {
		left, _ = f.Details["spots"].(int)
	}
	alone := len(b.added) < 2
	switch {
	case line.Course && alone:
		return courseFilled, true
	case line.Course:
		return courseTight, true
	case left <= 0:
		return justFilled, true
	}
	return func(w view.Words) *view.Trouble {
		return &view.Trouble{Title: w.T("There is no room for all of you"), Text: w.N(left,
			"{n} spot is left on this date, and nothing was booked. Choose fewer people, or another time.",
			"{n} spots are left on this date, and nothing was booked. Choose fewer people, or another time.")}
	}, true
}

// putting is what differs between the things that go into a cart. again shows the page that something was chosen on.
type putting struct {
	refused func(err error) (trouble, bool)                                       // why it does not go in
	lost    func(b *basket, line *checkout.Line, err error) (tr trouble, ok bool) // somebody was quicker; err is that of holding it
	again   func(tr trouble, refusal error) error
}

// put puts something into the cart and goes on. What cannot be had for all who would come is taken out of it again.
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
	if b.last = line.ItemID; !b.short {
		err = b.hold(c, nil)
	}
	tr, lost := p.lost(b, line, err)
	if !lost {
		return b.onwards(c, err)
	}
	for _, item := range b.added {
		if _, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, item); err != nil && !fault.IsKind(err, fault.NotFound) {
			return err
		}
	}
	return p.again(tr, err)
}

// line is the last line of the cart with something that was added; nil when there is none.
func (b *basket) line(in checkout.AddItemInput) *checkout.Line {
	for i := len(b.Cart.Lines) - 1; i >= 0; i-- {
		if isFor(b.Cart.Lines[i], in) {
			return &b.Cart.Lines[i]
		}
	}
	return nil
}

// isFor tells whether a line of a cart is for what is added.
func isFor(l checkout.Line, in checkout.AddItemInput) bool {
	switch {
	case in.Slot != nil:
		return l.Attendee == "" && l.Slot != nil && l.Slot.OfferingID == in.Slot.OfferingID && l.Slot.StartsAt.Equal(in.Slot.StartsAt) &&
			slices.Equal(wish(*l.Slot).params(), wish(*in.Slot).params())
	case in.CourseID != uuid.Nil:
		return l.Course && l.OfferingID == in.CourseID
	}
	return !l.Course && l.OccurrenceID == in.OccurrenceID
}

// refusedDate is why a date does not go into a cart, in words for the page it was chosen on.
func refusedDate(err error) (trouble, bool) {
	switch {
	case fault.IsKind(err, fault.NotFound):
		return notOffered, true
	case errors.Is(err, booking.ErrDuplicate):
		return twice, true
	case fault.IsKind(err, fault.Validation):
		return func(w view.Words) *view.Trouble {
			return &view.Trouble{Title: w.T("This cannot be booked"), Text: w.Told(fault.From(err).Fields[0].Message)}
		}, true
	case errors.Is(err, booking.ErrStarted), errors.Is(err, booking.ErrCancelled), errors.Is(err, booking.ErrNotBookable),
		errors.Is(err, booking.ErrCourse), errors.Is(err, checkout.ErrCartFull):
		return cannot(err), true
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

// addItem adds something under the form's one-time key: the same form, sent twice, adds it once, unless it was taken out of the cart
// since. A time of an appointment or a rental that is in the cart already stays the only one; a date of a class is for more people.
func (b *basket) addItem(c *fiber.Ctx, in checkout.AddItemInput) (err error) {
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
	if add(b.claim); errors.Is(err, pg.ErrKeyReused) || err == nil && b.line(in) == nil {
		add(c.UserContext())
	}
	for _, item := range b.items(in) {
		if !slices.Contains(before, item) {
			b.added = append(b.added, item)
		}
	}
	b.short = slices.ContainsFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.Full && slices.Contains(b.added, l.ItemID) })
	return err
}

// items are the lines of the cart with something.
func (b *basket) items(in checkout.AddItemInput) []uuid.UUID {
	var out []uuid.UUID
	for _, l := range b.Cart.Lines {
		if isFor(l, in) {
			out = append(out, l.ItemID)
		}
	}
	return out
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
