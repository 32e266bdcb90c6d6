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

// Framed makes a request one of the booking frame (embed=1) before any other use of it, so that every answer, a
// refusal too, stays in the frame. The pages of invited owners are never framed (E126), and neither is the consent of
// assistants.
func (h *Site) Framed(c *fiber.Ctx) error {
	c.Locals(localSite, h)
	embed := c.Query(view.FieldEmbed)
	if embed == "" && c.Method() == fiber.MethodPost {
		embed = c.FormValue(view.FieldEmbed)
	}
	if embed != "1" || strings.HasPrefix(c.Path(), "/invite/") || strings.HasPrefix(c.Path(), "/oauth/") {
		return c.Next()
	}
	h.Frames.Enter(c)
	if err := h.returned(c); err != nil {
		return err
	}
	return c.Next()
}

// Embedded reports whether a request belongs to the booking frame.
func Embedded(c *fiber.Ctx) bool { return web.JarOf(c) != nil }

// InFrame adds the request's frame to a shell. Outside of a frame it returns the shell unchanged.
func InFrame(c *fiber.Ctx, sh view.Shell) view.Shell {
	if j := web.JarOf(c); j != nil {
		sh.Embed, sh.Ticket = true, j
	}
	return sh
}

// Discreet prevents caching of an answer in the frame, and limits its referrer to the origin: the address and the
// page hold the ticket. The origin is still sent, because without it forms would be posted with a null origin and
// refused.
func Discreet(c *fiber.Ctx) {
	if Embedded(c) {
		c.Set(fiber.HeaderReferrerPolicy, "strict-origin")
		c.Set(fiber.HeaderCacheControl, "no-store")
	}
}

// MovedPermanently redirects from a former address to the current one.
func MovedPermanently(c *fiber.Ctx, to string) error {
	Discreet(c)
	return c.Redirect(InFrame(c, view.Shell{}).Link(to), fiber.StatusMovedPermanently)
}

// FieldPass is the parameter with a pass, used in place of the ticket.
const FieldPass = "_pass"

// The lifetimes of passes: the processor and the customer's bank may take a while, a redirect takes a moment.
const (
	PassLife = time.Hour
	hopLife  = time.Minute
)

// returnedLocal marks a request of a customer with a pass.
const returnedLocal = "hosted.returned"

// returned admits the bearer of a pass, once. Opened again, the processor's address still completes the payment and
// shows its outcome while the pass is good, but not as the payer.
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

// onward is the address of a redirect. A browser that comes from another site sends that with every redirect, and a
// ticket is ignored then: a request with a pass is redirected with a pass.
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
