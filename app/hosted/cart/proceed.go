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
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/billing"
	"foyer/billing/credit"
	cards "foyer/billing/giftcard"
	"foyer/billing/processor"
)

// About returns the subject of a refusal in the form for an address: the date's id, or the item's id for a time of an
// appointment or a rental and for one attendee of a date; empty for the whole cart. A refusal of a time carries its
// index among the items that were not held yet.
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

// seat is the id of the item for an attendee of a date; the date's own without a name.
func (b *Basket) seat(date string, attendee any) string {
	name, named := attendee.(string)
	for _, l := range b.Cart.Lines {
		if named && names.Same(l.Attendee, name) && kit.IsOn(l, date) {
			return l.ItemID.String()
		}
	}
	return date
}

// errStep means that the customer must sign in or give their name before seats are held.
var errStep = errors.New("hosted: sign-in or details required first")

// Proceed holds the seats of the cart and goes on to pay. Otherwise it goes to the step before, or to the cart's page
// with the obstacle. quoted is the total that the customer saw on pressing Continue; nil if they saw only the prices
// of the classes.
func (b *Basket) Proceed(c *fiber.Ctx, quoted *int64) error { return b.Onwards(c, b.Hold(c, quoted)) }

// Hold holds all seats of the cart or none: repeating it changes nothing. It returns errStep if the customer is not
// known.
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

// unpayable is the refusal of a cart that cannot be paid, before the customer enters anything; nil when it can.
func (b *Basket) unpayable() error {
	switch {
	case b.Cart.Totals.TotalAmount == 0, b.Cart.Card, b.Cart.AtStudio != nil, b.Cart.Order != nil:
		return nil
	case b.Cart.Least > 0:
		return billing.ErrBelowCardMinimum
	}
	return processor.ErrCardUnavailable
}

// Onwards goes to the page that fits the result of Hold. Unavailable seats are shown on the cart's page, each at its
// own line with other dates of the same class.
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

// refused goes to the page that explains a refusal of checkout or booking. Other errors are returned.
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
	case errors.Is(err, checkout.ErrPaymentRequired), errors.Is(err, credit.ErrShort),
		errors.Is(err, cards.ErrShort), errors.Is(err, cards.ErrUnusable): // it was spent since
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

// About returns the id of the date that a refusal is about, or empty.
func About(err error) string {
	if f := fault.From(err); f != nil {
		id, _ := f.Details["occurrenceId"].(string)
		return id
	}
	return ""
}

// foreign is the page of a signed-in person with another person's cart.
func (b *Basket) foreign(c *fiber.Ctx) error {
	c.Status(fiber.StatusConflict)
	w := b.Shell.Words
	return kit.Show(c, b.Shell, kit.ProblemPage(b.Shell, kit.Problem{
		Title: w.T("Another customer is booking with this cart"),
		Text:  w.T("You are signed in as {email}, and this cart was started with another address. Start a new one, or sign out first.", "email", b.Scope.Email),
		Links: []view.Link{{Text: w.T("See what’s on"), Href: "/" + b.Cart.LocationSlug}, {Text: w.T("My bookings"), Href: "/my"}},
	}))
}

// reasonOver is the reason of an expired hold. When its seats are free it has a page of its own, and when they are
// not the lines have the details.
var (
	reasonOver  = booking.ErrHoldExpired.Reason
	overAndGone = wording{"Your hold has expired", "Your spots were released and are no longer available. Nothing was charged."}
)

// itemsOver and itemsGone are the messages of an expired hold of a cart without seats.
var (
	itemsOver = wording{"Your hold has expired", "Your items were released. Press Continue to hold them again."}
	itemsGone = wording{"Your hold has expired",
		"Your items were released and are no longer available. Nothing was charged."}
)

// spots returns a text about the spots of the cart, or about its items if it has no seat.
func (b *Basket) spots(spots, items words.Text) string {
	if b.Cart.HasSeats() {
		return b.Shell.T(spots)
	}
	return b.Shell.T(items)
}

// wording is an error in words. {studio} is the studio's name, {least} the minimum charge of a card.
type wording struct{ title, text words.Text }

// reasons are the messages of the cart's page when a step was refused, by the refusal's reason. They do not repeat
// the messages of lines.
var reasons = map[string]wording{
	booking.ErrHoldExpired.Reason: {"Your hold has expired", "Your spots were released. Press Continue to hold them again."},
	checkout.ErrNotHeld.Reason:    {"An item was added", "Press Continue to hold everything in your cart."},
	checkout.ErrPriceChanged.Reason: {"The price has changed",
		"Nothing was booked. Check the new price, and continue if you agree."},
	booking.ErrFull.Reason:        {"This has just filled up", "Nothing was booked. Choose another date, or continue with the other items."},
	booking.ErrStarted.Reason:     {"This has begun", "Nothing was booked. Choose another date, or continue with the other items."},
	booking.ErrCancelled.Reason:   {"The studio has cancelled this date", "Nothing was booked. Choose another date, or continue with the other items."},
	booking.ErrNotBookable.Reason: {"This cannot be booked online now", "Nothing was booked. You can continue with the other items."},
	booking.ErrDuplicate.Reason:   {"You are already booked for this", "See it under My bookings."},
	booking.ErrTooManyHolds.Reason: {"You are holding spots at other times",
		"Finish or release one of your other bookings first. Holds expire after ten minutes."},
	booking.ErrPaymentStarted.Reason: {"A payment for this is in progress",
		"You are paying for this time in another window. Finish there, or wait ten minutes."},
	checkout.ErrNotAtStudio.Reason: {"This cannot be paid at the studio", "Nothing was booked. Pay by card, or ask {studio}."},
	processor.ErrCardUnavailable.Reason: {"{studio} does not take online payments yet",
		"Nothing was booked. You can book items that are free of charge, or ask {studio} for a spot."},
	billing.ErrBelowCardMinimum.Reason: {"This amount is too small for a card",
		"The minimum for a card payment is {least}. Add something to your booking, or ask {studio} for a spot."},
	claim.ErrStaffBusy.Reason:        timeGone,
	claim.ErrSpaceBusy.Reason:        timeGone,
	availability.ErrClosed.Reason:    timeGone,
	availability.ErrTooLate.Reason:   timeGone,
	availability.ErrTooEarly.Reason:  timeGone,
	availability.ErrPartySize.Reason: timeGone,
	order.ErrSoldOut.Reason:          productGone,
	product.ErrUnavailable.Reason:    productGone,
	product.ErrNotAtLocation.Reason:  productGone,
	plan.ErrUnavailable.Reason: {"This plan is not sold here any more",
		"Nothing was bought. Remove it to continue."},
	plan.ErrOwned.Reason: {"You have this plan already",
		"Nothing was bought. It can be bought only so often: remove it to continue."},
	plan.ErrNotNew.Reason: {"This plan is for new customers", "Nothing was bought. Remove it to continue."},
	plan.ErrConsent.Reason: {"This plan renews now",
		"Nothing was bought. Remove it, then choose it again to agree to its renewals."},
	availability.ErrPaused.Reason: {"The studio is not taking bookings right now", "Nothing was booked. Try again later."},
}

var productGone = wording{
	"A product is no longer available", "Nothing was booked. Continue without it, or choose fewer of it.",
}

var timeGone = wording{"A time is no longer available", "Nothing was booked. Choose another time, or continue with the other items."}

// reason is the page's message when a step was refused with a reason; nil without one.
func (b *Basket) reason(why string) *view.Trouble {
	if why == reasonOver && !b.Cart.HasSeats() {
		return b.says(itemsOver)
	}
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
