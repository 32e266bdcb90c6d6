package studio

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/names"
	"foyer/app/view"
)

// Why booking a chosen time failed.
var (
	justFilled = kit.TroubleText("This date has just filled up",
		"Another customer booked first, and nothing was booked for you. Other times are below.")
	courseFilled = kit.TroubleText("This course has just filled up",
		"Some dates are full. Nothing was booked.")
	courseTight = kit.TroubleText("Not enough spots",
		"Some dates do not have enough spots. Nothing was booked. Choose fewer people.")
	twice = kit.TroubleText("The same person is booked twice",
		"Nothing was added. Each person in a booking needs a different name: leave a name out, or enter it in full.")
)

// add puts the chosen date or time into this browser's cart at the location and goes on at once: to sign in, or, when
// signed in, to pay. So a returning customer books with three touches: the class, this one, Pay.
func (h *site) add(c *fiber.Ctx) error {
	at, moved, err := h.LocationOf(c)
	if err == nil && moved != "" {
		err = fault.Missing() // forms are on pages with the current address
	}
	if err != nil {
		return err
	}
	form := c.Request().PostArgs()
	switch {
	case form.Has(kit.FieldStart):
		return h.addSlot(c, at)
	case form.Has(fieldCourse):
		return h.addDates(c, at, fieldCourse)
	}
	return h.addDates(c, at, kit.FieldDate)
}

// addDates is add for the course or the date of a class in a field of the form, for the number of people in it.
func (h *site) addDates(c *fiber.Ctx, at kit.Location, field string) error {
	id, err := uuid.Parse(c.FormValue(field))
	if err != nil {
		return h.showListing(c, at, Listed{Tr: kit.NotOffered})
	}
	in := checkout.AddItemInput{More: true}
	in.People, in.Others = peopleOf(c)
	l := Listed{people: in.People, names: c.FormValue(kit.FieldNames)}
	if field == kit.FieldDate {
		l.Wanted, in.OccurrenceID = id.String(), id
	} else {
		in.CourseID = id
	}
	return h.put(c, at, in, putting{
		refused: refusedDate,
		lost:    lostDates,
		again: func(tr kit.Trouble, _ error) error {
			l.Tr = tr
			return h.showListing(c, at, l)
		},
	})
}

// peopleOf reads the number of people for a date, and the names of the other attendees, as many as were given.
func peopleOf(c *fiber.Ctx) (n int, people []string) {
	for _, name := range strings.FieldsFunc(c.FormValue(kit.FieldNames), func(r rune) bool { return r == ',' || r == '\n' }) {
		if name = names.Clean(name); name != "" && len(people) < checkout.ItemsMax-1 {
			people = append(people, name)
		}
	}
	n, err := strconv.Atoi(c.FormValue(kit.FieldPeople))
	if err != nil {
		n = 1
	}
	return min(max(n, 1), checkout.ItemsMax), people
}

// lostDates reports whether a new item is unavailable for all of its people, and names the number possible.
func lostDates(b *cart.Basket, line *checkout.Line, err error) (kit.Trouble, bool) {
	if !b.Short && !(errors.Is(err, booking.ErrFull) && kit.IsOn(*line, cart.About(err))) {
		return nil, false
	}
	left := line.Spots
	if f := fault.From(err); f != nil {
		left, _ = f.Details["spots"].(int)
	}
	alone := len(b.Added) < 2
	switch {
	case line.Course && alone:
		return courseFilled, true
	case line.Course:
		return courseTight, true
	case left <= 0:
		return justFilled, true
	}
	return func(w view.Words) *view.Trouble {
		return &view.Trouble{Title: w.T("Not enough spots"), Text: w.N(left,
			"{n} spot is left on this date, and nothing was booked. Choose fewer people, or another time.",
			"{n} spots are left on this date, and nothing was booked. Choose fewer people, or another time.")}
	}, true
}

// putting has the differences between items to add to a cart. again shows the page on which an item was chosen.
type putting struct {
	refused func(err error) (kit.Trouble, bool)                                            // why it is not added
	lost    func(b *cart.Basket, line *checkout.Line, err error) (tr kit.Trouble, ok bool) // err is that of holding it
	again   func(tr kit.Trouble, refusal error) error
}

// put adds an item to the cart and goes on. An item unavailable for all of its people is removed again.
func (h *site) put(c *fiber.Ctx, at kit.Location, in checkout.AddItemInput, p putting) error {
	b, err := cart.Fill(h.Site, c, at, in)
	if tr, ok := p.refused(err); ok {
		return p.again(tr, err)
	}
	if err != nil {
		return err
	}
	line := b.Line(in)
	if line == nil {
		return b.Proceed(c, nil)
	}
	if b.Last = line.ItemID; !b.Short {
		err = b.Hold(c, nil)
	}
	tr, lost := p.lost(b, line, err)
	if !lost {
		return b.Onwards(c, err)
	}
	for _, item := range b.Added {
		if _, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, item); err != nil && !fault.IsKind(err, fault.NotFound) {
			return err
		}
	}
	return p.again(tr, err)
}

// refusedDate is the reason that a date cannot be added to a cart, for the page it was chosen on.
func refusedDate(err error) (kit.Trouble, bool) {
	switch {
	case fault.IsKind(err, fault.NotFound):
		return kit.NotOffered, true
	case errors.Is(err, booking.ErrDuplicate):
		return twice, true
	case fault.IsKind(err, fault.Validation):
		return func(w view.Words) *view.Trouble {
			return &view.Trouble{Title: w.T("This cannot be booked"), Text: w.Message(fault.From(err).Fields[0].Message)}
		}, true
	case errors.Is(err, booking.ErrStarted), errors.Is(err, booking.ErrCancelled), errors.Is(err, booking.ErrNotBookable),
		errors.Is(err, booking.ErrCourse), errors.Is(err, checkout.ErrCartFull):
		return kit.Cannot(err), true
	}
	return nil, false
}
