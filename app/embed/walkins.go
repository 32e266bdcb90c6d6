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

// bar is what somebody wants a bar of walk-ins to show.
type bar struct {
	slugs  []string // the listings to count; none: all
	book   string   // the listing that its link leads to; empty: the location's page
	target string   // of the link
}

// slugsMost is how many listings a bar can count.
const slugsMost = 50

// barOf reads a wish (E97). A slug that can be none, a target that is none of the two (E73), and what is named twice are left
// out. ok is false when listings were named and not one of them can be.
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

// walkins is what the door says now (E61 to E73). One trip. It is 204 while there is nothing to say (E109), and 404 with a
// header that says so when none of the named listings takes walk-ins (E110).
func (e *surface) walkins(c *fiber.Ctx, at pg.Place) (asked, error) {
	b, ok := barOf(c.Query("listing"), c.Query("book"), c.Query("target"))
	if !ok {
		return asked{}, walkin.ErrUnknownListing
	}
	return asked{keyOf("walkins", at, strings.Join(b.slugs, ","), b.book, b.target), func(ctx context.Context) (web.PageBody, error) {
		return e.bar(ctx, at, b)
	}}, nil
}

func (e *surface) bar(ctx context.Context, at pg.Place, b bar) (web.PageBody, error) {
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
