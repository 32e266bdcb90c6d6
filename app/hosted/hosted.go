package hosted

import (
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/hosted/agree"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/connect"
	"foyer/app/hosted/invite"
	"foyer/app/hosted/kit"
	"foyer/app/hosted/my"
	"foyer/app/hosted/shop"
	"foyer/app/hosted/studio"
	"foyer/app/hosted/upload"
	"foyer/app/hosted/waiting"
	"foyer/app/web"
	"foyer/app/web/assets"
)

// Options are the domains with the verbs of the pages, and the settings.
type Options = kit.Options

// Register mounts the pages and their files. It leaves a path alone if its first part cannot be a studio's address.
// It panics when an option is missing.
func Register(s *web.Server, o Options) {
	h := kit.New(s, o)
	upload.Register(h)
	s.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler)
	s.App().Use(h.Framed)
	if len(o.ApplePay) > 0 {
		h.Get("/.well-known/apple-developer-merchantid-domain-association", applePay(o.ApplePay))
	}
	invite.Register(h)
	connect.Register(h)
	my.Register(h)
	cart.Register(h)
	agree.Register(h)
	shop.Register(h)
	studio.Register(h)
	waiting.Register(h)
}

// applePay serves the file with which Apple verifies our domain, byte for byte. The processor provides it, and asks
// Apple to check.
func applePay(file []byte) fiber.Handler {
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "text/plain; charset=utf-8")
		return c.Send(file)
	}
}

// ErrorPage answers with an error page, or in JSON if the client accepts that.
func ErrorPage(c *fiber.Ctx, status int, f *fault.Error) error { return kit.ErrorPage(c, status, f) }
