package desk

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/app/words"
)

// enter authenticates a request and checks the feature of its operation against the person's grants in the business
// of the address. A nil call without an error means that the browser was redirected.
func (d *Desk) enter(ctx *fiber.Ctx, operation string) (*Call, error) {
	f, err := d.Business.FindSlug(ctx.UserContext(), ctx.Params("business"))
	if err != nil {
		return nil, err
	}
	if f.Redirect && ctx.Method() == fiber.MethodGet && f.Location == uuid.Nil {
		rest := strings.TrimPrefix(ctx.OriginalURL(), Root+"/"+ctx.Params("business"))
		return nil, ctx.Redirect(Root+"/"+f.Slug+rest, fiber.StatusMovedPermanently)
	}
	if f.Location != uuid.Nil { // the address of a location is no business
		return nil, fault.Missing()
	}
	c := &Call{Ctx: ctx, Desk: d}
	e, err := d.Gate.Enter(ctx.UserContext(), op.Knock{
		Bearer: d.keeper().Token(ctx), Kind: op.KindBusiness, ID: f.Business.String(), Roles: true,
	})
	if err != nil {
		return nil, err
	}
	if e.Principal.Kind != tenancy.ActorPerson {
		return nil, op.ErrUnauthorized
	}
	c.Scope = tenancy.Visitor(e.Principal, f.Business, tenancy.SurfaceConsole)
	c.Scope.Visitor = d.web.Visitor(ctx)
	if !e.Member {
		return nil, op.ErrNoRole
	}
	c.Scope.Grants = e.Grants
	ctx.SetUserContext(tenancy.Acting(ctx.UserContext(), c.Scope))
	if c.Workspace, err = d.Business.Workspace(ctx.UserContext(), c.Scope); err != nil {
		return nil, err
	}
	c.choose()
	c.UI = d.shell(c)
	return c, d.web.Operations.Admits(operation, e.Grants)
}

// placeCookie holds the id of the selected location, or nothing for all of them.
const placeCookie = "place"

// choose sets the selected location: ?at= of the address, else the browser's cookie. A caller with one location gets
// that.
func (c *Call) choose() {
	at, given := c.Query("at"), c.Request().URI().QueryArgs().Has("at")
	if given && c.Method() == fiber.MethodGet {
		c.Desk.web.Cookies.Set(c.Ctx, placeCookie, at, 365*24*time.Hour)
	}
	if !given {
		at = c.Desk.web.Cookies.Get(c.Ctx, placeCookie)
	}
	if len(c.Workspace.Locations) == 1 {
		c.Location = &c.Workspace.Locations[0]
		return
	}
	if i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.Slug == at }); i >= 0 {
		c.Location = &c.Workspace.Locations[i]
	}
}

// Zone returns the time zone of the screen: that of the selected location, of the first one if all are selected, of
// the business without any.
func (c *Call) Zone() *time.Location {
	switch {
	case c.Location != nil:
		return civil.ZoneOrUTC(c.Location.Zone)
	case len(c.Workspace.Locations) > 0:
		return civil.ZoneOrUTC(c.Workspace.Locations[0].Zone)
	}
	return civil.ZoneOrUTC(c.Workspace.Business.Zone)
}

// country returns the country that decides the format of dates and numbers.
func (c *Call) country() string {
	if c.Location != nil {
		return c.Location.Address.Country
	}
	for _, l := range c.Workspace.Locations {
		if l.Address.Country != "" {
			return l.Address.Country
		}
	}
	return ""
}

// shell returns the shell of this request's screens.
func (d *Desk) shell(c *Call) ui.Shell {
	base := Root + "/" + c.Workspace.Business.Slug
	sh := ui.Shell{
		Words:    view.WordsAt(d.language(c.Ctx), c.country(), c.Zone(), d.now()),
		Business: c.Workspace.Business.Name, Base: base, Person: cmp.Or(c.Workspace.Name, c.Scope.Email), Email: c.Scope.Email,
		Practice: d.Practice, CSRF: func() string { return d.token(c.Ctx) }, Self: c.OriginalURL(),
		Sheet: c.Get("Turbo-Frame") == ui.SheetFrame,
	}
	d.prefer(c.Ctx, &sh)
	switch { // the page that its forms return to
	case c.Method() == fiber.MethodPost:
		sh.Self = c.back()
	case sh.Sheet:
		sh.Self = pathOf(c.Get(fiber.HeaderReferer))
	}
	c.UI = sh // entries need its words and its address
	sh.Rail, sh.Makes = c.entries(d.nav), c.entries(d.make)
	if len(c.Workspace.Locations) > 1 {
		sh.Locations = []ui.LocationOption{{Name: sh.T("All locations"), Href: c.placed(""), Now: c.Location == nil}}
		for _, l := range c.Workspace.Locations {
			sh.Locations = append(sh.Locations, ui.LocationOption{Name: l.Name, Href: c.placed(l.Slug), Now: c.Location != nil && l.ID == c.Location.ID})
		}
	}
	return sh
}

// languageCookie holds the language chosen on the booking pages.
const languageCookie = "language"

// language returns the console's language for a request.
func (d *Desk) language(c *fiber.Ctx) string {
	return words.ForConsole(cmp.Or(d.web.Cookies.Get(c, languageCookie), words.Best(c.Get(fiber.HeaderAcceptLanguage))))
}

// placed returns the address of this page for another location.
func (c *Call) placed(slug string) string {
	q, _ := url.ParseQuery(string(c.Request().URI().QueryString()))
	q.Set("at", slug)
	return c.Path() + "?" + q.Encode()
}

// entries returns those that the caller may open.
func (c *Call) entries(list []Entry) []ui.Entry {
	var out []ui.Entry
	for _, e := range list {
		if c.May(e.Op) {
			out = append(out, ui.Entry{Area: e.Area, Icon: e.Icon, Text: c.UI.T(e.Text), Href: c.To(e.Path), Key: e.Key})
		}
	}
	return out
}

const tokenLocal = "desk.token"

// token returns the CSRF token of a page's forms. It may set the browser's visitor cookie, so it runs once a request.
func (d *Desk) token(c *fiber.Ctx) string {
	if t, ok := c.Locals(tokenLocal).(string); ok {
		return t
	}
	t := d.web.Forms.Fields(c).Token
	c.Locals(tokenLocal, t)
	return t
}
