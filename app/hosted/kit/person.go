package kit

import (
	"context"
	"maps"
	"regexp"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// Introduce writes the signed-in person's name, and phone number unless it is nil, into their profile.
func (h *Site) Introduce(c *fiber.Ctx, name string, phone *string) error {
	p, err := h.Person(c)
	if err != nil {
		return err
	}
	profile, err := h.Identity.Profile(c.UserContext(), p)
	if err != nil {
		return err
	}
	in := identity.ProfileInput{Version: profile.Version, Name: &name, Phone: phone}
	return h.Once(c, func(ctx context.Context) error {
		changed, err := h.Identity.UpdateProfile(ctx, p, in)
		if err == nil {
			p.Actor.Name = changed.Name
			c.Locals(PersonLocal, p)
		}
		return err
	})
}

// StudioShell returns the shell of the studio that linked to My bookings; the browser remembers it until it is
// closed. Without a studio, or for one that no longer exists, it is the platform's shell.
func (h *Site) StudioShell(c *fiber.Ctx) view.Shell {
	slug := c.Query("at")
	if slug == "" {
		slug = h.Cookies.Get(c, studioCookie)
	} else if tenancy.CheckSlug(slug) == nil {
		h.Cookies.Set(c, studioCookie, slug, 0)
	}
	if slug == "" {
		return h.PlatformShell(c)
	}
	f, err := h.Business.FindSlug(c.UserContext(), slug)
	if err != nil || f.Location == uuid.Nil {
		return h.PlatformShell(c)
	}
	s, err := h.StudioOf(c, Location{f.Business, f.Location})
	if err != nil {
		return h.PlatformShell(c)
	}
	sh := h.ShellOf(c, s, Carried(c, view.FieldRef))
	sh.CSRF, sh.Mine = h.TokenOf(c), ""
	return sh
}

// CostBases returns the facts for the cost of cancelling bookings, by their ids, in one trip for each business with a
// booking that can be cancelled.
func (h *Site) CostBases(c *fiber.Ctx, list []booking.CustomerBooking) (map[uuid.UUID]booking.CostBasis, error) {
	standing := map[uuid.UUID][]booking.Booking{}
	for _, b := range list {
		if _, may := b.CustomerMay(booking.ActCancel, h.Clock.Now()); may {
			standing[b.BusinessID] = append(standing[b.BusinessID], b.Booking)
		}
	}
	out := map[uuid.UUID]booking.CostBasis{}
	for business, of := range standing {
		some, err := order.CostBasesOf(c.UserContext(), h.DB.View(business), of)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, some)
	}
	return out, nil
}

// WaitlistPath is the path of the page of a waitlist entry, without its token.
const WaitlistPath = "/my/waitlist/"

// Own runs a page for the signed-in person. Others are sent to sign in first.
func (h *Site) Own(run func(c *fiber.Ctx, p tenancy.Principal) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p, err := h.Person(c)
		if err != nil {
			return err
		}
		if p.Person() == uuid.Nil {
			wanted := ""
			if c.Method() == fiber.MethodGet {
				wanted = c.Path()
			}
			return h.SignInFirst(c, wanted)
		}
		return run(c, p)
	}
}

// SignInFirst leads to the sign-in of My bookings, and from there to a page by its path, which begins with "/my/". An
// empty one stands for My bookings.
func (h *Site) SignInFirst(c *fiber.Ctx, wanted string) error {
	if wanted != "" {
		h.Cookies.Set(c, wantedCookie, wanted, identity.CodeLife)
	}
	return See(c, CarriedOnly(c), "/my/sign-in")
}

// pagesOfMine are the paths that SignInFirst is called with.
var pagesOfMine = regexp.MustCompile(`^/my(/[a-z0-9-]+)+$`)

// Wanted returns the path of the page that SignInFirst was called with, once.
func (h *Site) Wanted(c *fiber.Ctx) string {
	wanted := h.Cookies.Get(c, wantedCookie)
	if wanted == "" {
		return "/my"
	}
	h.Cookies.Clear(c, wantedCookie)
	if !pagesOfMine.MatchString(wanted) {
		return "/my"
	}
	return wanted
}
