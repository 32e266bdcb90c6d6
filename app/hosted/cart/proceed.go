package cart

import (
	"cmp"
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/names"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/billing"
	"foyer/billing/credit"
)

// About is what a refusal is about, as an address names it: the date's id, or the item's for a time of an appointment or a
// rental and for somebody at a date; empty when it is about the cart. The refusals of times say which it was of those that had yet to be placed.
func (b *Basket) About(err error) string {
	f := fault.From(err)
	if f == nil {
		return ""
	}
	ask, is := f.Details["ask"].(int)
	if !is {
		return b.seat(About(err), f.Details["attendee"])
	}
	for _, l := range b.Cart.Lines {
		if l.Slot == nil || l.BookingID != nil {
			continue
		}
		if ask == 0 {
			return l.ItemID.String()
		}
		ask--
	}
	return ""
}

// seat is the id of the item for somebody at a date; the date's own where nobody is named.
func (b *Basket) seat(date string, attendee any) string {
	name, named := attendee.(string)
	for _, l := range b.Cart.Lines {
		if named && names.Same(l.Attendee, name) && kit.IsOn(l, date) {
			return l.ItemID.String()
		}
	}
	return date
}

// errStep says that somebody has to say who they are before seats are held for them.
var errStep = errors.New("hosted: a step is left")

// Proceed holds the seats of the cart and goes on to pay; or goes to the step that comes before, or to the cart's page,
// which says what is in the way. quoted is the total that the customer saw and pressed Continue under; nil when they saw
// the prices of the classes only.
func (b *Basket) Proceed(c *fiber.Ctx, quoted *int64) error { return b.Onwards(c, b.Hold(c, quoted)) }

// Hold keeps all seats of the cart or none: repeating it changes nothing. errStep when it is not known for whom.
func (b *Basket) Hold(c *fiber.Ctx, quoted *int64) error {
	if err := b.unpayable(); err != nil {
		if pays, failed := b.creditPays(c); failed != nil || !pays {
			return cmp.Or(failed, err)
		}
	}
	if !b.signedIn() || b.Scope.Actor.Name == "" {
		return errStep
	}
	_, err := b.Checkout.Hold(c.UserContext(), b.Scope, b.Token, checkout.HoldInput{QuotedAmount: quoted})
	return err
}

// unpayable says before anything is typed that nobody can pay what is in the cart; nil when they can.
func (b *Basket) unpayable() error {
	switch {
	case b.Cart.Totals.TotalAmount == 0, b.Cart.Card, b.Cart.AtStudio != nil, b.Cart.Order != nil:
		return nil
	case b.Cart.Least > 0:
		return billing.ErrBelowCardMinimum
	}
	return billing.ErrCardUnavailable
}

// Onwards goes to where the answer of hold leads. Seats that cannot be had are told on the cart's page, each at its own
// line with other dates of the same class.
func (b *Basket) Onwards(c *fiber.Ctx, err error) error {
	switch {
	case err == nil:
		return b.see(c, "/pay")
	case errors.Is(err, errStep) && !b.signedIn():
		return b.see(c, "/sign-in")
	case errors.Is(err, errStep):
		return b.see(c, "/details")
	}
	return b.refused(c, err)
}

// refused goes to the page that explains a refusal of checkout or booking. What is no refusal of this cart is passed on.
func (b *Basket) refused(c *fiber.Ctx, err error) error {
	f := fault.From(err)
	switch {
	case f == nil:
		return err
	case f.Kind == fault.Unauthorized:
		return b.see(c, "/sign-in")
	case errors.Is(err, checkout.ErrOrdered), errors.Is(err, checkout.ErrRefunded):
		receipt, _ := f.Details["receiptToken"].(string)
		return kit.See(c, b.Shell, "/receipt/"+receipt)
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.see(c, "/done")
	case errors.Is(err, checkout.ErrPaymentRequired), errors.Is(err, credit.ErrShort): // there was more credit when the page was shown
		return b.see(c, "/pay")
	case errors.Is(err, agreement.ErrOutstanding):
		return b.see(c, "/agreements")
	case errors.Is(err, checkout.ErrEmpty):
		return b.see(c, "")
	case errors.Is(err, checkout.ErrOther) && !b.signedIn():
		return b.see(c, "/sign-in")
	case errors.Is(err, checkout.ErrOther):
		return b.foreign(c)
	case f.Kind == fault.Conflict && b.reason(f.Reason) != nil:
		return b.back(c, f.Reason, b.About(err))
	}
	return err
}

// About is the id of the date that a refusal is about, or empty.
func About(err error) string {
	if f := fault.From(err); f != nil {
		id, _ := f.Details["occurrenceId"].(string)
		return id
	}
	return ""
}

// foreign is the page of somebody who is signed in and came to a cart that another person is booking with.
func (b *Basket) foreign(c *fiber.Ctx) error {
	c.Status(fiber.StatusConflict)
	w := b.Shell.Words
	return kit.Show(c, b.Shell, kit.ProblemPage(b.Shell, kit.Problem{
		Title: w.T("Somebody else is booking with this cart"),
		Text:  w.T("You are signed in as {email}, and this cart was begun with another address. Start a new one, or sign out first.", "email", b.Scope.Email),
		Links: []view.Link{{Text: w.T("See what’s on"), Href: "/" + b.Cart.LocationSlug}, {Text: w.T("My bookings"), Href: "/my"}},
	}))
}

// reasonOver is the reason of a hold that has ended. When its seats are free it has a page of its own, and when they are
// not the line says the rest.
var (
	reasonOver  = booking.ErrHoldExpired.Reason
	overAndGone = wording{"Your hold has ended", "We let your spots go, and somebody else was quicker. Nothing was charged."}
)

// wording is a trouble in words. {studio} is the studio's name, {least} the least that a card pays.
type wording struct{ title, text words.Text }

// reasons are what the cart's page says when a step was refused, by the refusal's reason. What a line says itself is not
// repeated here.
var reasons = map[string]wording{
	booking.ErrHoldExpired.Reason: {"Your hold has ended", "We let your spots go. Press Continue to take them again."},
	checkout.ErrNotHeld.Reason:    {"Something was added", "Press Continue to hold all of it."},
	checkout.ErrPriceChanged.Reason: {"The price has changed",
		"Nothing was booked. Look at what it costs now, and go on if you agree."},
	booking.ErrFull.Reason:        {"This has just filled up", "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrStarted.Reason:     {"This has begun", "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrCancelled.Reason:   {"The studio has cancelled this date", "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrNotBookable.Reason: {"This cannot be booked online now", "Nothing was booked. You can go on with the rest."},
	booking.ErrDuplicate.Reason:   {"You are booked there already", "You find it under My bookings."},
	booking.ErrTooManyHolds.Reason: {"You are holding other times",
		"Finish or leave one of your other bookings first: holds end by themselves after ten minutes."},
	booking.ErrPaymentStarted.Reason: {"This is being paid for",
		"You are paying for this time in another window. Finish there, or wait ten minutes."},
	checkout.ErrNotAtStudio.Reason: {"This cannot be paid at the studio", "Nothing was booked. Pay by card, or ask {studio}."},
	billing.ErrCardUnavailable.Reason: {"{studio} takes no payments online yet",
		"Nothing was booked. You can book what is free, or ask {studio} for a place."},
	billing.ErrBelowCardMinimum.Reason: {"This is too little for a card",
		"Cards can pay from {least} on. Add something to your booking, or ask {studio} for a place."},
	claim.ErrStaffBusy.Reason:        timeGone,
	claim.ErrSpaceBusy.Reason:        timeGone,
	availability.ErrClosed.Reason:    timeGone,
	availability.ErrTooLate.Reason:   timeGone,
	availability.ErrTooEarly.Reason:  timeGone,
	availability.ErrPartySize.Reason: timeGone,
	availability.ErrPaused.Reason:    {"The studio takes no bookings right now", "Nothing was booked. Try again later."},
}

var timeGone = wording{"A time is not free any more", "Nothing was booked. Choose another time, or go on with the rest."}

// reason is what the page says when a step was refused with a reason; nil for one that has no words.
func (b *Basket) reason(why string) *view.Trouble {
	if r, known := reasons[why]; known {
		return b.says(r)
	}
	return nil
}

func (b *Basket) says(r wording) *view.Trouble {
	w := b.Shell.Words
	values := []any{"studio", b.Cart.BusinessName, "least", w.Money(view.Price{Minor: b.Cart.Least, Currency: b.Cart.Totals.Currency})}
	return &view.Trouble{Title: w.T(r.title, values...), Text: w.T(r.text, values...)}
}
