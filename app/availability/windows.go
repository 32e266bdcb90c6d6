package availability

import (
	"cmp"
	"slices"
	"time"

	"foyer/app/business"
	"foyer/app/civil"
)

// Hours are stored on the wall clock and used in real time. The days of the location are processed one by one: adding
// 24 hours would be an hour off on one side of every change of the clocks. An interval keeps both its ends on the
// wall clock: from 09:00 to 17:00 stays that on a day of 23 hours. An end in a gap is the moment of the jump, so
// nothing is open when the wall clock shows closed; an end that the wall clock shows twice is the first of the two,
// as everywhere here.

// localDay is a day of the location in real time.
type localDay struct {
	date       civil.Date
	start, end int64 // end belongs to the next day
	plain      bool  // the clocks do not change on it: a minute of the wall is a minute after start
}

// daysOf lists the days of a location that have a part of a stretch.
func daysOf(loc *time.Location, over stretch) []localDay {
	date := civil.LocalDate(time.Unix(over.from, 0), loc)
	start, _ := civil.DayBounds(date, loc)
	var days []localDay
	for at := start.Unix(); at < over.to; date = date.AddDays(1) {
		d := localDay{date: date, start: at}
		next := civil.StartOfDay(date.AddDays(1), loc)
		d.end = next.Unix()
		// No zone changes twice within a day, so equal offsets at both ends mean that none lies between.
		d.plain = d.end-d.start == civil.SecondsPerDay && civil.OffsetAt(d.start, loc) == civil.OffsetAt(d.end, loc)
		days = append(days, d)
		at = d.end
	}
	return days
}

// edge is when the wall shows a minute of the day for the first time, or jumps over it; 1440 is the end of the day.
func (d *localDay) edge(minute int, loc *time.Location) int64 {
	switch {
	case d.plain:
		return d.start + int64(minute)*60
	case minute >= minutesPerDay:
		return d.end
	}
	unix, gap := civil.Resolve(d.date, civil.Clock(minute), loc)
	if gap {
		unix = civil.JumpBefore(unix, loc)
	}
	return min(max(unix, d.start), d.end)
}

const minutesPerDay = 24 * 60

// opening is one interval of a day: its end and beginning in real time, and the minute on the wall clock from which
// its grid of starts is counted.
type opening struct {
	stretch
	day    int // index of the day
	minute int
}

// DayHours is an opening interval of a day, on its wall clock. Opens and Closes are minutes after midnight; 1440 is
// the end of the day.
type DayHours struct {
	Opens  int `json:"opens"`
	Closes int `json:"closes"`
}

// SpecialDays is a run of days on which a location is closed, or has hours of its own.
type SpecialDays struct {
	Name  string
	From  civil.Date
	To    civil.Date // the last day
	Hours []DayHours // of each of the days; none: closed
}

func (s SpecialDays) has(d civil.Date) bool { return !d.Before(s.From) && !d.After(s.To) }

// hoursOn are the hours of a weekly table on a day, in the order of the table.
func hoursOn(week []business.Interval, d civil.Date) []DayHours {
	var out []DayHours
	weekday := d.Weekday()
	for _, v := range week {
		if v.Weekday == weekday {
			out = append(out, DayHours{v.Opens, v.Closes})
		}
	}
	return out
}

// special returns the hours that closures leave of a day; given is false when there is none for it. Of several for
// the same day it is the intersection.
func special(list []SpecialDays, d civil.Date) (hours []DayHours, given bool) {
	for _, s := range list {
		if !s.has(d) {
			continue
		}
		these := s.Hours
		if given {
			these = shared(hours, these)
		}
		hours, given = these, true
	}
	return hours, given
}

// shared returns the intersection of two lists of hours of one day.
func shared(a, b []DayHours) []DayHours {
	var out []DayHours
	for _, x := range a {
		for _, y := range b {
			if v := (DayHours{max(x.Opens, y.Opens), min(x.Closes, y.Closes)}); v.Opens < v.Closes {
				out = append(out, v)
			}
		}
	}
	return out
}

// calendar is the days that a question is about, with when their location is open.
type calendar struct {
	loc     *time.Location
	days    []localDay
	hours   [][]DayHours // of the location, closures applied, by day
	limits  [][]DayHours // hours that closures leave of a day
	limited []bool       // whether there is a closure about the day
}

func newCalendar(f *Facts, over stretch) calendar {
	c := calendar{loc: f.Zone, days: daysOf(f.Zone, over)}
	n := len(c.days)
	c.hours, c.limits, c.limited = make([][]DayHours, n), make([][]DayHours, n), make([]bool, n)
	for i, d := range c.days {
		c.limits[i], c.limited[i] = special(f.Special, d.date)
		if c.limited[i] {
			c.hours[i] = c.limits[i]
		} else {
			c.hours[i] = hoursOn(f.Week, d.date)
		}
	}
	return c
}

// openings converts the hours of each day to real time. hours is called with a day's index.
func (c *calendar) openings(hours func(day int) []DayHours) []opening {
	var out []opening
	for i := range c.days {
		d := &c.days[i]
		begin := len(out)
		for _, h := range hours(i) {
			o := opening{stretch{d.edge(h.Opens, c.loc), d.edge(h.Closes, c.loc)}, i, h.Opens}
			if o.from < o.to {
				out = append(out, o)
			}
		}
		slices.SortFunc(out[begin:], func(a, b opening) int { return cmp.Compare(a.from, b.from) })
	}
	return out
}

// ofLocation are the hours of the location.
func (c *calendar) ofLocation() []opening {
	return c.openings(func(i int) []DayHours { return c.hours[i] })
}

// ofPerson returns a person's hours. A closed location is closed for all members; its weekly hours do not limit them.
func (c *calendar) ofPerson(week []business.Interval) []opening {
	return c.openings(func(i int) []DayHours {
		h := hoursOn(week, c.days[i].date)
		if c.limited[i] {
			h = shared(h, c.limits[i])
		}
		return h
	})
}

// ofRoom are a space's hours: those of its location, and within them its own when it has any.
func (c *calendar) ofSpace(week []business.Interval) []opening {
	if len(week) == 0 {
		return c.ofLocation()
	}
	return c.openings(func(i int) []DayHours { return shared(hoursOn(week, c.days[i].date), c.hours[i]) })
}

// setOf is when any of the openings is open.
func setOf(list []opening) []stretch {
	out := make([]stretch, len(list))
	for i, o := range list {
		out[i] = o.stretch
	}
	return normal(out)
}

// Opening is a time without a break at which a space is open. To is closed again.
type Opening struct {
	From time.Time
	To   time.Time
}

// OpenHours returns the times at which a space is open between two instants, in order: the hours of its location with
// its closures, and within them the space's own when it has any. They are the hours by which availability is decided.
// An opening that goes on past midnight is one, and those at the ends may exceed the range, by a day at most.
func OpenHours(zone *time.Location, location []business.Interval, special []SpecialDays, own []business.Interval, from, to time.Time) []Opening {
	c := newCalendar(&Facts{Zone: zone, Week: location, Special: special}, stretch{from.Unix(), to.Unix()})
	set := setOf(c.ofSpace(own))
	out := make([]Opening, len(set))
	for i, s := range set {
		out[i] = Opening{time.Unix(s.from, 0).UTC(), time.Unix(s.to, 0).UTC()}
	}
	return out
}
