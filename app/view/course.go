package view

import "time"

// CourseDate is one date of a course.
type CourseDate struct {
	Start   time.Time
	Minutes int
	State   string // "Full", "Cancelled by the studio"; empty for a date that takes place
}

// Dates returns "8 dates, Tue 24 Nov to 12 Jan", or "1 date, Tue 24 Nov".
func (w Words) Dates(list []CourseDate) string {
	n := len(list)
	if n == 0 {
		return ""
	}
	first, last := w.ShortDate(list[0].Start), w.Day(list[n-1].Start)
	if n == 1 {
		return w.T("1 date, {first}", "first", first)
	}
	return w.N(n, "{n} date, {first} to {last}", "{n} dates, {first} to {last}", "first", first, "last", last)
}

// each returns one line per date: "Tue 24 Nov, 18:30 to 19:30".
func (w Words) each(list []CourseDate) []string {
	out := make([]string, len(list))
	for i, d := range list {
		if out[i] = w.T("{day}, {time}", "day", w.ShortDate(d.Start), "time", w.Span(d.Start, d.Minutes)); d.State != "" {
			out[i] = w.T("{when} ({state})", "when", out[i], "state", d.State)
		}
	}
	return out
}

// whens returns one line per time: the single time, or a course in short and then its dates.
func (w Words) whens(start time.Time, minutes int, dates []CourseDate) []string {
	if len(dates) == 0 {
		return []string{w.When(start, minutes)}
	}
	return append([]string{w.Dates(dates)}, w.each(dates)...)
}

// inShort returns the time on one line: "Fri 20 Nov, 6:30", or a course in short.
func (w Words) inShort(start time.Time, dates []CourseDate) string {
	if len(dates) == 0 {
		return w.ShortWhen(start)
	}
	return w.Dates(dates)
}
