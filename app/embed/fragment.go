package embed

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// prefix is the path of contract v1. A renamed or removed part will come under another, beside it (E138).
const prefix = "/embed/v1/"

// The headers of the contract that are not HTTP's own.
const (
	headerCSS     = "X-Svc-Css"     // the location has a stylesheet of its own: "1"
	headerWalkins = "X-Svc-Walkins" // why there is no bar: "unknown_listing"
	headerUntil   = "X-Svc-Until"   // end of the walk-in state, for the script's event
)

// The cache lifetimes of answers (E105, E111).
const (
	aMinute  = "public, max-age=60"
	aQuarter = "public, max-age=15" // the walk-in status, and missing records
)

const typeHTML = "text/html; charset=utf-8"

// asked is a parsed request: the name of its cached answer, made only of parameters that change the answer, and the
// function that makes it.
type asked struct {
	key  string
	fill func(ctx context.Context) (web.PageBody, error)
}

// fragments mounts the fragments.
func (e *surface) fragments() {
	e.kept("schedule", aMinute, e.schedule)
	e.kept("schedule.jsonld", aMinute, e.events)
	e.kept("classes", aMinute, e.kind("class"))
	e.kept("appointments", aMinute, e.kind("appointment"))
	e.kept("rentals", aMinute, e.kind("rental"))
	e.kept("listings", aMinute, e.group)
	e.kept("times/:listing", aMinute, e.times)
	e.kept("walkins", aQuarter, e.walkins)
	e.kept("custom.css", aMinute, e.custom)
	e.App().Options(prefix+"*", harmless)
}

// kept mounts an answer about a location that is the same for every visitor (E112, E113). HEAD is GET without a body.
func (e *surface) kept(path, age string, ask func(c *fiber.Ctx, at pg.Location) (asked, error)) {
	e.App().Get(prefix+":location/"+path, func(c *fiber.Ctx) error {
		openToAll(c)
		at, err := e.placeOf(c)
		if err != nil {
			return err
		}
		a, err := ask(c, at)
		if err != nil {
			return err
		}
		return e.send(c, at.Business, age, a)
	})
}

// send answers from the cache, or makes the answer.
func (e *surface) send(c *fiber.Ctx, business uuid.UUID, age string, a asked) error {
	page, err := e.Cache.Get(c.UserContext(), business, a.key, a.fill)
	if err != nil {
		return err
	}
	return page.Send(c, age)
}

// placeOf finds the location in an address, by its current or a former slug, in any letter case. The location of a
// slug never changes, so this is nearly always a cache hit. A business's own slug is no location's.
func (e *surface) placeOf(c *fiber.Ctx) (pg.Location, error) {
	slug := strings.ToLower(c.Params("location"))
	if tenancy.CheckSlug(slug) != nil {
		return pg.Location{}, fault.Missing()
	}
	at, found, err := e.DB.SlugOf(c.UserContext(), slug)
	if err == nil && (!found || at.Location == uuid.Nil) {
		err = fault.Missing()
	}
	return at, err
}

// keyOf is the name of an answer about a location.
func keyOf(kind string, at pg.Location, more ...string) string {
	return kind + " " + at.Location.String() + " " + strings.Join(more, " ")
}

// openToAll lets every website read an answer, and those of its headers that are part of the contract (E104, E106,
// E107), also one that is isolated from other origins.
func openToAll(c *fiber.Ctx) {
	h := &c.Response().Header
	h.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	h.Set(fiber.HeaderAccessControlExposeHeaders, headerCSS+", "+headerWalkins+", "+headerUntil)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// harmless answers the preflight request of a browser before a request with custom headers.
func harmless(c *fiber.Ctx) error {
	openToAll(c)
	c.Set(fiber.HeaderAccessControlAllowMethods, "GET, HEAD")
	c.Set(fiber.HeaderAccessControlAllowHeaders, "*")
	c.Set(fiber.HeaderCacheControl, aQuarter)
	return c.SendStatus(fiber.StatusNoContent)
}

// html renders a fragment of a location (E103, E106).
func html(ctx context.Context, site business.Site, fragment templ.Component, headers ...web.Header) (web.PageBody, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := fragment.Render(ctx, b); err != nil {
		return web.PageBody{}, err
	}
	if site.Styled {
		headers = append(headers, web.Header{Name: headerCSS, Value: "1"})
	}
	return web.PageBody{Type: typeHTML, Body: bytes.Clone(b.Bytes()), Header: headers}, nil
}

// buffers are for rendering fragments. A cached fragment is a copy of its exact length, without a buffer's spare
// capacity.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// home is the absolute address of a location's pages: all links are below it (E30).
type home string

func (e *surface) homeOf(slug string) home { return home(e.BaseURL + "/" + slug) }

// listing is the page of a listing.
func (h home) listing(slug string) string { return string(h) + "/" + slug }
