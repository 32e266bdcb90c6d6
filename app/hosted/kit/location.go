package kit

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// Find looks up the first part of an address. If that is a former address or differs in spelling, moved is the
// current one (with the following parts), to redirect the visitor to.
func (h *Site) Find(c *fiber.Ctx) (f business.Found, moved string, err error) {
	first := c.Params("slug")
	f, err = h.Business.FindSlug(c.UserContext(), first)
	if err == nil && f.Redirect {
		moved = "/" + f.Slug + strings.TrimPrefix(c.OriginalURL(), "/"+first)
	}
	return f, moved, err
}

// Locations lists the open locations of a business, as its public page shows them.
func (h *Site) Locations(c *fiber.Ctx, tenant uuid.UUID) ([]business.Location, error) {
	page, err := h.Business.Locations(c.UserContext(), tenancy.System(tenant, tenancy.SurfaceHosted),
		paging.In[uuid.UUID]{Limit: paging.Max})
	return page.Items, err
}

// Location is a location of a business.
type Location struct{ Tenant, Location uuid.UUID }

// LocationOf returns the location of an address: the location's own, or that of a business with only one.
func (h *Site) LocationOf(c *fiber.Ctx) (at Location, moved string, err error) {
	f, moved, err := h.Find(c)
	if err != nil || moved != "" || f.Location != uuid.Nil {
		return Location{f.Business, f.Location}, moved, err
	}
	open, err := h.Locations(c, f.Business)
	if err == nil && len(open) != 1 {
		err = fault.Missing()
	}
	if err != nil {
		return Location{}, "", err
	}
	return Location{f.Business, open[0].ID}, "", nil
}

// PageOf reads the offering in the path.
func (h *Site) PageOf(c *fiber.Ctx, at Location) (catalog.Page, error) {
	return catalog.PageOf(c.UserContext(), h.DB.View(at.Tenant), at.Location, c.Params("listing"))
}

// Instant parses an instant in an address; the zero time if it is invalid.
func Instant(text string) time.Time {
	t, _ := schedule.ParseInstant(text)
	return t
}

// ShopPath is the address of the shop of a location with this address.
func ShopPath(home string) string { return "/shop" + home }

// PlansPath is the address of the plans that a location with this address sells.
func PlansPath(home string) string { return ShopPath(home) + "/plans" }

// PlanPath is the address of a membership that a location with this address sells.
func PlanPath(home string, plan uuid.UUID) string { return PlansPath(home) + "/" + plan.String() }
