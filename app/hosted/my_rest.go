package hosted

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/view"
)

// rest is what a deposit has left to pay of the booking; nil when nothing is, or no card can.
func (b *myBooking) rest(c *fiber.Ctx) (*view.PayRest, error) {
	left, err := b.site.Checkout.RestOf(c.UserContext(), b.BusinessID, b.Booking)
	if err != nil || left == 0 {
		return nil, err
	}
	v := &view.PayRest{Form: formTo(b.path("/pay")), Amount: view.Price{Minor: left, Currency: b.Currency}}
	first := b.StartsAt
	if len(b.Dates) > 0 {
		first = b.Dates[0].StartsAt
	}
	if at, asked := b.Rules.Deposit.RestFrom(first); asked && b.Shell.Now.Before(at) {
		v.At = &at
	}
	return v, nil
}

// payRest takes the form of the rest: it goes on to the page on which what is owed is paid.
func (h *site) payRest(c *fiber.Ctx, b *myBooking) error {
	token, err := h.Checkout.PayRest(c.UserContext(), b.Scope, b.ID)
	w := b.Shell.Words
	switch {
	case errors.Is(err, checkout.ErrPaymentPending):
		return b.show(c, nil, &view.Trouble{Title: w.T("Your payment is being processed"), Text: w.T("This can take a moment. There is no need to pay again.")})
	case errors.Is(err, checkout.ErrNothingToPay):
		return b.show(c, nil, &view.Trouble{Title: w.T("There is nothing to pay here"), Text: w.T("This is paid, or is not owed any more.")})
	case err != nil:
		return err
	}
	return see(c, b.Shell, "/receipt/"+token+"/pay")
}
