// Package calendar is the day, the week and the agenda of a studio.
package calendar

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listBookings", "/calendar", s.calendar)
}

// Views. The default is a week, shown by a phone as the agenda.
const (
	viewDay    = "day"
	viewWeek   = "week"
	viewAgenda = "agenda"
)

// sheet is the data of the screen.
type sheet struct {
	View, By   string
	Day        civil.Date // the requested day
	First      civil.Date
	Days       int
	Today      civil.Date
	Now        time.Time
	Dates      []agenda.Date
	Members    []ui.Option
	Spaces     []ui.Option
	Offerings  []ui.Option
	zone       *time.Location
	From, To   int // hours of the grid
	Filtered   bool
	MayMove    bool // class dates can be rescheduled
	MayReplace bool // bookings can be rescheduled
}

func (s *screens) calendar(c *desk.Call) (ui.Screen, error) {
	out := s.asked(c)
	err := desk.Together(
		func() (err error) {
			from, _ := civil.DayBounds(out.First, out.zone)
			_, to := civil.DayBounds(out.First.AddDays(out.Days-1), out.zone)
			out.Dates, err = s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{
				From: from, To: to, LocationID: c.LocationID(), MemberID: c.UUID("member"), SpaceID: c.UUID("space"), OfferingID: c.UUID("offering"),
			})
			return err
		},
		func() error {
			page, err := s.Business.Members(c.Context(), c.Scope, paging.In[uuid.UUID]{Limit: paging.Max})
			for _, m := range page.Items {
				if m.Active && m.Bookable {
					out.Members = append(out.Members, ui.Option{Value: m.ID.String(), Text: m.Name})
				}
			}
			return err
		},
		func() error {
			if c.Location == nil {
				return nil
			}
			page, err := s.Business.Spaces(c.Context(), c.Scope, c.LocationID(), paging.In[uuid.UUID]{Limit: paging.Max})
			for _, e := range page.Items {
				out.Spaces = append(out.Spaces, ui.Option{Value: e.ID.String(), Text: e.Name})
			}
			return err
		},
		func() error {
			if c.Location == nil || !c.May("listOfferings") {
				return nil
			}
			page, err := s.Catalog.List(c.Context(), c.Scope, catalog.ListInput{LocationID: c.LocationID(), State: catalog.Published, Page: paging.In[catalog.Key]{Limit: paging.Max}})
			for _, o := range page.Items {
				out.Offerings = append(out.Offerings, ui.Option{Value: o.ID.String(), Text: o.Name})
			}
			return err
		},
	)
	out.hours()
	return ui.Screen{
		Title: c.UI.T("Calendar"), Lead: out.span(c.UI), Area: "calendar", Acts: steps(c, out), Body: body(c, out), Script: "calendar.js", Wide: true,
	}, err
}

// asked reads the address. An invalid day is today.
func (s *screens) asked(c *desk.Call) sheet {
	now := s.Clock.Now()
	out := sheet{
		View: c.Value("view"), By: c.Value("by"), zone: c.Zone(), Now: now, Today: civil.LocalDate(now, c.Zone()),
		MayMove: c.May("updateOccurrence"), MayReplace: c.May("rescheduleBooking"),
		Filtered: c.Value("member")+c.Value("space")+c.Value("offering") != "",
	}
	if !slices.Contains([]string{viewDay, viewWeek, viewAgenda}, out.View) {
		out.View = ""
	}
	if !slices.Contains([]string{"room", "class"}, out.By) {
		out.By = "person"
	}
	day, err := civil.ParseDate(c.Value("day"))
	if err != nil {
		day = out.Today
	}
	out.Day, out.First, out.Days = day, day, 1
	if out.View != viewDay { // a week, from the first weekday of the location's country
		out.First, out.Days = day.AddDays(-int(day.Weekday()-c.UI.Lang().WeekStart()+7)%7), 7
	}
	return out
}

// span renders the days shown.
func (s sheet) span(sh ui.Shell) string {
	first := civil.StartOfDay(s.First, s.zone)
	if s.Days == 1 {
		return sh.Date(first)
	}
	return sh.T("{from} to {to}", "from", sh.ShortDate(first), "to", sh.ShortDate(civil.StartOfDay(s.First.AddDays(s.Days-1), s.zone)))
}

// to returns the address of this calendar with other parameters; the filters stay.
func (s sheet) to(c *desk.Call, day civil.Date, view string) string {
	by := s.By
	if by == "person" {
		by = ""
	}
	return c.To("/calendar", "day", day.String(), "view", view, "by", by, "member", c.Value("member"), "space", c.Value("space"), "offering", c.Value("offering"))
}

// filter returns a filter's choices with all of them first.
func filter(all string, list []ui.Option) []ui.Option {
	return append([]ui.Option{{Text: all}}, list...)
}
