package kit

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/signin"
	"foyer/app/tenancy"
)

// The cookies, besides those of a sign-in (package signin), the visitor cookie of web.Forms and one for the cart of
// each location (cartCookie). In the frame they are values of its ticket, see frame.go.
const (
	studioCookie   = "studio"   // the slug of the studio that linked to My bookings
	wantedCookie   = "wanted"   // the path of the page below /my to open after signing in
	languageCookie = "language" // the reader's choice, see language.go
)

// keeper signs people in and out.
func (h *Site) keeper() signin.Sessions {
	return signin.Sessions{Identity: h.Identity, Cookies: h.Cookies, Clock: h.Clock}
}

// PersonLocal is the key of the signed-in person in a request.
const PersonLocal = "hosted.person"

// Person returns the person signed in in this browser; the zero Principal without one. It removes the cookie of a
// token that no longer works.
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

// ScopeOf returns the scope of that person, or of an anonymous visitor, on the public side of a business.
func (h *Site) ScopeOf(c *fiber.Ctx, business uuid.UUID) (tenancy.Scope, error) {
	p, err := h.Person(c)
	sc := tenancy.Visitor(p, business, tenancy.SurfaceHosted)
	sc.Visitor = h.Visitor(c)
	acting(c, p)
	return sc, err
}

// acting sets the actor in the request's context from here on.
func acting(c *fiber.Ctx, p tenancy.Principal) {
	c.SetUserContext(tenancy.Acting(c.UserContext(), tenancy.Visitor(p, uuid.Nil, tenancy.SurfaceHosted)))
}

// signIn stores a new session in the browser for its maximum lifetime (the server decides when it ends), and makes
// its person the one of this request.
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

// asker is the origin of a request for a code or of its entry, for the rate limits.
func (h *Site) asker(c *fiber.Ctx) (identity.Origin, error) {
	p, err := h.Person(c)
	return identity.Origin{Visitor: h.Visitor(c), SignedIn: p.Email, Language: h.Speech(c), Device: h.keeper().Device(c)}, err
}

// SignOut ends the session of this browser, and removes the carts, which the next person at it should not see.
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
