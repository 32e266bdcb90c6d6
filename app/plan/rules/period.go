package rules

import (
	"time"

	"foyer/app/civil"
)

// Unit is the unit of an interval.
type Unit string

// The units.
const (
	Day   Unit = "day"
	Week  Unit = "week"
	Month Unit = "month"
	Year  Unit = "year"
)

// All returns the units.
func (Unit) All() []Unit { return []Unit{Day, Week, Month, Year} }

// Interval is the length of a billing period.
type Interval struct {
	Count int // at least 1
	Unit  Unit
}

// Schedule is the sequence of billing periods of a membership. They do not overlap and leave no gap.
type Schedule struct {
	Start civil.Date // the first day
	Every Interval
	// Day of the month on which periods begin, 1 to 31, for months and years; 0: that of Start. With another day than
	// that of Start the first period is a part of one.
	Day int
}

// Period is a billing period, from its first day until the day after its last.
type Period struct {
	From, Until civil.Date
	// Whole is the number of days of the whole period that it is a part of; of a whole one its own.
	Whole int
}

// Days returns the number of days.
func (p Period) Days() int { return p.From.DaysUntil(p.Until) }

// Has reports whether a day is in the period.
func (p Period) Has(d civil.Date) bool { return !d.Before(p.From) && d.Before(p.Until) }

// RemainingFrom returns the number of days from a day of the period to its end, that day included.
func (p Period) RemainingFrom(d civil.Date) int { return max(0, min(p.Days(), d.DaysUntil(p.Until))) }

// Share returns the part of the price of a whole period that is for this one.
func (p Period) Share(price int64) int64 { return share(price, p.Days(), p.Whole) }

// Period returns the period of a number, counted from 0.
func (s Schedule) Period(n int) Period {
	switch s.Every.Unit {
	case Day, Week:
		days := s.Every.Count
		if s.Every.Unit == Week {
			days *= 7
		}
		return Period{s.Start.AddDays(n * days), s.Start.AddDays((n + 1) * days), days}
	}
	months := s.Every.Count
	if s.Every.Unit == Year {
		months *= 12
	}
	first, day := s.Start, s.Start.Day
	if s.Day > 0 && s.Day != s.Start.Day {
		day = s.Day
		if first = onDay(s.Start, 0, day); first.Before(s.Start) {
			first = onDay(s.Start, 1, day)
		}
	}
	if first != s.Start { // a part comes first
		if n == 0 {
			return Period{s.Start, first, onDay(first, -months, day).DaysUntil(first)}
		}
		n--
	}
	p := Period{From: onDay(first, n*months, day), Until: onDay(first, (n+1)*months, day)}
	p.Whole = p.Days()
	return p
}

// Of returns the period of a day and its number; found is false for a day before the first.
func (s Schedule) Of(d civil.Date) (p Period, n int, found bool) {
	if d.Before(s.Start) {
		return Period{}, 0, false
	}
	n = max(0, s.Start.DaysUntil(d)/s.longest()-1)
	for ; ; n++ {
		if p = s.Period(n); p.Has(d) {
			return p, n, true
		}
	}
}

// longest returns the largest number of days that a period has.
func (s Schedule) longest() int {
	return s.Every.Count * map[Unit]int{Day: 1, Week: 7, Month: 31, Year: 366}[s.Every.Unit]
}

// onDay returns a day of the month that is so many months after that of d; the last one of a shorter month. It is
// computed from the day that was meant, so that a series does not drift: 31 January, 28 February, 31 March.
func onDay(d civil.Date, months, day int) civil.Date {
	first := civil.DateOf(time.Date(d.Year, d.Month+time.Month(months), 1, 0, 0, 0, 0, time.UTC))
	last := civil.DateOf(time.Date(first.Year, first.Month+1, 0, 0, 0, 0, 0, time.UTC))
	return civil.NewDate(first.Year, first.Month, min(day, last.Day))
}
