package embed

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/web"
)

// schedule is the next fourteen days of classes, today included (E41 to E50). One trip.
func (e *surface) schedule(_ *fiber.Ctx, at pg.Location) (asked, error) {
	return asked{keyOf("schedule", at), func(ctx context.Context) (web.PageBody, error) {
		t, site, err := e.timetable(ctx, at)
		if err != nil {
			return web.PageBody{}, err
		}
		words := wordsOf(site, t.Location)
		return html(ctx, site, view.EmbedScheduleFragment(words, e.homeOf(site.Slug).days(words, t.Location, t.Days, false)))
	}}, nil
}

// timetable reads the schedule and its site.
func (e *surface) timetable(ctx context.Context, at pg.Location) (schedule.Timetable, business.Site, error) {
	var site business.Site
	t, err := e.Schedule.Schedule(ctx, at.Business, at.Location, civil.Date{}, schedule.ScheduleDays,
		business.SiteOf(at.Business, at.Location, &site))
	return t, site, err
}

// wordsOf is the formatting of a location. Today is the date of the rows, whatever the clock shows by now.
func wordsOf(site business.Site, p schedule.Location) view.Words {
	return view.WordsAt(site.Language, site.Country, p.Loc, view.Noon(p.Today, p.Loc))
}

// wordsNow is the formatting of a location by the clock, for texts without dates around them.
func (e *surface) wordsNow(site business.Site) view.Words {
	return view.WordsAt(site.Language, site.Country, civil.ZoneOrUTC(site.Zone), e.Clock.Now())
}

// days are days with their rows and links; shared as in view.EmbedTimeOf.
func (h home) days(w view.Words, p schedule.Location, days []schedule.Day, shared bool) []view.EmbedDay {
	out := make([]view.EmbedDay, len(days))
	costs := map[*schedule.Offered]string{} // formatted once per offering: it is the slowest part of a row
	for i, d := range days {
		out[i] = view.EmbedDay{Date: view.Noon(d.Date, p.Loc), Rows: make([]view.EmbedRow, len(d.Occurrences))}
		for k, x := range d.Occurrences {
			r := h.row(p, x, shared)
			if r.Cost = costs[x.Offered]; r.Cost == "" {
				r.Cost = w.MoneyShort(*r.Price)
				costs[x.Offered] = r.Cost
			}
			out[i].Rows[k] = r
		}
	}
	return out
}

// row is a time with its link: the page of its listing with that time (E46), by the id of a date, which stays valid
// when the date is rescheduled. If booking is impossible now, the link is the page alone (E48).
func (h home) row(p schedule.Location, x schedule.PublicOccurrence, shared bool) view.EmbedRow {
	page := h.listing(x.Slug)
	r, at := view.EmbedRow{}, ""
	if x.Kind == catalog.Class {
		r, at = view.EmbedRowOf(x, p), x.ID.String()
	} else {
		r, at = view.EmbedTimeOf(x, p, shared), instant(x.StartsAt)
	}
	r.Page, r.Href = page, page
	if x.OnSale() {
		r.Href += "?time=" + at
	}
	return r
}
