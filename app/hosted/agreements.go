package hosted

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/agreement"
	"foyer/app/checkout"
	"foyer/app/web"
)

// agreementPages are the words of agreements, which everybody may read who has their address, and the step of the cart that asks for
// them. None of it needs a script.
func (h *site) agreementPages() {
	h.get("/agreements/:business/:copy", h.readAgreement)
	h.get("/cart/:token/agreements", h.with(h.askedInCart((*asking).list)))
	h.post("/cart/:token/agreements", web.RateStorefrontWrite, h.with(h.askedInCart((*asking).takeBoxes)))
	h.get("/cart/:token/agreements/:copy", h.with(h.askedInCart((*asking).page)))
	h.post("/cart/:token/agreements/:copy", web.RateStorefrontWrite, h.with(h.askedInCart((*asking).takeOne)))
}

// asked is what the cart still asks of its customer.
func (b *basket) asked() []agreement.Ask {
	if b.Cart.Order != nil && b.Cart.Order.State == checkout.OrderOpen {
		return nil // they had agreed when the payment began
	}
	return agreement.Open(b.Cart.Agreements)
}

// askedInCart runs a page of what a cart asks for. Who is not the one whose cart it is goes to the step that makes it theirs, and who has
// nothing to agree to on to pay.
func (h *site) askedInCart(run func(*asking, *fiber.Ctx) error) func(*fiber.Ctx, *basket) error {
	return func(c *fiber.Ctx, b *basket) error {
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
		return run(&asking{
			studioPage: b.studioPage, base: b.path("/agreements"), title: b.Shell.T("Before you book"),
			lacking: b.Shell.T("Tick what you agree to. Without it this cannot be booked."), asks: b.Cart.Agreements,
			order: b.orderOf(b.kept("/agreements")), refused: b.refused,
			take: func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Ask, error) {
				return b.Checkout.Accept(ctx, b.Scope, b.Token, in)
			},
			read: func(ctx context.Context) ([]agreement.Ask, error) {
				cart, err := b.Checkout.Cart(ctx, b.Scope, b.Token)
				return cart.Agreements, err
			},
		}, c)
	}
}
