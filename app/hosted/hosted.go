package hosted

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/hosted/agree"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/invite"
	"foyer/app/hosted/kit"
	"foyer/app/hosted/my"
	"foyer/app/hosted/studio"
	"foyer/app/hosted/waiting"
	"foyer/app/web"
	"foyer/app/web/assets"
)

// Options are the domains whose verbs the pages call, and everything else.
type Options = kit.Options

// Register mounts the pages, and the files they load. A path whose first part cannot be a studio's address is left to
// what is registered later. It panics when something is missing.
func Register(s *web.Server, o Options) {
	h := kit.New(s, o)
	s.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler)
	s.App().Use(h.Framed)
	if len(o.ApplePay) > 0 {
		h.Get("/.well-known/apple-developer-merchantid-domain-association", applePay(o.ApplePay))
	}
	invite.Register(h)
	my.Register(h)
	cart.Register(h)
	agree.Register(h)
	studio.Register(h)
	waiting.Register(h)
}

// applePay serves the file, byte for byte, by which Apple knows that the domain is ours. The processor gives it, and asks Apple to look.
func applePay(file []byte) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "text/plain; charset=utf-8")
		return c.Send(file)
	}
}

// ErrorPage answers what went wrong with a page, or in JSON where that is asked for.
func ErrorPage(c *fiber.Ctx, status int, f *fault.Error) error { return kit.ErrorPage(c, status, f) }
