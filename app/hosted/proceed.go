package hosted

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/view"
)

// errStep says that somebody has to say who they are before seats are held for them.
var errStep = errors.New("hosted: a step is left")

// proceed holds the seats of the cart and goes on to pay; or goes to the step that comes before, or to the cart's page,
// which says what is in the way. quoted is the total that the customer saw and pressed Continue under; nil when they saw
// the prices of the classes only.
func (b *basket) proceed(c *fiber.Ctx, quoted *int64) error { return b.onwards(c, b.hold(c, quoted)) }

// hold keeps all seats of the cart or none: repeating it changes nothing. errStep when it is not known for whom.
func (b *basket) hold(c *fiber.Ctx, quoted *int64) error {
	if !b.signedIn() || b.Scope.Actor.Name == "" {
		return errStep
	}
	_, err := b.Checkout.Hold(c.UserContext(), b.Scope, b.Token, checkout.HoldInput{QuotedAmount: quoted})
	return err
}

// onwards goes to where the answer of hold leads. Seats that cannot be had are told on the cart's page, each at its own
// line with other dates of the same class.
func (b *basket) onwards(c *fiber.Ctx, err error) error {
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
func (b *basket) refused(c *fiber.Ctx, err error) error {
	f := fault.From(err)
	switch {
	case f == nil:
		return err
	case f.Kind == fault.Unauthorized:
		return b.see(c, "/sign-in")
	case errors.Is(err, checkout.ErrOrdered), errors.Is(err, checkout.ErrRefunded):
		receipt, _ := f.Details["receiptToken"].(string)
		return see(c, b.Shell, "/receipt/"+receipt)
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.see(c, "/done")
	case errors.Is(err, checkout.ErrEmpty):
		return b.see(c, "")
	case errors.Is(err, checkout.ErrOther) && !b.signedIn():
		return b.see(c, "/sign-in")
	case errors.Is(err, checkout.ErrOther):
		return b.foreign(c)
	case f.Kind == fault.Conflict && reasons[f.Reason] != nil:
		return b.back(c, f.Reason, b.about(err))
	}
	return err
}

// about is the id of the date that a refusal is about, or empty.
func about(err error) string {
	if f := fault.From(err); f != nil {
		id, _ := f.Details["occurrenceId"].(string)
		return id
	}
	return ""
}

// foreign is the page of somebody who is signed in and came to a cart that another person is booking with.
func (b *basket) foreign(c *fiber.Ctx) error {
	c.Status(fiber.StatusConflict)
	return show(c, b.Shell, view.ProblemPage(b.Shell, view.Problem{
		Title: "Somebody else is booking with this cart",
		Text:  "You are signed in as " + b.Scope.Email + ", and this cart was begun with another address. Start a new one, or sign out first.",
		Links: []view.Link{{Text: "See what’s on", Href: "/" + b.Cart.LocationSlug}, {Text: "My bookings", Href: "/my"}},
	}))
}

// reasonOver is the reason of a hold that has ended. When its seats are free it has a page of its own, and when they are
// not the line says the rest.
var (
	reasonOver  = booking.ErrHoldOver.Reason
	overAndGone = &view.Trouble{Title: "Your hold has ended", Text: "We let your spots go, and somebody else was quicker. Nothing was charged."}
)

// reasons are what the cart's page says when a step was refused, by the refusal's reason. What a line says itself is not
// repeated here.
var reasons = map[string]*view.Trouble{
	booking.ErrHoldOver.Reason: {Title: "Your hold has ended", Text: "We let your spots go. Press Continue to take them again."},
	checkout.ErrNotHeld.Reason: {Title: "Something was added", Text: "Press Continue to hold all of it."},
	checkout.ErrPriceChanged.Reason: {Title: "The price has changed",
		Text: "Nothing was booked. Look at what it costs now, and go on if you agree."},
	booking.ErrFull.Reason:        {Title: "This has just filled up", Text: "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrStarted.Reason:     {Title: "This has begun", Text: "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrCancelled.Reason:   {Title: "The studio has cancelled this date", Text: "Nothing was booked. Choose another date, or go on with the rest."},
	booking.ErrNotBookable.Reason: {Title: "This cannot be booked online now", Text: "Nothing was booked. You can go on with the rest."},
	booking.ErrDuplicate.Reason: {Title: "You are booked there already",
		Text: "Your bookings stand under My bookings."},
	booking.ErrTooManyHolds.Reason: {Title: "You are holding other times",
		Text: "Finish or leave one of your other bookings first: holds end by themselves after ten minutes."},
	booking.ErrPaymentStarted.Reason: {Title: "This is being paid for",
		Text: "You are paying for this time in another window. Finish there, or wait ten minutes."},
	claim.ErrStaffBusy.Reason:        timeGone,
	claim.ErrSpaceBusy.Reason:        timeGone,
	availability.ErrClosed.Reason:    timeGone,
	availability.ErrTooLate.Reason:   timeGone,
	availability.ErrTooEarly.Reason:  timeGone,
	availability.ErrPartySize.Reason: timeGone,
	availability.ErrPaused.Reason:    {Title: "The studio takes no bookings right now", Text: "Nothing was booked. Try again later."},
}

var timeGone = &view.Trouble{Title: "A time is not free any more", Text: "Nothing was booked. Choose another time, or go on with the rest."}
