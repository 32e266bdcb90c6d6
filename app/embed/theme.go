package embed

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/web"
)

const typeCSS = "text/css; charset=utf-8"

// forIsolated lets pages that are isolated from other origins load a sheet by a plain link.
var forIsolated = web.Header{Name: "Cross-Origin-Resource-Policy", Value: "cross-origin"}

// themes mounts the sheets of the themes (E74 to E85, E98, E99): two that are the same for every location, and the
// location's.
func (e *surface) themes() {
	e.sheet(prefix+"themes/clean.css", sheetOf("clean.css", asksClean))
	e.sheet(prefix+"themes/card.css", sheetOf("card.css", asksCard))
	cards := sheetOf("card.css", asksStudio)
	e.kept("theme.css", aMinute, func(c *fiber.Ctx, at pg.Location) (asked, error) {
		slug := strings.ToLower(c.Params("location"))
		return asked{keyOf("theme", at, slug), func(ctx context.Context) (web.PageBody, error) {
			l, err := business.LocationOf(ctx, e.DB.View(at.Business), at.Location)
			if err != nil {
				return web.PageBody{}, err
			}
			css := studioSheet(cards, slug, view.Branding(l.Branding))
			return web.PageBody{Type: typeCSS, Body: []byte(css), Header: []web.Header{forIsolated}}, nil
		}}, nil
	})
}

// sheet mounts a sheet that never changes while the program runs.
func (e *surface) sheet(path, css string) {
	made, err := web.NewCached(typeCSS, []byte(css), forIsolated)
	if err != nil {
		panic(err) // writing to memory cannot fail
	}
	e.App().Get(path, func(c *fiber.Ctx) error {
		openToAll(c)
		return made.Send(c, aMinute)
	})
}
