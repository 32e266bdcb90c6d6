package schedule

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"foyer/app/fault"
)

// Rule says on which dates something takes place and at what time on the wall: every Monday and Thursday at 09:30. It is
// the part of RFC 5545 that studios use, kept in civil time; instants come only from Occurrences, which is told the zone.
//
// The pattern of dates is one function, pattern. Daily, monthly and every-other-week rules are new fields that it reads;
// added single dates are a list beside Except. Start, Until, Count and Except work on whatever the pattern yields.
type Rule struct {
	Weekdays []time.Weekday // at least one, each once, in any order
	Start    Date           // no date is earlier; it need not be one of the weekdays
	At       Clock          // when it begins, on the wall clock
	Minutes  int            // how long it takes, elapsed: 5 to 1440
	Until    *Date          // the last possible date; nil runs on
	Count    *int           // how many dates of the pattern from Start on, 1 to 1000; those in Except count. Not with Until
	Except   []Date         // dates left out
}

// The bounds of a rule.
const (
	MinutesMin = 5
	MinutesMax = 24 * 60
	CountMax   = 1000
	ExceptMax  = 1000
)

// Validate checks the rule. The error is a Validation fault with one field for each thing that is wrong: weekdays, start,
// at, minutes, until, count, except.
func (r Rule) Validate() error {
	var checks fault.Checks
	r.Check(&checks, "")
	return checks.Err()
}

// Check is Validate inside a larger input: path is where the rule stands in it, "body.rule." for example.
func (r Rule) Check(checks *fault.Checks, path string) {
	checks.That(weekdaysValid(r.Weekdays), path+"weekdays", "Name at least one day of the week, and each one once.")
	checks.That(r.Start.Valid(), path+"start", "This date does not exist.")
	checks.That(r.At.Valid(), path+"at", "The time of day must be between 00:00 and 23:59.")
	checks.That(r.Minutes >= MinutesMin && r.Minutes <= MinutesMax, path+"minutes",
		fmt.Sprintf("The length must be between %d and %d minutes.", MinutesMin, MinutesMax))
	if r.Until != nil {
		checks.That(r.Until.Valid(), path+"until", "This date does not exist.")
		checks.That(!r.Until.Before(r.Start), path+"until", "The last date must not be before the first.")
		checks.That(r.Count == nil, path+"count", "Give a last date or a number of dates, not both.")
	}
	if r.Count != nil {
		checks.That(*r.Count >= 1 && *r.Count <= CountMax, path+"count",
			fmt.Sprintf("The number of dates must be between 1 and %d.", CountMax))
	}
	checks.That(len(r.Except) <= ExceptMax, path+"except", fmt.Sprintf("Leave out at most %d dates.", ExceptMax))
	for i, d := range r.Except {
		checks.That(d.Valid(), fmt.Sprintf("%sexcept[%d]", path, i), "This date does not exist.")
	}
}

func weekdaysValid(days []time.Weekday) bool {
	seen := map[time.Weekday]bool{}
	for _, d := range days {
		if d < time.Sunday || d > time.Saturday || seen[d] {
			return false
		}
		seen[d] = true
	}
	return len(seen) > 0
}

// Dates yields the dates of a valid rule between from and to, both included, in order. Count is counted from Start on,
// whatever from is, so that any window shows the same series. The caller bounds the window.
func (r Rule) Dates(from, to Date) iter.Seq[Date] {
	first, last := from, to
	if first.Before(r.Start) || r.Count != nil {
		first = r.Start
	}
	if r.Until != nil && r.Until.Before(last) {
		last = *r.Until
	}
	return func(yield func(Date) bool) {
		n := 0
		for d := range r.pattern(first, last) {
			if n++; r.Count != nil && n > *r.Count {
				return
			}
			if d.Before(from) || slices.Contains(r.Except, d) {
				continue
			}
			if !yield(d) {
				return
			}
		}
	}
}

// pattern yields the dates from first to last that the rule names, before anything is counted or left out.
func (r Rule) pattern(first, last Date) iter.Seq[Date] {
	var on [7]bool
	for _, day := range r.Weekdays {
		on[day] = true
	}
	return func(yield func(Date) bool) {
		for d := range Days(first, last) {
			if on[d.Weekday()] && !yield(d) {
				return
			}
		}
	}
}

// Span is one date of a rule as instants in UTC. Date is the date the rule names.
type Span struct {
	Date     Date
	StartsAt time.Time
	EndsAt   time.Time
}

// Occurrences places the dates of a valid rule between from and to, both included, in a zone. The start is the wall clock
// time there (Instant has the rule for gaps and folds); the end is Minutes later, elapsed, so that a class has its full
// length on the night the clocks change. A date that the zone skipped whole is left out, but counts for Count: nobody can
// come that day, and moving it would put two dates of a daily rule at the same instant.
func Occurrences(r Rule, loc *time.Location, from, to Date) []Span {
	var spans []Span
	for d := range r.Dates(from, to) {
		if start, end := DayBounds(d, loc); start.Equal(end) {
			continue
		}
		start := Instant(d, r.At, loc)
		spans = append(spans, Span{Date: d, StartsAt: start, EndsAt: start.Add(time.Duration(r.Minutes) * time.Minute)})
	}
	return spans
}
