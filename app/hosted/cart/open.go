package cart

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// Basket is the cart in a page's address, with its customer and the shell of the page.
type Basket struct {
	kit.StudioPage
	Token string
	Cart  checkout.Cart
	claim context.Context             // under the one-time key of the form that fills it
	Added []uuid.UUID                 // the items that this form has added
	Last  uuid.UUID                   // the last of them, also if the form was sent before
	Short bool                        // there is no room for all of them
	terms map[uuid.UUID]catalog.Terms // of its items; read by know
	past  []time.Time                 // when the signed-in customer was granted a grace waiver before; read by know
}

// with runs a step of the cart in the path. A booked cart has only its receipt, with the attendees' names: only its
// customer is sent there, and a visitor is asked to sign in.
func (h *site) with(run func(c *fiber.Ctx, b *Basket) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		b, err := h.open(c)
		if err != nil {
			return err
		}
		switch o := b.Cart.Order; {
		case b.Cart.State != checkout.CartOrdered || o == nil:
			return run(c, b)
		case kit.WantsJSON(c):
			h.Cookies.Clear(c, kit.CartCookie(b.Cart.LocationID))
			return checkout.ErrOrdered
		case b.Cart.BelongsTo(b.Scope.Person()):
			return b.receipt(c, h.Orders.ReceiptToken(o.ID))
		case b.signedIn():
			return b.foreign(c)
		case strings.HasPrefix(c.Path(), b.path("/sign-in")):
			return run(c, b)
		default:
			return b.see(c, "/sign-in")
		}
	}
}

// open reads the cart in the path.
func (h *site) open(c *fiber.Ctx) (*Basket, error) { return h.openOf(c, c.Params("token")) }

// openOf reads the cart of a token.
func (h *site) openOf(c *fiber.Ctx, token string) (*Basket, error) {
	b := &Basket{StudioPage: kit.StudioPage{Site: h.Site}, Token: token}
	tenant, location, found, err := h.Checkout.FindCart(c.UserContext(), b.Token)
	if err == nil && !found {
		err = fault.Missing()
	}
	if err != nil {
		return nil, err
	}
	if b.Scope, err = h.ScopeOf(c, tenant); err != nil {
		return nil, err
	}
	err = kit.Together(
		func() (err error) { b.Cart, err = h.Checkout.Cart(c.UserContext(), b.Scope, b.Token); return err },
		func() (err error) {
			b.Studio, err = h.StudioOf(c, kit.Location{Tenant: tenant, Location: location})
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	b.Shell = h.ShellOf(c, b.Studio, cmp.Or(kit.Carried(c, view.FieldRef), b.Cart.Ref))
	b.Shell.CSRF, b.Shell.Said = h.TokenOf(c), b.said(c)
	return b, nil
}

// path is an address of this cart: "" for the cart itself, "/pay" for its payment.
func (b *Basket) path(step string) string { return "/cart/" + b.Token + step }

// see goes to a step of this cart, with a confirmation of the items that this form has just added.
func (b *Basket) see(c *fiber.Ctx, step string) error {
	to := b.path(step)
	if b.Last != uuid.Nil {
		to = kit.Query(to, fieldAdded, b.Last.String())
	}
	return kit.See(c, b.Shell, to)
}

// Show goes to the page of the cart, which confirms the new item.
func (b *Basket) Show(c *fiber.Ctx) error { return b.see(c, "") }

// fieldAdded is the parameter with the last of the items that were just added.
const fieldAdded = "added"

// said confirms the new items, as named in the address and still in the cart.
func (b *Basket) said(c *fiber.Ctx) string {
	i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.ItemID.String() == c.Query(fieldAdded) })
	if i < 0 {
		return ""
	}
	l := b.Cart.Lines[i]
	all := 0
	for _, o := range b.Cart.Lines {
		if kit.Thing(o) == kit.Thing(l) {
			all += o.Party
		}
	}
	w, when, people := b.Shell.Words, b.Shell.ShortWhen(l.StartsAt), b.Shell.People(all)
	switch {
	case !l.Kind.Seat():
		return w.T("Added: {name}.", "name", l.Name)
	case l.Course && all > 1:
		return w.T("Added: {name}, for {people}.", "name", l.Name, "people", people)
	case l.Course:
		return w.T("Added: {name}.", "name", l.Name)
	case all > 1:
		return w.T("Added: {name}, {when}, for {people}.", "name", l.Name, "when", when, "people", people)
	}
	return w.T("Added: {name}, {when}.", "name", l.Name, "when", when)
}

// back goes to the cart's page, with the reason. at is the date or the item it is about, or empty.
func (b *Basket) back(c *fiber.Ctx, why, at string) error {
	to := kit.Query(b.path(""), "why", why)
	if at != "" {
		to += "&at=" + at
	}
	return kit.See(c, b.Shell, to)
}

// signedIn reports whether the visitor is signed in.
func (b *Basket) signedIn() bool { return b.Scope.Person() != uuid.Nil }
