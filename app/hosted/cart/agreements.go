package cart

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/agreement"
	"foyer/app/checkout"
	"foyer/app/hosted/agree"
	"foyer/app/web/op"
)

// agreementPages are the step of the cart that asks for agreements. None of it needs a script.
func (h *site) agreementPages() {
	h.Get("/cart/:token/agreements", h.with(h.askedInCart((*agree.Asking).List)))
	h.Post("/cart/:token/agreements", op.RateStorefrontWrite, h.with(h.askedInCart((*agree.Asking).TakeBoxes)))
	h.Get("/cart/:token/agreements/:copy", h.with(h.askedInCart((*agree.Asking).Page)))
	h.Post("/cart/:token/agreements/:copy", op.RateStorefrontWrite, h.with(h.askedInCart((*agree.Asking).TakeOne)))
}

// asked is what the cart still asks of its customer.
func (b *Basket) asked() []agreement.Requirement {
	if b.Cart.Order != nil && b.Cart.Order.State == checkout.OrderOpen {
		return nil // they had agreed when the payment began
	}
	return agreement.Open(b.Cart.Agreements)
}

// askedInCart runs a page of what a cart asks for. Who is not the one whose cart it is goes to the step that makes it theirs, and who has
// nothing to agree to on to pay.
func (h *site) askedInCart(run func(*agree.Asking, *fiber.Ctx) error) func(*fiber.Ctx, *Basket) error {
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
		return run(&agree.Asking{
			StudioPage: b.StudioPage, Base: b.path("/agreements"), Title: b.Shell.T("Before you book"),
			Lacking: b.Shell.T("Tick what you agree to. Without it this cannot be booked."), Asks: b.Cart.Agreements,
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
