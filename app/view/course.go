package view

import "time"

// Course is a class that is booked with all its dates.
type Course struct {
	About  // the price is of all dates together
	Dates  []CourseDate
	Total  int // how many dates it has with those that have begun; more than Dates when it has
	Spots  int // free on every date; told when few
	Form   Form
	People *PeopleAsk // asked where several can come
	Note   string     // why it cannot be booked, in place of Form
}

// CourseDate is one date of a course.
type CourseDate struct {
	Start   time.Time
	Minutes int
	State   string // "Full", "Cancelled by the studio"; empty when it simply takes place
}

// Dates is "8 dates, Tue 24 Nov to 12 Jan", and for a single one "1 date, Tue 24 Nov".
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

// each are the dates in words, a line each: "Tue 24 Nov, 18:30 to 19:30".
func (w Words) each(list []CourseDate) []string {
	out := make([]string, len(list))
	for i, d := range list {
		if out[i] = w.T("{day}, {time}", "day", w.ShortDate(d.Start), "time", w.Span(d.Start, d.Minutes)); d.State != "" {
			out[i] = w.T("{when} ({state})", "when", out[i], "state", d.State)
		}
	}
	return out
}

// whens is when something takes place, a line each: the one time, or a course in short and then its dates.
func (w Words) whens(start time.Time, minutes int, dates []CourseDate) []string {
	if len(dates) == 0 {
		return []string{w.When(start, minutes)}
	}
	return append([]string{w.Dates(dates)}, w.each(dates)...)
}

// inShort is when something takes place, on one line: "Fri 20 Nov, 6:30", or a course in short.
func (w Words) inShort(start time.Time, dates []CourseDate) string {
	if len(dates) == 0 {
		return w.ShortWhen(start)
	}
	return w.Dates(dates)
}

// begun says that who joins now joins a course that has begun; empty when it has not.
func (v Course) begun(w Words) string {
	if v.Total <= len(v.Dates) || len(v.Dates) == 0 {
		return ""
	}
	return w.N(len(v.Dates), "It has begun: {n} of {all} dates is still to come. The price is that of the whole course.",
		"It has begun: {n} of {all} dates are still to come. The price is that of the whole course.", "all", v.Total)
}
