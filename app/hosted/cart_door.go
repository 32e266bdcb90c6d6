package hosted

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/view"
)

// cartDoor is where a customer signs in on the way from the cart to the payment.
func (h *site) cartDoor() {
	d := &door{site: h, base: func(c *fiber.Ctx) string { return "/cart/" + c.Params("token") + "/sign-in" }}
	d.around = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.with(func(_ *fiber.Ctx, b *basket) error { return page(b.Shell, b.orderOf(nil)) })(c)
	}
	d.next = h.with(func(c *fiber.Ctx, b *basket) error { return b.proceed(c, nil) })
	h.get("/cart/:token/sign-in", h.with(func(c *fiber.Ctx, b *basket) error {
		if b.signedIn() {
			return b.see(c, b.resumed(c))
		}
		return d.show(c, "", nil)
	}))
	d.hang("/cart/:token/sign-in", always)
}

// resumed is the step to which somebody comes who was sent to sign in and is signed in after all. In the frame that is who
// loads the payment page anew: its address does not carry the ticket, which is found again a moment later.
func (b *basket) resumed(c *fiber.Ctx) string {
	if embedded(c) && b.Cart.Hold != nil {
		return "/pay"
	}
	return ""
}

// askDetails asks somebody new for their name.
func (h *site) askDetails(c *fiber.Ctx, b *basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	return b.showDetails(c, view.Details{Name: b.Scope.Actor.Name})
}

func (b *basket) showDetails(c *fiber.Ctx, v view.Details) error {
	v.Form, v.Order = formTo(b.path("/details")), b.orderOf(nil)
	return show(troubled(c, v.Trouble), b.Shell, view.DetailsPage(b.Shell, v))
}

// saveDetails keeps name and phone on the person's profile and goes on.
func (h *site) saveDetails(c *fiber.Ctx, b *basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	v := view.Details{Name: names.Clean(c.FormValue("name")), Phone: strings.TrimSpace(c.FormValue("phone"))}
	err := h.introduce(c, v.Name, &v.Phone)
	if tr, ok := troubleOf(b.Shell.Words, err, "name", "phone"); ok {
		v.Trouble = tr
		return b.showDetails(c, v)
	}
	if err != nil {
		return err
	}
	if b.Scope, err = h.scope(c, b.Scope.Tenant); err != nil {
		return err
	}
	return b.proceed(c, nil)
}

// introduce writes the signed-in person's name, and phone number unless it is nil, into their profile.
func (h *site) introduce(c *fiber.Ctx, name string, phone *string) error {
	p, err := h.person(c)
	if err != nil {
		return err
	}
	profile, err := h.Identity.Profile(c.UserContext(), p)
	if err != nil {
		return err
	}
	in := identity.ProfileInput{Version: profile.Version, Name: &name, Phone: phone}
	return h.once(c, func(ctx context.Context) error {
		changed, err := h.Identity.UpdateProfile(ctx, p, in)
		if err == nil {
			p.Actor.Name = changed.Name
			c.Locals(personLocal, p)
		}
		return err
	})
}
