package calendar

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// Default hours of a grid, extended by earlier or later dates.
const (
	opens  = 7
	closes = 20
)

// column is a day, an instructor, a room or a class, with its dates.
type column struct {
	Title, More, Href string
	Day               civil.Date
	Today             bool
	Events            []event
}

// lanes returns the maximum number of dates side by side.
func (c column) lanes() int {
	n := 1
	for _, e := range c.Events {
		n = max(n, e.Lanes)
	}
	return n
}

// event is a date with its position: minutes after midnight on its own wall clock, and its lane among overlapping
// ones.
type event struct {
	*agenda.Date
	Start, End  int
	Lane, Lanes int
	Span        int // width in lanes: those at its right are free
}

// step is the rounding of positions, in minutes: the style sheet has a class for each.
const step = 5

// place computes the position of a date on its location's wall clock.
func place(d *agenda.Date) (civil.Date, event) {
	zone := civil.ZoneOrUTC(d.Zone)
	day := civil.LocalDate(d.StartsAt, zone)
	start, end := int(civil.LocalClock(d.StartsAt, zone)), int(civil.LocalClock(d.EndsAt, zone))
	if civil.LocalDate(d.EndsAt, zone).After(day) {
		end = 24 * 60
	}
	start -= start % step
	end = min(24*60, (end+step-1)/step*step)
	return day, event{Date: d, Start: start, End: max(end, start+15)}
}

// hours extends the grid to its dates.
func (s *sheet) hours() {
	s.From, s.To = opens, closes
	for i := range s.Dates {
		_, e := place(&s.Dates[i])
		s.From, s.To = min(s.From, e.Start/60), max(s.To, min(24, (e.End+59)/60))
	}
}

// columns returns the days of a week, or the instructors, rooms or classes of a day.
func (s sheet) columns(c *desk.Call) []column {
	if s.View != viewDay {
		out := make([]column, s.Days)
		for i := range out {
			day := s.First.AddDays(i)
			at := civil.StartOfDay(day, s.zone)
			out[i] = column{Title: c.UI.Lang().Weekday(at), More: c.UI.Day(at), Href: s.to(c, day, viewDay), Day: day, Today: day == s.Today}
		}
		for i := range s.Dates {
			day, e := place(&s.Dates[i])
			if i := s.First.DaysUntil(day); i >= 0 && i < len(out) {
				out[i].Events = append(out[i].Events, e)
			}
		}
		return lanes(out)
	}
	by := map[string]*column{}
	for i := range s.Dates {
		day, e := place(&s.Dates[i])
		if day != s.Day {
			continue
		}
		name := s.under(c.UI, e.Date)
		if by[name] == nil {
			by[name] = &column{Title: name, Day: s.Day, Today: s.Day == s.Today}
		}
		by[name].Events = append(by[name].Events, e)
	}
	var out []column
	for _, col := range by {
		out = append(out, *col)
	}
	slices.SortFunc(out, func(a, b column) int { return cmp.Compare(a.Title, b.Title) })
	return lanes(out)
}

// under returns the column of a date in a day.
func (s sheet) under(sh ui.Shell, d *agenda.Date) string {
	switch s.By {
	case "room":
		return cmp.Or(d.Space, sh.T("No room"))
	case "class":
		return d.OfferingName
	}
	return cmp.Or(d.Instructor, sh.T("No instructor"))
}

// most is the maximum number of dates side by side; further ones overlap.
const most = 6

// lanes puts overlapping dates side by side.
func lanes(list []column) []column {
	for i := range list {
		events := list[i].Events
		first, end := 0, 0
		var free []int // by lane: end of its last date
		for j := range events {
			e := &events[j]
			if e.Start >= end {
				first, free = j, nil
			}
			lane := slices.IndexFunc(free, func(until int) bool { return until <= e.Start })
			if lane < 0 {
				lane, free = len(free), append(free, 0)
			}
			free[lane], end = e.End, max(end, e.End)
			e.Lane = lane % most
			for k := first; k <= j; k++ {
				events[k].Lanes = min(most, len(free))
			}
		}
		spans(events)
	}
	return list
}

// spans widens a date to the free lanes at its right.
func spans(events []event) {
	for i := range events {
		e := &events[i]
		e.Span = e.Lanes - e.Lane
		for _, o := range events {
			if o.Lane > e.Lane && o.Start < e.End && o.End > e.Start {
				e.Span = min(e.Span, o.Lane-e.Lane)
			}
		}
	}
}

// class returns the style sheet's classes for the position of an event.
func (e event) class(now time.Time) string {
	long := e.End - e.Start
	out := "ev " + at(e.Start) + " x" + strconv.Itoa(long/60) + " y" + strconv.Itoa(long%60) + " l" + strconv.Itoa(e.Lane) + " n" + strconv.Itoa(e.Lanes) + " s" + strconv.Itoa(max(1, e.Span))
	if long <= 30 {
		out += " short"
	}
	if !e.EndsAt.After(now) {
		out += " over"
	} else if !e.StartsAt.After(now) {
		out += " now"
	}
	return out + " " + string(e.Kind)
}

// at returns the classes of an hour and minutes.
func at(minutes int) string {
	return "h" + strconv.Itoa(minutes/60) + " m" + strconv.Itoa(minutes%60)
}

// nowAt returns the position of the current time.
func (s sheet) nowAt() int {
	now := int(civil.LocalClock(s.Now, s.zone))
	return now - now%step
}

// shows reports whether the current time is within the hours of the grid.
func (s sheet) shows() bool {
	hour := int(civil.LocalClock(s.Now, s.zone)) / 60
	return hour >= s.From && hour < s.To
}

// move returns the address to reschedule a date; empty without the right, or after its start.
func (s sheet) move(c *desk.Call, d *agenda.Date) string {
	switch {
	case !d.StartsAt.After(s.Now):
		return ""
	case d.Kind == catalog.Class && s.MayMove:
		return c.To("/dates/" + d.ID.String() + "/move?version=" + strconv.FormatInt(d.Version, 10))
	case d.Kind != catalog.Class && s.MayReplace && d.BookingID != nil:
		return c.To("/bookings/"+d.BookingID.String()+"/move", "minutes", strconv.Itoa(int(d.EndsAt.Sub(d.StartsAt).Minutes())), "member", idOf(d.MemberID), "space", idOf(d.SpaceID))
	}
	return ""
}

// dragged returns the kind of a dragged event: a date of a class, or a booking, as their screens differ.
func dragged(d *agenda.Date) string {
	if d.Kind == catalog.Class {
		return "date"
	}
	return "booking"
}

func idOf(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// title returns the full text of an event, for a tooltip.
func title(sh ui.Shell, d *agenda.Date, says, fill string) string {
	return view.Joined(" · ", sh.Span(d.StartsAt, int(d.EndsAt.Sub(d.StartsAt).Minutes())), d.OfferingName, says, fill)
}

// says renders an event's details besides its time and name.
func says(sh ui.Shell, d *agenda.Date) string {
	if d.Kind != catalog.Class {
		return view.Joined(" · ", d.Customer, d.Instructor, d.Space)
	}
	return view.Joined(" · ", ui.PartOfCourse(sh, d.Course()), d.Instructor, d.Space)
}

// fill renders the booked seats and the waitlist of a class.
func fill(sh ui.Shell, d *agenda.Date) string {
	if d.Kind != catalog.Class {
		return ""
	}
	out := strconv.Itoa(d.Taken) + "/" + strconv.Itoa(d.Capacity)
	if d.Waiting > 0 {
		out = view.Joined(" ", out, sh.T("+{n} waiting", "n", d.Waiting))
	}
	return out
}

// day is a day of the agenda.
type day struct {
	civil.Date
	At    time.Time
	Dates []*agenda.Date
}

// days returns the dates by their day; empty days are left out.
func (s sheet) days() (out []day) {
	for i := range s.Dates {
		d := &s.Dates[i]
		on := civil.LocalDate(d.StartsAt, civil.ZoneOrUTC(d.Zone))
		if len(out) == 0 || out[len(out)-1].Date != on {
			i := slices.IndexFunc(out, func(o day) bool { return o.Date == on })
			if i >= 0 {
				out[i].Dates = append(out[i].Dates, d)
				continue
			}
			out = append(out, day{Date: on, At: civil.StartOfDay(on, s.zone)})
		}
		out[len(out)-1].Dates = append(out[len(out)-1].Dates, d)
	}
	return out
}

// onWall returns the shell in the time zone of a date's location.
func onWall(sh ui.Shell, d *agenda.Date) ui.Shell {
	sh.Zone = civil.ZoneOrUTC(d.Zone)
	return sh
}
