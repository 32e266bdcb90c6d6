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

// enter lets a request in that is somebody's of the team: whoever the session is, with what their roles allow in the business of
// the address, and the feature of the operation. A nil call without an error means that the browser was sent elsewhere.
func (d *Desk) enter(ctx *fiber.Ctx, operation string) (*Call, error) {
	f, err := d.Business.FindSlug(ctx.UserContext(), ctx.Params("business"))
	if err != nil {
		return nil, err
	}
	if f.Redirect && ctx.Method() == fiber.MethodGet && f.Location == uuid.Nil {
		rest := strings.TrimPrefix(ctx.OriginalURL(), Root+"/"+ctx.Params("business"))
		return nil, ctx.Redirect(Root+"/"+f.Slug+rest, fiber.StatusMovedPermanently)
	}
	if f.Location != uuid.Nil { // the address of a place is no business
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

// placeCookie remembers the place that somebody works at: its id, or nothing for all of them.
const placeCookie = "place"

// choose takes the place that the screens are about: ?at= of the address, else what the browser remembers. Whoever has one place
// only is there.
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

// Zone is the wall clock of the screen: that of the place, of the first one where it is about all, of the business without any.
func (c *Call) Zone() *time.Location {
	switch {
	case c.Location != nil:
		return civil.ZoneOrUTC(c.Location.Zone)
	case len(c.Workspace.Locations) > 0:
		return civil.ZoneOrUTC(c.Workspace.Locations[0].Zone)
	}
	return civil.ZoneOrUTC(c.Workspace.Business.Zone)
}

// country decides how dates and numbers are written.
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

// shell is what surrounds the screens of this request.
func (d *Desk) shell(c *Call) ui.Shell {
	base := Root + "/" + c.Workspace.Business.Slug
	sh := ui.Shell{
		Words:    view.WordsAt(d.language(c.Ctx), c.country(), c.Zone(), d.now()),
		Business: c.Workspace.Business.Name, Base: base, Person: cmp.Or(c.Workspace.Name, c.Scope.Email), Email: c.Scope.Email,
		Practice: d.Practice, CSRF: func() string { return d.token(c.Ctx) }, Self: c.OriginalURL(),
		Sheet: c.Get("Turbo-Frame") == ui.SheetFrame,
	}
	d.prefer(c.Ctx, &sh)
	switch { // where its forms come back to
	case c.Method() == fiber.MethodPost:
		sh.Self = c.back()
	case sh.Sheet:
		sh.Self = pathOf(c.Get(fiber.HeaderReferer))
	}
	c.UI = sh // entries need its words and its address
	sh.Rail, sh.Makes = c.entries(d.nav), c.entries(d.make)
	if len(c.Workspace.Locations) > 1 {
		sh.Locations = []ui.LocationOption{{Name: sh.T("All places"), Href: c.placed(""), Now: c.Location == nil}}
		for _, l := range c.Workspace.Locations {
			sh.Locations = append(sh.Locations, ui.LocationOption{Name: l.Name, Href: c.placed(l.Slug), Now: c.Location != nil && l.ID == c.Location.ID})
		}
	}
	return sh
}

// languageCookie is what somebody has chosen on the booking pages.
const languageCookie = "language"

// language is the one that the console speaks to whoever asks.
func (d *Desk) language(c *fiber.Ctx) string {
	return words.ForConsole(cmp.Or(d.web.Cookies.Get(c, languageCookie), words.Best(c.Get(fiber.HeaderAcceptLanguage))))
}

// placed is this page at another place.
func (c *Call) placed(slug string) string {
	q, _ := url.ParseQuery(string(c.Request().URI().QueryString()))
	q.Set("at", slug)
	return c.Path() + "?" + q.Encode()
}

// entries are those that the caller may follow.
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

// token is the CSRF token of a page's forms; making it can give the browser its visitor cookie, so it is made once a request.
func (d *Desk) token(c *fiber.Ctx) string {
	if t, ok := c.Locals(tokenLocal).(string); ok {
		return t
	}
	t := d.web.Forms.Fields(c).Token
	c.Locals(tokenLocal, t)
	return t
}
