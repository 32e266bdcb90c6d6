package cart

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/agreement"
	"foyer/app/hosted/agree"
	"foyer/app/order"
	"foyer/app/web/op"
)

// agreementPages are the agreement step of the cart. None of it needs a script.
func (h *site) agreementPages() {
	h.Get("/cart/:token/agreements", h.with(h.askedInCart((*agree.Signing).List)))
	h.Post("/cart/:token/agreements", op.RateStorefrontWrite, h.with(h.askedInCart((*agree.Signing).TakeBoxes)))
	h.Get("/cart/:token/agreements/:copy", h.with(h.askedInCart((*agree.Signing).Page)))
	h.Post("/cart/:token/agreements/:copy", op.RateStorefrontWrite, h.with(h.askedInCart((*agree.Signing).TakeOne)))
}

// asked are the agreements still required by the cart.
func (b *Basket) asked() []agreement.Requirement {
	if b.Cart.Order != nil && b.Cart.Order.State == order.Open {
		return nil // they had agreed when the payment began
	}
	return agreement.Open(b.Cart.Agreements)
}

// askedInCart runs a page of a cart's agreements. A visitor other than its customer is sent to the step that makes it
// theirs, and a customer without outstanding agreements to payment.
func (h *site) askedInCart(run func(*agree.Signing, *fiber.Ctx) error) func(*fiber.Ctx, *Basket) error {
	return func(c *fiber.Ctx, b *Basket) error {
		switch {
		case !b.signedIn():
			return b.see(c, "/sign-in")
		case b.Cart.PersonID == nil:
			return b.see(c, "")
		case !b.Cart.BelongsTo(b.Scope.Person()):
			return b.foreign(c)
		case len(b.asked()) == 0:
			return b.see(c, "/pay")
		}
		return run(&agree.Signing{
			StudioPage: b.StudioPage, Base: b.path("/agreements"), Title: b.Shell.T("Before you book"),
			Lacking: b.Shell.T("Tick the box to agree. This is required to book."), Required: b.Cart.Agreements,
			Order: b.orderOf(b.kept("/agreements")), Refused: b.refused,
			Take: func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Requirement, error) {
				return b.Checkout.Accept(ctx, b.Scope, b.Token, in)
			},
			Read: func(ctx context.Context) ([]agreement.Requirement, error) {
				cart, err := b.Checkout.Cart(ctx, b.Scope, b.Token)
				return cart.Agreements, err
			},
		}, c)
	}
}
