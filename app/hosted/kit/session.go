package kit

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/signin"
	"foyer/app/tenancy"
)

// The cookies, besides those of a sign-in (package signin), the visitor cookie of web.Forms and one for the cart of each location
// (cartCookie). In the frame they are what its ticket holds, see frame.go.
const (
	studioCookie   = "studio"   // the slug of the studio that My bookings was opened from
	BookingCookie  = "booking"  // the booking that somebody wanted to see before they signed in
	languageCookie = "language" // what its reader has chosen, see language.go
)

// keeper is what signs people in and out here.
func (h *Site) keeper() signin.Sessions {
	return signin.Sessions{Identity: h.Identity, Cookies: h.Cookies, Clock: h.Clock}
}

// PersonLocal keeps who is signed in for the time of a request.
const PersonLocal = "hosted.person"

// Person is who is signed in in this browser; the zero Principal when nobody is. A token that no longer works is taken
// off the browser.
func (h *Site) Person(c *fiber.Ctx) (tenancy.Principal, error) {
	if p, ok := c.Locals(PersonLocal).(tenancy.Principal); ok {
		return p, nil
	}
	p, err := h.keeper().Person(c)
	if err == nil && p.Person() != uuid.Nil {
		c.Locals(PersonLocal, p)
	}
	return p, err
}

// ScopeOf is that person, or nobody, on the public side of a business.
func (h *Site) ScopeOf(c *fiber.Ctx, business uuid.UUID) (tenancy.Scope, error) {
	p, err := h.Person(c)
	sc := tenancy.Visitor(p, business, tenancy.SurfaceHosted)
	sc.Visitor = h.Visitor(c)
	acting(c, p)
	return sc, err
}

// acting says in the request's context who acts from here on.
func acting(c *fiber.Ctx, p tenancy.Principal) {
	c.SetUserContext(tenancy.Acting(c.UserContext(), tenancy.Visitor(p, uuid.Nil, tenancy.SurfaceHosted)))
}

// signIn keeps a new session in the browser for as long as it can last (when it ends is the server's word), and makes its
// person the one of this request.
func (h *Site) signIn(c *fiber.Ctx, in identity.SignIn) error {
	p, err := h.Identity.Authenticate(c.UserContext(), in.Token)
	if err != nil {
		return err
	}
	h.keeper().Set(c, in)
	if in.Locale != "" {
		h.Speak(c, in.Locale)
	}
	c.Locals(PersonLocal, p)
	acting(c, p)
	return nil
}

// asker is who asks for a code or gives one back, as the limits count them.
func (h *Site) asker(c *fiber.Ctx) (identity.Origin, error) {
	p, err := h.Person(c)
	return identity.Origin{Visitor: h.Visitor(c), SignedIn: p.Email, Language: h.Speech(c), Device: h.keeper().Device(c)}, err
}

// SignOut ends the session of this browser, and takes with it what the next person at it should not see: the carts.
func (h *Site) SignOut(c *fiber.Ctx) error {
	p, err := h.Person(c)
	if err == nil {
		err = h.keeper().End(c, p)
	}
	for _, name := range h.Cookies.Names(c, cartPrefix) {
		h.Cookies.Clear(c, name)
	}
	c.Locals(PersonLocal, tenancy.Principal{})
	return err
}
