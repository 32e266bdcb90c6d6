// Package console is the surface for running a studio: the screens below /manage. Each area has a package of its own,
// built on package desk (access, forms) and package ui (components); this one assembles them.
package console

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/console/accounting"
	"foyer/app/console/bookings"
	"foyer/app/console/calendar"
	"foyer/app/console/catalog"
	"foyer/app/console/customers"
	"foyer/app/console/dates"
	"foyer/app/console/desk"
	"foyer/app/console/gallery"
	"foyer/app/console/giftcards"
	"foyer/app/console/keys"
	"foyer/app/console/payouts"
	"foyer/app/console/plans"
	"foyer/app/console/products"
	"foyer/app/console/reports"
	"foyer/app/console/sales"
	"foyer/app/console/search"
	"foyer/app/console/settings"
	"foyer/app/console/till"
	"foyer/app/console/today"
	"foyer/app/console/ui"
	"foyer/app/console/welcome"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/app/web"
)

// Options are the dependencies of the console.
type Options struct {
	desk.Options
	Gallery bool // show the components, in every state
}

// Register mounts the console on a server after all its operations are declared, and returns its desk.
func Register(s *web.Server, o Options) *desk.Desk {
	d := desk.New(s, o.Options)
	d.SignInPages()
	d.Plain(fiber.MethodGet, "", func(c *fiber.Ctx) error { return choose(d, c) })
	d.Rail(
		desk.Entry{Op: "getBusiness", Path: "", Area: "today", Icon: "today", Text: "Today", Key: "t"},
		desk.Entry{Op: "listBookings", Path: "/calendar", Area: "calendar", Icon: "calendar", Text: "Calendar", Key: "c"},
		desk.Entry{Op: "listCustomers", Path: "/customers", Area: "customers", Icon: "people", Text: "Customers", Key: "p"},
		desk.Entry{Op: "listBookings", Path: "/bookings", Area: "bookings", Icon: "ticket", Text: "Bookings", Key: "b"},
		desk.Entry{Op: "listOfferings", Path: "/catalog", Area: "catalog", Icon: "catalog", Text: "Catalog", Key: "o"},
		desk.Entry{Op: "listProducts", Path: "/products", Area: "products", Icon: "goods", Text: "Products", Key: "d"},
		desk.Entry{Op: "listPlans", Path: desk.PlansAt, Area: "plans", Icon: "plan", Text: "Plans", Key: "a"},
		desk.Entry{Op: "listPayments", Path: "/sales", Area: "sales", Icon: "money", Text: "Sales", Key: "m"},
		desk.Entry{
			Op: "getRevenueReport", Path: desk.ReportRevenue, Area: "reports", Icon: "report", Text: "Reports", Key: "r",
		},
		desk.Entry{Op: "getBusiness", Path: "/settings", Area: "settings", Icon: "settings", Text: "Settings", Key: "s"},
	)
	d.Makes(
		desk.Entry{Op: "createBooking", Path: "/bookings/new", Icon: "ticket", Text: "Booking", Key: "n"},
		desk.Entry{Op: "createCustomer", Path: "/customers/new", Icon: "person", Text: "Customer"},
		desk.Entry{Op: "createOffering", Path: "/catalog/new", Icon: "catalog", Text: "Offering"},
		desk.Entry{Op: "checkInWalkin", Path: "/walkins", Icon: "walk", Text: "Walk-in", Key: "w"},
	)
	for _, register := range []func(*desk.Desk){
		today.Register, calendar.Register, dates.Register, bookings.Register, customers.Register, search.Register, catalog.Register, settings.Register,
		payouts.Register, reports.Register, sales.Register, welcome.Register, keys.Register, till.Register,
		accounting.Register, giftcards.Register, products.Register, plans.Register,
	} {
		register(d)
	}
	if o.Gallery {
		gallery.Register(d)
	}
	d.NotFound()
	return d
}

// choose lists the businesses of the signed-in person; a single one is opened.
func choose(d *desk.Desk, c *fiber.Ctx) error {
	sc, sh, err := d.Person(c)
	if err != nil {
		return err
	}
	page, err := d.Business.Mine(c.UserContext(), sc, paging.In[uuid.UUID]{Limit: paging.Max})
	if err != nil {
		return err
	}
	var list []view.Link
	for _, m := range page.Items {
		list = append(list, view.Link{Text: m.Business.Name, Href: desk.Root + "/" + m.Business.Slug})
	}
	if len(list) == 1 && c.Query("all") == "" {
		return c.Redirect(list[0].Href, fiber.StatusSeeOther)
	}
	return d.Send(c, ui.ChooserPage(sh, list))
}
