package embed

import (
	"context"

	"foyer/app/business"
	"foyer/app/schedule"
	"foyer/app/view"
)

// RenderSchedule renders a schedule from results of the domains.
func RenderSchedule(ctx context.Context, at string, site business.Site, t schedule.Timetable) ([]byte, error) {
	w := wordsOf(site, t.Location)
	page, err := html(ctx, site, view.EmbedScheduleFragment(w, home(at).days(w, t.Location, t.Days, false)))
	return page.Body, err
}
