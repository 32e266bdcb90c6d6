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

// Root is where the console lives: Root for whoever is to choose a business, Root + "/" + its address for its screens.
const Root = "/manage"

// Options are the domains whose verbs the screens call, and everything else; all of them are required, but for Practice.
type Options struct {
	assembly.Services
	Gate     op.Gate
	Clock    clock.Clock
	BaseURL  string
	Practice bool // money is play money here, and every screen says so
}

// Desk is where screens are registered. Make it with New.
type Desk struct {
	web *web.Server
	Options
	routes  []Route
	nav     []Entry
	make    []Entry
	opening opening
}

// Route is an address of the console and the operation that does the same.
type Route struct {
	Method, Path string // below Root: "/:business/bookings/:booking"
	Op           string
}

// Entry is a way to a screen: in the rail, in the New menu, on the page of settings.
type Entry struct {
	Op   string // whose feature it needs
	Path string // below the business
	Area string // the screens on which it is lit
	Icon string
	Text words.Text
	Key  string // in the rail: what opens it after "g"; in the New menu: what opens it
}

// New makes the desk of a server whose operations are all declared.
func New(s *web.Server, o Options) *Desk {
	if o.Gate.Enter == nil || o.Clock == nil || o.BaseURL == "" {
		panic("console: an option is missing")
	}
	if missing := o.Missing(); len(missing) > 0 {
		panic("console: no " + strings.Join(missing, ", "))
	}
	return &Desk{web: s, Options: o}
}

// Routes lists what was registered, in that order.
func (d *Desk) Routes() []Route { return d.routes }

// Rail adds the entries of the rail, from the top.
func (d *Desk) Rail(list ...Entry) { d.nav = append(d.nav, list...) }

// Makes adds what the New menu makes.
func (d *Desk) Makes(list ...Entry) { d.make = append(d.make, list...) }

// Page is a screen to look at. It must not change anything, but for the quotes of what it asks.
type Page func(c *Call) (ui.Screen, error)

// Page registers a screen under the operation that reads what it shows.
func (d *Desk) Page(operation, path string, show Page) {
	d.route(fiber.MethodGet, operation, path, func(c *Call) error { return c.show(show) })
}

// Form registers what a POST to path does, under the operation that does it.
func (d *Desk) Form(operation, path string, f Form) {
	if f.Do == nil {
		panic("console: " + path + " does nothing")
	}
	d.route(fiber.MethodPost, operation, path, func(c *Call) error { return c.post(f) })
}

// TakesFile lets the form at path, which may have parameters, bring a file of that many bytes.
func (d *Desk) TakesFile(path string, most int) {
	d.web.AcceptFiles(func(method, at string) int {
		_, below, _ := strings.Cut(strings.TrimPrefix(at, Root+"/"), "/")
		if method == fiber.MethodPost && strings.HasPrefix(at, Root+"/") && fits(path, "/"+below) {
			return most
		}
		return 0
	})
}

// fits tells whether an address is that of a path with parameters.
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

// File registers what is not a screen but a file, under the operation that reads what is in it.
func (d *Desk) File(operation, path string, send func(c *Call) error) {
	d.route(fiber.MethodGet, operation, path, send)
}

func (d *Desk) route(method, operation, path string, run func(c *Call) error) {
	_ = d.web.Operations.Admits(operation, tenancy.Grants{}) // panics when there is none
	d.routes = append(d.routes, Route{method, "/:business" + path, operation})
	d.web.App().Add(method, Root+"/:business"+path, func(ctx *fiber.Ctx) error {
		file, spoil := web.ParseUpload(ctx) // before anybody looks for a field
		c, err := d.enter(ctx, operation)
		if err != nil {
			return d.refuse(ctx, c, err)
		}
		if c == nil { // sent elsewhere
			return nil
		}
		c.file, c.spoil = file, spoil
		if err := run(c); err != nil {
			return d.refuse(ctx, c, err)
		}
		return nil
	})
}

// Plain registers a page of the console that is about no business: signing in, choosing one.
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

// Rest answers every other address of the console: there is nothing. It comes last.
func (d *Desk) Rest() {
	nothing := func(c *fiber.Ctx) error { return d.refuse(c, nil, fault.Missing()) }
	d.web.App().All(Root, nothing)
	d.web.App().All(Root+"/*", nothing)
}

// Person is who is signed in, with the shell of a page that is about no business. Error: web.ErrUnauthorized when nobody is.
func (d *Desk) Person(c *fiber.Ctx) (tenancy.Scope, ui.Shell, error) {
	p, err := d.keeper().Person(c)
	if err == nil && p.Person() == uuid.Nil {
		err = op.ErrUnauthorized
	}
	sh := d.house(c)
	sh.Person, sh.Email = p.Name, p.Email
	return tenancy.Visitor(p, uuid.Nil, tenancy.SurfaceConsole), sh, err
}

// Send shows a page that is no screen.
func (d *Desk) Send(c *fiber.Ctx, page templ.Component) error { return send(c, page) }

// Local tells whether an address is a page of the console, so that a form may lead back to it.
func Local(to string) bool {
	return (to == Root || strings.HasPrefix(to, Root+"/") || strings.HasPrefix(to, Root+"?")) && !strings.ContainsAny(to, "\\\r\n\x00")
}

// now is the clock of the program.
func (d *Desk) now() time.Time { return d.Clock.Now() }
