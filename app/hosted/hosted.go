package hosted

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/clock"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/app/web"
	"foyer/app/web/assets"
)

// Options are the domains whose verbs the pages call, and everything else; all of them are required.
type Options struct {
	Identity     *identity.Service
	Business     *business.Service
	Schedule     *schedule.Service
	Availability *availability.Service
	Booking      *booking.Service
	Waitlist     *waitlist.Service
	Walkin       *walkin.Service
	Checkout     *checkout.Service
	Sales        *sales.Service
	Agreement    *agreement.Service
	DB           *pg.DB
	Clock        clock.Clock
	BaseURL      string // as web.Options.BaseURL
	Root         string // where / leads; empty: to a page that says how to get to a studio
	ApplePay     []byte // what Apple asks for at our domain before it offers Apple Pay on it; none: it is not offered
}

// site is the surface with what it needs.
type site struct {
	*web.Server
	Options
}

// Register mounts the pages, and the files they load. A path whose first part cannot be a studio's address is left to
// what is registered later. It panics when something is missing.
func Register(s *web.Server, o Options) {
	if o.Identity == nil || o.Business == nil || o.Schedule == nil || o.Availability == nil || o.Booking == nil || o.Waitlist == nil ||
		o.Walkin == nil || o.Checkout == nil || o.Sales == nil || o.Agreement == nil || o.DB == nil || o.Clock == nil || o.BaseURL == "" {
		panic("hosted: an option is missing")
	}
	h := &site{s, o}
	s.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler)
	s.App().Use(h.framed)
	h.get("/", h.root)
	if len(o.ApplePay) > 0 {
		h.get("/.well-known/apple-developer-merchantid-domain-association", h.applePay)
	}
	h.invitePages()
	h.myPages()
	h.profilePages()
	h.cardPages()
	h.placePages()
	h.cartPages()
	h.agreementPages()
	h.myAgreementPages()
	h.get("/receipt/:token", h.receipt)
	h.get("/receipt/:token/calendar.ics", h.calendar)
	h.feePages()

	public := compress.New(compress.Config{Level: compress.LevelBestSpeed})
	s.App().Get("/:slug", studioOnly(public), studioOnly(h.front))
	s.App().Get("/:slug/look.css", studioOnly(h.look))
	s.App().Get("/:slug/:listing", studioOnly(public), studioOnly(h.listing))
	s.App().Post("/:slug/:listing", studioOnly(h.form(web.RateStorefrontWrite, h.add)))
	h.waitPages()
}

// studioOnly leaves a path alone whose first part cannot be a studio's address: it belongs to somebody else, or to nobody.
func studioOnly(run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if tenancy.CheckSlug(strings.ToLower(c.Params("slug"))) != nil {
			return c.Next()
		}
		return run(c)
	}
}

// applePay serves the file, byte for byte, by which Apple knows that the domain is ours. The processor gives it, and asks Apple to look.
func (h *site) applePay(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, "text/plain; charset=utf-8")
	return c.Send(h.ApplePay)
}

// get mounts a page about one customer.
func (h *site) get(path string, run fiber.Handler) { h.App().Get(path, web.Compressed(run)) }

// post mounts the target of a form.
func (h *site) post(path string, class web.Rate, run fiber.Handler) {
	h.App().Post(path, h.form(class, run))
}

// form lets a POST through that is within its rate limit and comes from a page this browser was shown.
func (h *site) form(class web.Rate, run fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := h.Limiter.Allow(c.UserContext(), class, h.Visitor(c)); err != nil {
			return err
		}
		if err := h.Forms.Check(c); err != nil {
			return err
		}
		p, err := h.person(c)
		if err != nil {
			return err
		}
		acting(c, p)
		return run(c)
	}
}
