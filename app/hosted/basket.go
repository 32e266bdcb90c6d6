package hosted

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// basket is the cart of a page's address, with whose it is and what surrounds the page.
type basket struct {
	studioPage
	Token string
	Cart  checkout.Cart
	claim context.Context             // under the one-time key of the form that fills it
	added []uuid.UUID                 // the items that this form has added
	last  uuid.UUID                   // the last of them, also when the form was sent before
	short bool                        // there is no room for all of them
	terms map[uuid.UUID]catalog.Terms // of what is in it; read by know
	past  []time.Time                 // when whoever is signed in was forgiven a fee for cancelling late; read by know
}

// with runs a step of the cart that the path names. One that is booked already has nothing left but its receipt, which says who
// is coming: only who booked it is led there, and whoever is not signed in is asked to.
func (h *site) with(run func(c *fiber.Ctx, b *basket) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		b, err := h.open(c)
		if err != nil {
			return err
		}
		switch o := b.Cart.Order; {
		case b.Cart.State != checkout.CartOrdered || o == nil:
			return run(c, b)
		case wantsJSON(c):
			h.Cookies.Clear(c, cartCookie(b.Cart.LocationID))
			return checkout.ErrOrdered
		case b.Cart.BelongsTo(b.Scope.Person()):
			return b.receipt(c, h.Checkout.ReceiptToken(o.ID))
		case b.signedIn():
			return b.foreign(c)
		case strings.HasPrefix(c.Path(), b.path("/sign-in")):
			return run(c, b)
		default:
			return b.see(c, "/sign-in")
		}
	}
}

// open reads the cart that the path names.
func (h *site) open(c *fiber.Ctx) (*basket, error) {
	b := &basket{studioPage: studioPage{site: h}, Token: c.Params("token")}
	tenant, location, found, err := h.Checkout.FindCart(c.UserContext(), b.Token)
	if err == nil && !found {
		err = fault.Missing()
	}
	if err != nil {
		return nil, err
	}
	if b.Scope, err = h.scope(c, tenant); err != nil {
		return nil, err
	}
	err = together(
		func() (err error) { b.Cart, err = h.Checkout.Cart(c.UserContext(), b.Scope, b.Token); return err },
		func() (err error) { b.Studio, err = h.studioOf(c, place{tenant, location}); return err },
	)
	if err != nil {
		return nil, err
	}
	b.Shell = h.shell(c, b.Studio, cmp.Or(carried(c, view.FieldRef), b.Cart.Ref))
	b.Shell.CSRF, b.Shell.Said = h.token(c), b.said(c)
	return b, nil
}

// path is an address of this cart: "" for the cart itself, "/pay" for its payment.
func (b *basket) path(step string) string { return "/cart/" + b.Token + step }

// see goes to a step of this cart, which says what this form has just added.
func (b *basket) see(c *fiber.Ctx, step string) error {
	to := b.path(step)
	if b.last != uuid.Nil {
		to = query(to, fieldAdded, b.last.String())
	}
	return see(c, b.Shell, to)
}

// fieldAdded is the parameter with the last of the items that were just added.
const fieldAdded = "added"

// said is what was just added, as the address tells it and as far as it is still there.
func (b *basket) said(c *fiber.Ctx) string {
	i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool { return l.ItemID.String() == c.Query(fieldAdded) })
	if i < 0 {
		return ""
	}
	l := b.Cart.Lines[i]
	all := 0
	for _, o := range b.Cart.Lines {
		if thing(o) == thing(l) {
			all += o.Party
		}
	}
	w, when, people := b.Shell.Words, b.Shell.ShortWhen(l.StartsAt), b.Shell.People(all)
	switch {
	case l.Course && all > 1:
		return w.T("Added: {name}, for {people}.", "name", l.Name, "people", people)
	case l.Course:
		return w.T("Added: {name}.", "name", l.Name)
	case all > 1:
		return w.T("Added: {name}, {when}, for {people}.", "name", l.Name, "when", when, "people", people)
	}
	return w.T("Added: {name}, {when}.", "name", l.Name, "when", when)
}

// back goes to the cart's page, which says why. at is the date or the item it is about, or empty.
func (b *basket) back(c *fiber.Ctx, why, at string) error {
	to := query(b.path(""), "why", why)
	if at != "" {
		to += "&at=" + at
	}
	return see(c, b.Shell, to)
}

// signedIn tells whether somebody is.
func (b *basket) signedIn() bool { return b.Scope.Person() != uuid.Nil }

// cartAge is how long a browser remembers a cart.
const cartAge = checkout.CartsKept

// cartCookie is the name of the cookie with the token of a location's cart. It is for the schedule's bar and for adding
// to what is there; the cart's own pages know their token from the address.
func cartCookie(location uuid.UUID) string { return cartPrefix + hex.EncodeToString(location[:]) }

const cartPrefix = "cart_"

// chosenAt reads the open cart that this browser has at the studio; the zero value without one.
func (h *site) chosenAt(c *fiber.Ctx, s *studio) (cart checkout.Cart, token string, err error) {
	if token = h.Cookies.Get(c, cartCookie(s.Location.ID)); token == "" {
		return checkout.Cart{}, "", nil
	}
	cart, err = h.Checkout.Cart(c.UserContext(), tenancy.Visitor(tenancy.Principal{}, s.Business.ID, tenancy.SurfaceHosted), token)
	if fault.IsKind(err, fault.NotFound) || err == nil && cart.State != checkout.CartOpen {
		h.Cookies.Clear(c, cartCookie(s.Location.ID))
		return checkout.Cart{}, "", nil
	}
	return cart, token, err
}

// barOf is the foot of the studio's pages while this browser has something in its cart there; nil without.
func barOf(w view.Words, cart checkout.Cart, token string) *view.CartBar {
	if len(cart.Lines) == 0 {
		return nil
	}
	return &view.CartBar{
		Label: counted(w, cart.Lines), Total: view.TotalOf(cart.Totals),
		Hold: holdOf(cart, view.Form{}), Href: "/cart/" + token,
	}
}
