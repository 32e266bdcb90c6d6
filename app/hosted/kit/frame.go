package kit

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/view"
	"foyer/app/web"
)

// Framed makes a request one of the booking frame (embed=1) before anything else looks at it, so that whatever answers it,
// a refusal too, stays in the frame. The pages of invited owners are never framed (E126).
func (h *Site) Framed(c *fiber.Ctx) error {
	c.Locals(localSite, h)
	embed := c.Query(view.FieldEmbed)
	if embed == "" && c.Method() == fiber.MethodPost {
		embed = c.FormValue(view.FieldEmbed)
	}
	if embed != "1" || strings.HasPrefix(c.Path(), "/invite/") {
		return c.Next()
	}
	h.Frames.Enter(c)
	if err := h.returned(c); err != nil {
		return err
	}
	return c.Next()
}

// Embedded tells whether a request belongs to the booking frame.
func Embedded(c *fiber.Ctx) bool { return web.JarOf(c) != nil }

// InFrame is the shell as the request's frame needs it, and unchanged outside of one.
func InFrame(c *fiber.Ctx, sh view.Shell) view.Shell {
	if j := web.JarOf(c); j != nil {
		sh.Embed, sh.Ticket = true, j
	}
	return sh
}

// Discreet makes an answer in the frame one that nobody keeps, and that tells nobody its address: both hold the ticket.
// The origin is told still. A page that tells nothing at all posts its forms as if it came from nowhere, and they would be
// refused.
func Discreet(c *fiber.Ctx) {
	if Embedded(c) {
		c.Set(fiber.HeaderReferrerPolicy, "strict-origin")
		c.Set(fiber.HeaderCacheControl, "no-store")
	}
}

// Elsewhere sends on to the address of today of something that had another one.
func Elsewhere(c *fiber.Ctx, to string) error {
	Discreet(c)
	return c.Redirect(InFrame(c, view.Shell{}).Link(to), fiber.StatusMovedPermanently)
}

// FieldPass is the parameter in which somebody brings a pass back that they were given in place of the ticket.
const FieldPass = "_pass"

// How long a pass is good: the processor and the customer's bank may take a while, a redirect takes a moment.
const (
	PassLife = time.Hour
	hopLife  = time.Minute
)

// returnedLocal marks a request of a customer who came with a pass.
const returnedLocal = "hosted.returned"

// returned lets in whoever comes with a pass, once. Opened again, the processor's address still settles the payment and
// tells what became of it, for as long as the pass is good, and lets nobody go on from there as the one who paid.
func (h *Site) returned(c *fiber.Ctx) error {
	pass := c.Query(FieldPass)
	if pass == "" || !h.Frames.EnterBy(c, pass) {
		return nil
	}
	c.Locals(returnedLocal, true)
	sum := sha256.Sum256([]byte(pass))
	used, err := h.DB.Hit(c.UserContext(), "pass "+base64.RawURLEncoding.EncodeToString(sum[:]), 1, 2*PassLife)
	if err != nil || used.Allowed {
		return err
	}
	if strings.HasSuffix(c.Path(), "/done") {
		_, err = h.Person(c)
	}
	h.keeper().Clear(c)
	return err
}

// onward is the address of a redirect. A browser that comes from elsewhere says so of every redirect on its way, and a
// ticket is no good then: who came with a pass goes on with a pass.
func onward(c *fiber.Ctx, sh view.Shell, to string) string {
	if c.Locals(returnedLocal) == nil {
		return sh.Link(to)
	}
	sh.Ticket = nil
	u, err := url.Parse(sh.Link(to))
	if err != nil {
		return to
	}
	q := u.Query()
	q.Set(FieldPass, web.JarOf(c).Pass(u.Path, hopLife))
	u.RawQuery = q.Encode()
	return u.String()
}
