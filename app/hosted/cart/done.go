package cart

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/billing"
	"foyer/billing/processor"
)

// done is the return address of the card form and the bank. The address proves nothing about the payment: done asks
// the processor, and completes the payment here unless its event was faster. Opening it again leads to the same
// receipt.
func (h *site) done(c *fiber.Ctx, b *Basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	done, err := h.Checkout.Confirm(c.UserContext(), b.Scope, b.Token)
	if err != nil {
		return b.settled(c, err)
	}
	return b.receipt(c, done.Token)
}

// receipt redirects to the receipt and lets the browser forget the cart, unless it keeps another one: see buyPlan.
func (b *Basket) receipt(c *fiber.Ctx, token string) error {
	if name := kit.CartCookie(b.Cart.LocationID); b.Cookies.Get(c, name) == b.Token {
		b.Cookies.Clear(c, name)
	}
	return kit.See(c, b.Shell, "/receipt/"+token)
}

// settled shows the outcome of a payment without a receipt yet.
func (b *Basket) settled(c *fiber.Ctx, err error) error {
	w := b.Shell.Words
	p := kit.Problem{
		Title: w.T("Your payment is being processed"),
		Text: b.spots(
			"This can take a moment. There is no need to pay again: we book your spots as soon as the payment goes "+
				"through, and e-mail you.",
			"This can take a moment. There is no need to pay again: we complete your order as soon as the payment goes "+
				"through, and e-mail you."),
		Links: []view.Link{{Text: w.T("Check again"), Href: b.path("/done")}, {Text: w.T("My bookings"), Href: "/my"}},
	}
	switch {
	case err == nil:
		return b.see(c, "/done")
	case errors.Is(err, checkout.ErrPaymentRequired):
		return kit.See(c, b.Shell, kit.Query(b.path("/pay"), "why", "declined"))
	case errors.Is(err, checkout.ErrPaymentPending):
		return kit.Show(c, b.Shell, kit.ProblemPage(b.Shell, p))
	case errors.Is(err, processor.ErrDown), errors.Is(err, billing.ErrMismatch):
		c.Status(fiber.StatusInternalServerError)
		p.Title = w.T("We could not check your payment")
		p.Text = b.spots(
			"The payment service is not responding. Do not pay again: if the payment went through, we book your spots "+
				"and e-mail you.",
			"The payment service is not responding. Do not pay again: if the payment went through, we complete your "+
				"order and e-mail you.")
		return kit.Show(c, b.Shell, kit.ProblemPage(b.Shell, p))
	case fault.From(err) == nil:
		return err
	}
	return b.refused(c, err)
}
