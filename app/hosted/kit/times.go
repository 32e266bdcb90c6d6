package kit

import (
	"time"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/schedule"
	"foyer/app/view"
)

// TimesOf returns the available times of an offering. show shows one of them; ok is false for one that cannot be
// chosen.
func TimesOf(s *Studio, w Wish, path string, t schedule.Times, show func(x schedule.PublicOccurrence) (v view.Time, ok bool)) view.Times {
	v := view.Times{
		Jump: &view.Jump{Action: path, From: view.Noon(First(t), s.Clock), Min: view.Noon(t.Location.Today, s.Clock)},
	}
	if t.Head.Kind != catalog.Class {
		v.Strip = days(s, w, path, t)
	}
	shown, rest := t.Screen()
	for _, d := range shown {
		day := view.TimesDay{Date: view.Noon(d.Date, s.Clock)}
		for _, x := range d.Occurrences {
			if time, ok := show(x); ok {
				day.Times = append(day.Times, time)
			}
		}
		if len(day.Times) > 0 {
			v.Days = append(v.Days, day)
		}
	}
	switch {
	case len(rest) > 0:
		v.Later = w.Href(path, "from", rest[0].Date.String())
	case t.Next != nil:
		v.Later = w.Href(path, "after", t.Next.Format(time.RFC3339))
	}
	return v
}

// SpotsOf returns the number of free seats of a shared space; any other time is free or not.
func SpotsOf(p catalog.Page, x schedule.PublicOccurrence) int {
	if p.PerHead() {
		return x.Spots
	}
	return 0
}

// First returns the first day of a page of times.
func First(t schedule.Times) civil.Date {
	if len(t.Days) > 0 {
		return t.Days[0].Date
	}
	return t.Location.Today
}

// Strip returns the fourteen days on top: from today on, or from the shown day when that is further away. open are
// the days with available times; more fills in further fields of each.
func Strip(s *Studio, today, shown civil.Date, open map[civil.Date]bool, more func(d civil.Date, day *view.StripDay)) []view.StripDay {
	from := today
	if !shown.Before(today.AddDays(schedule.ScheduleDays)) {
		from = shown
	}
	var out []view.StripDay
	for d := range civil.Days(from, from.AddDays(schedule.ScheduleDays-1)) {
		day := view.StripDay{Date: view.Noon(d, s.Clock), Open: open[d], Current: d == shown}
		more(d, &day)
		out = append(out, day)
	}
	return out
}

// days is the strip of an appointment or a rental. Only for the days that were read it is known whether they have a
// free time.
func days(s *Studio, w Wish, path string, t schedule.Times) []view.StripDay {
	shown, last := First(t), t.Location.Today
	free := map[civil.Date]bool{}
	for _, d := range t.Days {
		free[d.Date], last = true, d.Date
	}
	return Strip(s, t.Location.Today, shown, free, func(d civil.Date, day *view.StripDay) {
		day.Plain, day.Href = d.Before(shown) || d.After(last), w.Href(path, "from", d.String())
	})
}
