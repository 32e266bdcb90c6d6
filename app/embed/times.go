package embed

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/web"
)

// page is the page of a listing's times in a request. A page that begins in the past is the first page, whatever the
// day (E96): it must not be cached twice.
func page(at pg.Location, slug, from, after string, now time.Time) schedule.TimesInput {
	in := schedule.TimesInput{LocationID: at.Location, Slug: slug}.Beginning(from, after)
	yesterday := civil.LocalDate(now, time.UTC).AddDays(-1)
	if !in.After.After(now) {
		in.After = time.Time{}
	}
	if in.From.Before(yesterday) { // the past in every zone
		in.From = civil.Date{}
	}
	return in
}

// pageKey names a page.
func pageKey(in schedule.TimesInput) string {
	switch {
	case !in.After.IsZero():
		return "after " + instant(in.After)
	case !in.From.IsZero():
		return "from " + in.From.String()
	}
	return ""
}

// times is the times of one listing, page by page (E51 to E60). Two trips, one for a class.
func (e *surface) times(c *fiber.Ctx, at pg.Location) (asked, error) {
	slug := c.Params("listing")
	if !catalog.ValidSlug(slug) {
		return asked{}, fault.Missing()
	}
	in := page(at, slug, c.Query("from"), c.Query("after"), e.Clock.Now())
	return asked{keyOf("times", at, slug, pageKey(in)), func(ctx context.Context) (web.PageBody, error) {
		return e.timesOf(ctx, at, in)
	}}, nil
}

func (e *surface) timesOf(ctx context.Context, at pg.Location, in schedule.TimesInput) (web.PageBody, error) {
	var site business.Site
	t, err := e.readTimes(ctx, at, in, &site)
	if err != nil {
		return web.PageBody{}, err
	}
	words, to := wordsOf(site, t.Location), e.homeOf(site.Slug)
	shown, _ := t.Screen()
	v := view.EmbedTimesOf(words, t)
	shared := t.Head.Kind.ByTheHead(t.Head.SoldAs)
	v.Page, v.Days = to.listing(t.Head.OfferingSlug), to.days(words, t.Location, shown, shared)
	if in.From.After(t.Location.Today) {
		v.From = view.Noon(in.From, t.Location.Loc)
	}
	if next := t.Following(); next != nil {
		v.Later = v.Page + "?after=" + instant(*next)
	}
	return html(ctx, site, view.EmbedTimesFragment(words, v))
}

// emptyPages is the number of pages without a time that are skipped for an offering that is booked out for months:
// they reach as far as any policy allows booking.
const emptyPages = 12

// readTimes reads the first page from there on that has a time; none when there is none.
func (e *surface) readTimes(
	ctx context.Context, at pg.Location, in schedule.TimesInput, site *business.Site,
) (schedule.Times, error) {
	t, err := e.Availability.Times(ctx, at.Business, in, business.SiteOf(at.Business, at.Location, site))
	for n := 1; err == nil && len(t.Days) == 0 && t.Next != nil && n < emptyPages; n++ {
		in.After = *t.Next
		t, err = e.Availability.Times(ctx, at.Business, in)
	}
	if len(t.Days) == 0 {
		t.Next = nil
	}
	return t, err
}

// instant is the form of an instant in an address.
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }
