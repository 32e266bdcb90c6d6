package cart

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/hosted/kit"
	"foyer/app/names"
	"foyer/app/view"
)

// cartDoor is the sign-in between the cart and the payment.
func (h *site) cartDoor() {
	d := &kit.SignInFlow{Site: h.Site, Base: func(c *fiber.Ctx) string { return "/cart/" + c.Params("token") + "/sign-in" }}
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.with(func(_ *fiber.Ctx, b *Basket) error { return page(b.Shell, b.orderOf(nil)) })(c)
	}
	d.Next = h.with(func(c *fiber.Ctx, b *Basket) error { return b.Proceed(c, nil) })
	h.Get("/cart/:token/sign-in", h.with(func(c *fiber.Ctx, b *Basket) error {
		if b.signedIn() {
			return b.see(c, b.resumed(c))
		}
		return d.Show(c, "", nil)
	}))
	d.Hang("/cart/:token/sign-in", kit.Always)
}

// resumed is the step for a customer sent to sign in despite being signed in. In the frame that happens on reloading
// the payment page: its address does not carry the ticket, and a moment later it is found again.
func (b *Basket) resumed(c *fiber.Ctx) string {
	if kit.Embedded(c) && b.Cart.Hold != nil {
		return "/pay"
	}
	return ""
}

// askDetails shows the form for a new customer's name.
func (h *site) askDetails(c *fiber.Ctx, b *Basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	return b.showDetails(c, kit.Details{Name: b.Scope.Actor.Name})
}

func (b *Basket) showDetails(c *fiber.Ctx, v kit.Details) error {
	v.Form, v.Order = kit.FormTo(b.path("/details")), b.orderOf(nil)
	return kit.Show(kit.Troubled(c, v.Trouble), b.Shell, kit.DetailsPage(b.Shell, v))
}

// saveDetails stores name and phone in the person's profile and goes on.
func (h *site) saveDetails(c *fiber.Ctx, b *Basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	v := kit.Details{Name: names.Clean(c.FormValue("name")), Phone: strings.TrimSpace(c.FormValue("phone"))}
	err := h.Introduce(c, v.Name, &v.Phone)
	if tr, ok := kit.TroubleOf(b.Shell.Words, err, "name", "phone"); ok {
		v.Trouble = tr
		return b.showDetails(c, v)
	}
	if err != nil {
		return err
	}
	if b.Scope, err = h.ScopeOf(c, b.Scope.Tenant); err != nil {
		return err
	}
	return b.Proceed(c, nil)
}
