package embed

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/web"
)

// kind is every published listing of a kind (E14 to E16). Two trips.
func (e *surface) kind(kind catalog.Kind) func(*fiber.Ctx, pg.Location) (asked, error) {
	return func(_ *fiber.Ctx, at pg.Location) (asked, error) {
		return asked{keyOf(string(kind), at), func(ctx context.Context) (web.PageBody, error) {
			return e.list(ctx, at, string(kind), catalog.ListedInput{Kind: kind}, "")
		}}, nil
	}
}

// group is the published listings under one heading, of any kind, in the storefront's order; all of them without one
// (E17 to E20, E33). A heading is selected here and not in the database, because letter case there depends on its
// locale. Three trips.
func (e *surface) group(c *fiber.Ctx, at pg.Location) (asked, error) {
	word := strings.ToLower(strings.TrimSpace(c.Query("group")))
	if !utf8.ValidString(word) || utf8.RuneCountInString(word) > catalog.HeadingMax+2 {
		word = nobody // an address can have more words than there are headings
	}
	return asked{keyOf("group", at, word), func(ctx context.Context) (web.PageBody, error) {
		return e.list(ctx, at, "group", catalog.ListedInput{}, word)
	}}, nil
}

// nobody is a heading that no listing has: none holds a control character.
const nobody = "\x00"

// list reads listings, and keeps those under a heading; "" keeps all.
func (e *surface) list(
	ctx context.Context, at pg.Location, kind string, in catalog.ListedInput, word string,
) (web.PageBody, error) {
	var site business.Site
	all, err := e.listed(ctx, at, in, &site)
	if err != nil {
		return web.PageBody{}, err
	}
	w, to := e.wordsNow(site), e.homeOf(site.Slug)
	all = slices.DeleteFunc(all, func(l catalog.Listing) bool {
		return word != "" && !catalog.SameHeading(word, l.Word) && !catalog.SameHeading(word, w.Heading(l.Word))
	})
	next, err := e.nextOf(ctx, at, all)
	if err != nil {
		return web.PageBody{}, err
	}
	v := view.EmbedList{Kind: kind}
	for _, l := range all {
		item := view.EmbedItemOf(w, l)
		item.Page = to.listing(l.Slug)
		if start, has := next[l.ID]; has {
			item.Next = w.NextOn(start)
		}
		v.Items = append(v.Items, item)
	}
	return html(ctx, site, view.EmbedListFragment(w, v))
}

// listed reads all of a location's listings: a fragment has no pages.
func (e *surface) listed(
	ctx context.Context, at pg.Location, in catalog.ListedInput, site *business.Site,
) ([]catalog.Listing, error) {
	in.LocationID, in.Page.Limit = at.Location, paging.Max
	page, err := e.Catalog.Listed(ctx, at.Business, in, business.SiteOf(at.Business, at.Location, site))
	all := page.Items
	for err == nil && page.Next != nil {
		in.Page.After = page.Next
		if page, err = e.Catalog.Listed(ctx, at.Business, in); err == nil {
			all = append(all, page.Items...)
		}
	}
	return all, err
}

// nextOf is the next time of each: of a class its next date, of others the next free time. A trip for each of the two
// kinds present.
func (e *surface) nextOf(ctx context.Context, at pg.Location, all []catalog.Listing) (map[uuid.UUID]time.Time, error) {
	var dated, computed []uuid.UUID
	for _, l := range all {
		if l.Kind == catalog.Class {
			dated = append(dated, l.ID)
		} else {
			computed = append(computed, l.ID)
		}
	}
	next := map[uuid.UUID]time.Time{}
	for _, read := range []struct {
		of []uuid.UUID
		by func(context.Context, uuid.UUID, []uuid.UUID) (map[uuid.UUID]time.Time, error)
	}{{dated, e.Schedule.NextTimes}, {computed, e.Availability.NextFree}} {
		if len(read.of) == 0 {
			continue
		}
		found, err := read.by(ctx, at.Business, read.of)
		if err != nil {
			return nil, err
		}
		maps.Copy(next, found)
	}
	return next, nil
}
