package embed

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/web"
)

// noSheet is the answer for a location without a stylesheet, so that a page that links it has no error in its log
// (E108).
const noSheet = "/**/"

// custom is the location's own stylesheet, byte for byte as saved (E86, E100, E108). One trip, two if there is one.
func (e *surface) custom(_ *fiber.Ctx, at pg.Location) (asked, error) {
	return asked{keyOf("custom", at), func(ctx context.Context) (web.PageBody, error) {
		var site business.Site
		v := e.DB.View(at.Business)
		b := v.Batch()
		business.SiteOf(at.Business, at.Location, &site)(b)
		if err := b.Send(ctx); err != nil {
			return web.PageBody{}, err
		}
		page := web.PageBody{Type: "text/css; charset=utf-8", Body: []byte(noSheet)}
		switch {
		case !site.Open:
			return web.PageBody{}, fault.Missing()
		case !site.Styled:
			return page, nil
		}
		css, err := business.PublicStylesheet(ctx, v, at.Location)
		page.Body = []byte(css)
		return page, err
	}}, nil
}
