package kit

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
)

// Options are the domains whose verbs the pages call, and everything else; all of them are required.
type Options struct {
	assembly.Services
	Clock    clock.Clock
	BaseURL  string // as web.Options.BaseURL
	Root     string // where / leads; empty: to a page that says how to get to a studio
	ApplePay []byte // what Apple asks for at our domain before it offers Apple Pay on it; none: it is not offered
}

// Site is the surface with what it needs.
type Site struct {
	*web.Server
	Options
}

// New is the site of a server. It panics when something is missing.
func New(s *web.Server, o Options) *Site {
	if len(o.Missing()) > 0 || o.Clock == nil || o.BaseURL == "" {
		panic("hosted: an option is missing")
	}
	return &Site{s, o}
}

// StudioOnly leaves a path alone whose first part cannot be a studio's address: it belongs to somebody else, or to nobody.
func StudioOnly(run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if tenancy.CheckSlug(strings.ToLower(c.Params("slug"))) != nil {
			return c.Next()
		}
		return run(c)
	}
}

// Get mounts a page about one customer.
func (h *Site) Get(path string, run fiber.Handler) { h.App().Get(path, web.Compressed(run)) }

// Post mounts the target of a form.
func (h *Site) Post(path string, class op.Rate, run fiber.Handler) {
	h.App().Post(path, h.Form(class, run))
}

// Form lets a POST through that is within its rate limit and comes from a page this browser was shown.
func (h *Site) Form(class op.Rate, run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := h.Limiter.Allow(c.UserContext(), class, h.Visitor(c)); err != nil {
			return err
		}
		if err := h.Forms.Check(c); err != nil {
			return err
		}
		p, err := h.Person(c)
		if err != nil {
			return err
		}
		acting(c, p)
		return run(c)
	}
}
