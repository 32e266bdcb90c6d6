package schedule

import (
	"iter"
	"time"

	"foyer/app/civil"
)

// pattern yields the dates from first to last that the rule names, before Count and Except; first is not before
// Start. It steps over periods and not over days, so that a window may be as long as the calendar.
func (r Rule) pattern(first, last civil.Date) iter.Seq[civil.Date] {
	switch r.Freq {
	case Daily:
		return r.daily(first, last)
	case Monthly:
		return r.monthly(first, last)
	}
	return r.weekly(first, last)
}

// every is Every with its default.
func (r Rule) every() int { return max(1, r.Every) }

// daily is every so many days from Start on.
func (r Rule) daily(first, last civil.Date) iter.Seq[civil.Date] {
	step := r.every()
	return func(yield func(civil.Date) bool) {
		d := first
		if past := r.Start.DaysUntil(first) % step; past > 0 {
			d = first.AddDays(step - past)
		}
		for ; !d.After(last); d = d.AddDays(step) {
			if !yield(d) {
				return
			}
		}
	}
}

// weekly yields the named days of every so many weeks, counted from the week of Start. A week begins on Monday (RFC
// 5545's default).
func (r Rule) weekly(first, last civil.Date) iter.Seq[civil.Date] {
	var on [7]bool
	for _, day := range r.Weekdays {
		on[day] = true
	}
	anchor, step := monday(r.Start), 7*r.every()
	return func(yield func(civil.Date) bool) {
		week := anchor.AddDays(anchor.DaysUntil(first) / step * step)
		for ; !week.After(last); week = week.AddDays(step) {
			for d := range civil.Days(week, week.AddDays(6)) {
				if d.After(last) {
					return
				}
				if on[d.Weekday()] && !d.Before(first) && !yield(d) {
					return
				}
			}
		}
	}
}

// monday is the first day of a date's week.
func monday(d civil.Date) civil.Date { return d.AddDays(-((int(d.Weekday()) + 6) % 7)) }

// monthly is one day of every so many months, counted from the month of Start.
func (r Rule) monthly(first, last civil.Date) iter.Seq[civil.Date] {
	step := r.every()
	return func(yield func(civil.Date) bool) {
		months := (first.Year-r.Start.Year)*12 + int(first.Month-r.Start.Month)
		for n := months / step * step; ; n += step {
			month := civil.DateOf(time.Date(r.Start.Year, r.Start.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
			if month.After(last) {
				return
			}
			if d := r.dayIn(month); d.Valid() && !d.Before(first) && !d.After(last) && !yield(d) {
				return
			}
		}
	}
}

// dayIn returns the day of a month for a monthly rule; an invalid date when the month has none. month is its first
// day.
func (r Rule) dayIn(month civil.Date) civil.Date {
	day := r.Start.Day
	if r.MonthlyBy == ByWeekday {
		nth := (r.Start.Day - 1) / 7 // 0 is the first such weekday of the month
		day = 1 + (int(r.Start.Weekday())-int(month.Weekday())+7)%7 + 7*nth
	}
	return civil.NewDate(month.Year, month.Month, day)
}

// samePattern reports whether two rules have the same dates, as long as both continue.
func (r Rule) samePattern(o Rule) bool {
	a, b := r.tidy(), o.tidy()
	return a.Freq == b.Freq && a.Every == b.Every && a.MonthlyBy == b.MonthlyBy && a.Start == b.Start &&
		weekdaysText(a.Weekdays) == weekdaysText(b.Weekdays)
}

// used is how many dates of the pattern, left-out ones too, there are before a date.
func (r Rule) used(before civil.Date) int {
	n := 0
	for range r.counted(r.Start, before.AddDays(-1)) {
		n++
	}
	return n
}

// first is the rule's first date: of the pattern, or an extra one.
func (r Rule) first() (civil.Date, bool) {
	from := r.Start
	for _, d := range r.Extra {
		if d.Before(from) {
			from = d
		}
	}
	return r.firstAfter(from.AddDays(-1))
}

// firstAfter is the rule's first date after d.
func (r Rule) firstAfter(d civil.Date) (civil.Date, bool) {
	for next := range r.Dates(d.AddDays(1), lastDate) {
		return next, true
	}
	return civil.Date{}, false
}

// lastDate is the end of the calendar.
var lastDate = civil.NewDate(9999, time.December, 31)
