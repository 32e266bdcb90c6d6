package desk

import (
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/app/words"
)

// Root is the path of the console: Root for the choice of a business, Root + "/" + its address for its screens.
const Root = "/manage"

// Options are the domains used by the screens, and all else; all of them are required, except Practice.
type Options struct {
	assembly.Services
	Gate     op.Gate
	Clock    clock.Clock
	BaseURL  string
	Practice bool // test mode of payments, shown on every screen
}

// Desk is the registry of screens. Create it with New.
type Desk struct {
	web *web.Server
	Options
	routes  []Route
	nav     []Entry
	make    []Entry
	opening opening
}

// Route is an address of the console and the corresponding operation.
type Route struct {
	Method, Path string // below Root: "/:business/bookings/:booking"
	Op           string
}

// Entry is a link to a screen: in the rail, in the New menu, on the page of settings.
type Entry struct {
	Op   string // the operation, with its feature
	Path string // below the business
	Area string // screens on which it is highlighted
	Icon string
	Text words.Text
	Key  string // in the rail: what opens it after "g"; in the New menu: what opens it
}

// New returns the desk of a server after all its operations are declared.
func New(s *web.Server, o Options) *Desk {
	if o.Gate.Enter == nil || o.Clock == nil || o.BaseURL == "" {
		panic("console: an option is missing")
	}
	if missing := o.Missing(); len(missing) > 0 {
		panic("console: no " + strings.Join(missing, ", "))
	}
	return &Desk{web: s, Options: o}
}

// Routes lists the registered routes, in their order.
func (d *Desk) Routes() []Route { return d.routes }

// Rail adds the entries of the rail, from the top.
func (d *Desk) Rail(list ...Entry) { d.nav = append(d.nav, list...) }

// Makes adds entries to the New menu.
func (d *Desk) Makes(list ...Entry) { d.make = append(d.make, list...) }

// Page renders a screen. It must not change anything, except quotes.
type Page func(c *Call) (ui.Screen, error)

// Page registers a screen under the operation that reads its data.
func (d *Desk) Page(operation, path string, show Page) {
	d.route(fiber.MethodGet, operation, path, func(c *Call) error { return c.show(show) })
}

// Form registers a POST to path, under its operation.
func (d *Desk) Form(operation, path string, f Form) {
	if f.Do == nil {
		panic("console: " + path + " does nothing")
	}
	d.route(fiber.MethodPost, operation, path, func(c *Call) error { return c.post(f) })
}

// TakesFile allows the form at path, possibly with parameters, a file of at most that many bytes.
func (d *Desk) TakesFile(path string, most int) {
	d.web.AcceptFiles(func(method, at string) int {
		_, below, _ := strings.Cut(strings.TrimPrefix(at, Root+"/"), "/")
		if method == fiber.MethodPost && strings.HasPrefix(at, Root+"/") && fits(path, "/"+below) {
			return most
		}
		return 0
	})
}

// fits reports whether an address matches a path with parameters.
func fits(path, at string) bool {
	want, have := strings.Split(path, "/"), strings.Split(at, "/")
	if len(want) != len(have) {
		return false
	}
	for i, part := range want {
		if part != have[i] && !(strings.HasPrefix(part, ":") && have[i] != "") {
			return false
		}
	}
	return true
}

// File registers a file instead of a screen, under the operation that reads its data.
func (d *Desk) File(operation, path string, send func(c *Call) error) {
	d.route(fiber.MethodGet, operation, path, send)
}

func (d *Desk) route(method, operation, path string, run func(c *Call) error) {
	_ = d.web.Operations.Admits(operation, tenancy.Grants{}) // panics when there is none
	d.routes = append(d.routes, Route{method, "/:business" + path, operation})
	d.web.App().Add(method, Root+"/:business"+path, func(ctx *fiber.Ctx) error {
		file, spoil := web.ParseUpload(ctx) // before any field is read
		c, err := d.enter(ctx, operation)
		if err != nil {
			return d.refuse(ctx, c, err)
		}
		if c == nil { // redirected
			return nil
		}
		c.file, c.spoil = file, spoil
		if err := run(c); err != nil {
			return d.refuse(ctx, c, err)
		}
		return nil
	})
}

// Plain registers a page of the console without a business: signing in, choosing one.
func (d *Desk) Plain(method, path string, run fiber.Handler) {
	d.web.App().Add(method, Root+path, func(ctx *fiber.Ctx) error {
		if method == fiber.MethodPost {
			if err := d.web.Forms.Check(ctx); err != nil {
				return d.refuse(ctx, nil, err)
			}
		}
		if err := run(ctx); err != nil {
			return d.refuse(ctx, nil, err)
		}
		return nil
	})
}

// NotFound answers every other address of the console with not found. It comes last.
func (d *Desk) NotFound() {
	nothing := func(c *fiber.Ctx) error { return d.refuse(c, nil, fault.Missing()) }
	d.web.App().All(Root, nothing)
	d.web.App().All(Root+"/*", nothing)
}

// Person returns the scope of the signed-in person, with the shell of a page without a business. Error:
// web.ErrUnauthorized for a visitor.
func (d *Desk) Person(c *fiber.Ctx) (tenancy.Scope, ui.Shell, error) {
	p, err := d.keeper().Person(c)
	if err == nil && p.Person() == uuid.Nil {
		err = op.ErrUnauthorized
	}
	sh := d.house(c)
	sh.Person, sh.Email = p.Name, p.Email
	return tenancy.Visitor(p, uuid.Nil, tenancy.SurfaceConsole), sh, err
}

// Send sends a page that is no screen.
func (d *Desk) Send(c *fiber.Ctx, page templ.Component) error { return send(c, page) }

// Local reports whether an address is a page of the console, so that a form may redirect to it.
func Local(to string) bool {
	return (to == Root || strings.HasPrefix(to, Root+"/") || strings.HasPrefix(to, Root+"?")) && !strings.ContainsAny(to, "\\\r\n\x00")
}

// now returns the time of the program's clock.
func (d *Desk) now() time.Time { return d.Clock.Now() }
