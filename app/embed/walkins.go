package embed

import (
	"context"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/walkin"
	"foyer/app/web"
)

// bar is the configuration of a walk-ins bar.
type bar struct {
	slugs  []string // the listings to count; none: all
	book   string   // the listing of its link; empty: the location's page
	target string   // of the link
}

// slugsMost is the maximum number of listings of a bar.
const slugsMost = 50

// barOf reads the configuration (E97). It drops impossible slugs, a target that is none of the two (E73), and
// duplicates. ok is false when listings were named and none is possible.
func barOf(listing, book, target string) (b bar, ok bool) {
	if catalog.ValidSlug(book) {
		b.book = book
	}
	if target == "_self" || target == "_blank" {
		b.target = target
	}
	named := walkin.Slugs(listing)
	for _, slug := range named {
		if catalog.ValidSlug(slug) && len(b.slugs) < slugsMost {
			b.slugs = append(b.slugs, slug)
		}
	}
	slices.Sort(b.slugs)
	b.slugs = slices.Compact(b.slugs)
	return b, len(b.slugs) > 0 || len(named) == 0
}

// walkins is the walk-in status now (E61 to E73). One trip. It is 204 without a status (E109), and 404 with a header
// for the reason when none of the named listings has walk-ins (E110).
func (e *surface) walkins(c *fiber.Ctx, at pg.Location) (asked, error) {
	b, ok := barOf(c.Query("listing"), c.Query("book"), c.Query("target"))
	if !ok {
		return asked{}, walkin.ErrUnknownListing
	}
	return asked{keyOf("walkins", at, strings.Join(b.slugs, ","), b.book, b.target), func(ctx context.Context) (web.PageBody, error) {
		return e.bar(ctx, at, b)
	}}, nil
}

func (e *surface) bar(ctx context.Context, at pg.Location, b bar) (web.PageBody, error) {
	var site business.Site
	var known bool
	in, err := e.Walkin.Live(ctx, at.Business, at.Location, b.slugs,
		business.SiteOf(at.Business, at.Location, &site), catalog.HasPublished(at.Business, at.Location, b.book, &known))
	if err != nil {
		return web.PageBody{}, err
	}
	var until []web.Header
	if in.Until != nil {
		until = append(until, web.Header{Name: headerUntil, Value: instant(*in.Until)})
	}
	if in.Hidden != "" {
		return web.PageBody{Status: fiber.StatusNoContent, Header: until}, nil
	}
	w := e.wordsNow(site)
	v := view.EmbedWalkinsOf(w, in)
	v.Book, v.Target = string(e.homeOf(site.Slug)), b.target
	if known {
		v.Book = e.homeOf(site.Slug).listing(b.book)
	}
	return html(ctx, site, view.EmbedWalkinsFragment(w, v), until...)
}
