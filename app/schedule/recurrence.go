package schedule

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"foyer/app/civil"
	"foyer/app/fault"
)

// Rule is a recurrence of dates and a time on the wall clock: every Monday and Thursday at 09:30. It is the part of
// RFC 5545 that studios use, kept in civil time; instants come only from Occurrences, with a zone.
//
// The pattern of dates is in pattern.go. Start, Until, Count and Except restrict the dates of the pattern; Extra
// dates are added to them.
type Rule struct {
	Freq      Freq         // empty: Weekly
	Every     int          // interval in days, weeks (Monday to Sunday) or months, from Start's on: 1 to 52; 0 is 1
	Weekdays  Weekdays     // Weekly only: at least one, each once, in any order
	MonthlyBy MonthlyBy    // Monthly only
	Start     civil.Date   // no date of the pattern is earlier; a monthly rule has its day from here
	At        civil.Clock  // when it begins, on the wall clock
	Minutes   int          // length, elapsed: 5 to 1440
	Until     *civil.Date  // the last possible date of the pattern; nil: no end
	Count     *int         // dates of the pattern from Start on, 1 to 1000, with those in Except; not with Until
	Except    []civil.Date // excluded dates
	Extra     []civil.Date // dates beside the pattern, before Start and after Until too; they do not count for Count
}

// Weekdays are days of the week, stored in RFC 5545 notation: "MO,TH".
type Weekdays []time.Weekday

// Freq is the period of a rule.
type Freq string

// The periods.
const (
	Daily   Freq = "daily"
	Weekly  Freq = "weekly"
	Monthly Freq = "monthly"
)

// All lists them.
func (Freq) All() []Freq { return []Freq{Daily, Weekly, Monthly} }

// MonthlyBy selects the day of a month for a monthly rule. A month without such a day is skipped.
type MonthlyBy string

// The days of a month.
const (
	ByDay     MonthlyBy = "day"     // the 31st, when Start is a 31st
	ByWeekday MonthlyBy = "weekday" // the second Tuesday, when Start is one
)

// All lists them.
func (MonthlyBy) All() []MonthlyBy { return []MonthlyBy{ByDay, ByWeekday} }

// The bounds of a rule.
const (
	MinutesMin = 5
	MinutesMax = 24 * 60
	CountMax   = 1000
	ExceptMax  = 1000
	ExtraMax   = 366
	EveryMax   = 52
)

// Validate checks the rule. The error is a Validation fault with one field for each problem: freq, every, weekdays,
// monthlyBy, start, at, minutes, until, count, except, extraDates.
func (r Rule) Validate() error {
	var checks fault.Checks
	r.Check(&checks)
	return checks.Err()
}

// Check records the problems of the rule, as Validate does.
func (r Rule) Check(checks *fault.Checks) {
	r.checkPattern(checks)
	checks.That(r.Start.Valid(), "start", "This date does not exist.")
	checks.That(r.At.Valid(), "at", "The time of day must be between 00:00 and 23:59.")
	checks.That(r.Minutes >= MinutesMin && r.Minutes <= MinutesMax, "minutes",
		fmt.Sprintf("The length must be between %d and %d minutes.", MinutesMin, MinutesMax))
	if r.Until != nil {
		checks.That(r.Until.Valid(), "until", "This date does not exist.")
		checks.That(!r.Until.Before(r.Start), "until", "The last date must not be before the first.")
		checks.That(r.Count == nil, "count", "Use a last date or a number of dates, not both.")
	}
	if r.Count != nil {
		checks.That(*r.Count >= 1 && *r.Count <= CountMax, "count",
			fmt.Sprintf("The number of dates must be between 1 and %d.", CountMax))
	}
	checks.That(len(r.Except) <= ExceptMax, "except", fmt.Sprintf("Exclude at most %d dates.", ExceptMax))
	for i, d := range r.Except {
		checks.That(d.Valid(), fmt.Sprintf("except[%d]", i), "This date does not exist.")
	}
	checks.That(len(r.Extra) <= ExtraMax, "extraDates", fmt.Sprintf("Add at most %d dates.", ExtraMax))
	for i, d := range r.Extra {
		field := fmt.Sprintf("extraDates[%d]", i)
		checks.That(d.Valid(), field, "This date does not exist.")
		checks.That(!slices.Contains(r.Except, d), field, "This date is excluded, too.")
	}
}

func (r Rule) checkPattern(checks *fault.Checks) {
	checks.That(r.Every >= 0 && r.Every <= EveryMax, "every", fmt.Sprintf("Use 1 to %d.", EveryMax))
	switch r.Freq {
	case "", Weekly:
		checks.That(weekdaysValid(r.Weekdays), "weekdays", "List at least one day of the week, and each one once.")
	case Daily, Monthly:
		checks.That(len(r.Weekdays) == 0, "weekdays", "Only for weekly rules.")
	default:
		checks.That(false, "freq", "Use daily, weekly or monthly.")
		return
	}
	switch {
	case r.Freq == Monthly:
		checks.That(r.MonthlyBy == ByDay || r.MonthlyBy == ByWeekday, "monthlyBy", "Use day or weekday.")
	default:
		checks.That(r.MonthlyBy == "", "monthlyBy", "Only for monthly rules.")
	}
}

func weekdaysValid(days []time.Weekday) bool {
	for i, d := range days {
		if d < time.Sunday || d > time.Saturday || slices.Contains(days[:i], d) {
			return false
		}
	}
	return len(days) > 0
}

// Dates yields the dates of a valid rule between from and to, both included, in order and each once. Count is counted
// from Start on, independent of from, so that any window shows the same series.
func (r Rule) Dates(from, to civil.Date) iter.Seq[civil.Date] {
	return func(yield func(civil.Date) bool) {
		extra := slices.DeleteFunc(inOrder(r.Extra), func(d civil.Date) bool { return d.Before(from) || d.After(to) })
		except := inOrder(r.Except)
		give := func(d civil.Date) bool {
			for len(except) > 0 && except[0].Before(d) {
				except = except[1:]
			}
			return len(except) > 0 && except[0] == d || yield(d)
		}
		for d := range r.counted(from, to) {
			for ; len(extra) > 0 && extra[0].Before(d); extra = extra[1:] {
				if !give(extra[0]) {
					return
				}
			}
			if len(extra) > 0 && extra[0] == d {
				extra = extra[1:]
			}
			if !give(d) {
				return
			}
		}
		for _, d := range extra {
			if !give(d) {
				return
			}
		}
	}
}

// counted yields the dates of the pattern between from and to that Until and Count leave, those in Except too.
func (r Rule) counted(from, to civil.Date) iter.Seq[civil.Date] {
	first, last := from, to
	if first.Before(r.Start) || r.Count != nil {
		first = r.Start
	}
	if r.Until != nil && r.Until.Before(last) {
		last = *r.Until
	}
	return func(yield func(civil.Date) bool) {
		n := 0
		for d := range r.pattern(first, last) {
			if n++; r.Count != nil && n > *r.Count {
				return
			}
			if !d.Before(from) && !yield(d) {
				return
			}
		}
	}
}

// Span is one date of a rule as instants in UTC. Date is the date of the rule.
type Span struct {
	Date     civil.Date
	StartsAt time.Time
	EndsAt   time.Time
}

// Occurrences places the dates of a valid rule between from and to, both included, in a zone. The start is the wall
// clock time there (Instant has the rule for gaps and folds); the end is Minutes later, elapsed, so that a class has
// its full length on the night the clocks change. A date that the zone skipped is left out, but counts for Count:
// that day did not exist, and shifting the date would put two dates of a daily rule at the same instant.
func Occurrences(r Rule, loc *time.Location, from, to civil.Date) []Span {
	var spans []Span
	for d := range r.Dates(from, to) {
		if start, end := civil.DayBounds(d, loc); start.Equal(end) {
			continue
		}
		start := civil.Instant(d, r.At, loc)
		spans = append(spans, Span{Date: d, StartsAt: start, EndsAt: start.Add(time.Duration(r.Minutes) * time.Minute)})
	}
	return spans
}

// weekdayOrder is the week as RFC 5545 writes it.
var weekdayOrder = []time.Weekday{
	time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday,
}

// tidy writes the defaults out and puts the days of the week and the single dates in order, each once.
func (r Rule) tidy() Rule {
	if r.Freq == "" {
		r.Freq = Weekly
	}
	r.Every = r.every()
	r.Weekdays = slices.DeleteFunc(slices.Clone(weekdayOrder), func(d time.Weekday) bool { return !slices.Contains(r.Weekdays, d) })
	r.Except, r.Extra = inOrder(r.Except), inOrder(r.Extra)
	return r
}

// inOrder sorts dates, each once; nil without any.
func inOrder(dates []civil.Date) []civil.Date {
	if len(dates) == 0 {
		return nil
	}
	return slices.Compact(slices.SortedFunc(slices.Values(dates), civil.Date.Compare))
}
