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

// Options are the domains with the verbs of the pages, and the settings.
type Options struct {
	assembly.Services
	Clock    clock.Clock
	BaseURL  string // as web.Options.BaseURL
	Root     string // target of /; empty: a page that explains how to find a studio
	ApplePay []byte // the file that Apple requires at our domain for Apple Pay; none: it is not offered
	// Cache drops a business's pages when one of its transactions commits. Without one every page is made anew.
	Cache *web.PageCache
}

// Site is the site of the booking pages with its options.
type Site struct {
	*web.Server
	Options
}

// New returns the site of a server. It panics when an option is missing.
func New(s *web.Server, o Options) *Site {
	if len(o.Missing()) > 0 || o.Clock == nil || o.BaseURL == "" {
		panic("hosted: an option is missing")
	}
	return &Site{s, o}
}

// StudioOnly passes a request on if the first part of its path cannot be a studio's address.
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

// Form passes a POST that is within its rate limit and comes from a page shown to this browser.
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
