package embed

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/words"
)

// guides mounts the pages about the embeds: how a studio puts them on its website, and every state of them.
func (e *surface) guides() {
	e.App().Get("/embed/guide/:location", e.guide)
	e.App().Get("/embed/conformance", e.conformance)
	e.App().Get("/embed/conformance/studio.css", e.conformanceSheet)
}

// guide shows a location's snippets, with the fragments themselves beside them.
func (e *surface) guide(c *fiber.Ctx) error {
	at, err := e.placeOf(c)
	if err != nil {
		return err
	}
	return e.send(c, at.Business, "no-cache", asked{keyOf("guide", at), func(ctx context.Context) (web.PageBody, error) {
		return e.guideOf(ctx, at)
	}})
}

func (e *surface) guideOf(ctx context.Context, at pg.Location) (web.PageBody, error) {
	var site business.Site
	all, err := e.listed(ctx, at, catalog.ListedInput{}, &site)
	if err != nil {
		return web.PageBody{}, err
	}
	l, err := business.LocationOf(ctx, e.DB.View(at.Business), at.Location)
	if err != nil {
		return web.PageBody{}, err
	}
	look := view.Branding(l.Branding)
	english := site // the guide is for web developers; its previews are in the location's language
	english.Language = words.English
	sh := view.Shell{
		Words:    e.wordsNow(english),
		Studio:   view.Studio{Name: site.Studio, Home: "/" + site.Slug},
		Branding: look, BrandingHref: look.Href(site.Slug),
	}
	first, heading := "", "" // a listing for its times, and a heading
	if len(all) > 0 {
		first, heading = all[0].Slug, headingOf(all)
	}
	return pageOf(ctx, view.GuidePage(sh, view.Guide{
		Studio: site.Studio, Base: e.BaseURL, Slug: site.Slug,
		Tags: view.GuideTags(site.Studio, string(e.homeOf(site.Slug)), first, heading),
	}))
}

// headingOf is a heading for the preview: the one with the fewest listings, as that of a kind has most.
func headingOf(all []catalog.Listing) string {
	count := map[string]int{}
	for _, l := range all {
		count[l.Word]++
	}
	return slices.MinFunc(all, func(a, b catalog.Listing) int { return cmp.Compare(count[a.Word], count[b.Word]) }).Word
}

// pageOf renders a page of our own, under its content policy: it runs our own scripts and may not be framed.
func pageOf(ctx context.Context, page templ.Component) (web.PageBody, error) {
	var b bytes.Buffer
	if err := page.Render(ctx, &b); err != nil {
		return web.PageBody{}, err
	}
	return web.PageBody{Type: typeHTML, Body: b.Bytes(), Header: []web.Header{
		{Name: fiber.HeaderContentSecurityPolicy, Value: view.Policy(false, false)},
	}}, nil
}
