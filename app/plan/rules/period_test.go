package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

func day(text string) civil.Date {
	d, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// The starts of periods, with their days if they are parts of a whole one.
func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		start string
		every rules.Interval
		day   int
		want  string
	}{
		{"2026-01-31", rules.Interval{Count: 1, Unit: rules.Month}, 0, "2026-01-31 2026-02-28 2026-03-31 2026-04-30"},
		{"2027-12-31", rules.Interval{Count: 2, Unit: rules.Month}, 0, "2027-12-31 2028-02-29 2028-04-30 2028-06-30"},
		{"2028-02-29", rules.Interval{Count: 1, Unit: rules.Year}, 0, "2028-02-29 2029-02-28 2030-02-28 2031-02-28"},
		{"2026-11-30", rules.Interval{Count: 30, Unit: rules.Day}, 0, "2026-11-30 2026-12-30 2027-01-29 2027-02-28"},
		{"2026-12-30", rules.Interval{Count: 4, Unit: rules.Week}, 0, "2026-12-30 2027-01-27 2027-02-24 2027-03-24"},
		{
			"2026-11-12", rules.Interval{Count: 1, Unit: rules.Month}, 1,
			"2026-11-12(19/30) 2026-12-01 2027-01-01 2027-02-01",
		},
		{"2026-11-01", rules.Interval{Count: 1, Unit: rules.Month}, 1, "2026-11-01 2026-12-01 2027-01-01 2027-02-01"},
		{
			"2026-02-10", rules.Interval{Count: 1, Unit: rules.Month}, 31,
			"2026-02-10(18/28) 2026-02-28 2026-03-31 2026-04-30",
		},
		{"2026-02-28", rules.Interval{Count: 1, Unit: rules.Month}, 31, "2026-02-28 2026-03-31 2026-04-30 2026-05-31"},
		{
			"2026-11-12", rules.Interval{Count: 3, Unit: rules.Month}, 1,
			"2026-11-12(19/91) 2026-12-01 2027-03-01 2027-06-01",
		},
		{
			"2026-11-12", rules.Interval{Count: 1, Unit: rules.Year}, 5,
			"2026-11-12(23/365) 2026-12-05 2027-12-05 2028-12-05",
		},
	} {
		s := rules.Schedule{Start: day(c.start), Every: c.every, Day: c.day}
		var got []string
		for n := range 4 {
			p := s.Period(n)
			text := p.From.String()
			if p.Days() != p.Whole {
				text += fmt.Sprintf("(%d/%d)", p.Days(), p.Whole)
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s, %+v on day %d: %s, want %s", c.start, c.every, c.day, text, c.want)
		}
	}
}

// TestPeriodsFollow: each period begins with the day after the one before, is found by its days, begins on the day of
// the month that was meant or on the last one of a shorter month, and is no longer than a whole one.
func TestPeriodsFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom(rules.Unit("").All()).Draw(t, "unit")
		s := rules.Schedule{
			Start: day("2024-01-01").AddDays(rapid.IntRange(0, 2000).Draw(t, "start")),
			Every: rules.Interval{Count: rapid.IntRange(1, 13).Draw(t, "count"), Unit: unit},
		}
		meant := s.Start.Day
		if unit == rules.Month || unit == rules.Year {
			if s.Day = rapid.IntRange(0, 31).Draw(t, "day"); s.Day > 0 {
				meant = s.Day
			}
		}
		if _, _, found := s.Of(s.Start.AddDays(-1)); found {
			t.Error("a day before the start is in a period")
		}
		next := s.Start
		for n := range 20 {
			p := s.Period(n)
			if p.From != next || p.Days() < 1 || p.Days() > p.Whole || n > 0 && p.Days() != p.Whole {
				t.Fatalf("number %d: %+v after %s", n, p, next)
			}
			next = p.Until
			last := p.Until.AddDays(-p.Until.Day) // of the month before; the end of it is clamped in the same way
			monthly := unit == rules.Month || unit == rules.Year
			if monthly && p.Until.Day != meant && p.Until.AddDays(1).Day != 1 {
				t.Errorf("number %d ends on %s, meant is %d (%s)", n, p.Until, meant, last)
			}
			in := p.From.AddDays(rapid.IntRange(0, p.Days()-1).Draw(t, "in"))
			if got, k, found := s.Of(in); !found || k != n || got != p {
				t.Errorf("%s is in number %d %+v, want %d %+v", in, k, got, n, p)
			}
			if left := p.RemainingFrom(in); left != in.DaysUntil(p.Until) {
				t.Errorf("%d days are left from %s of %+v", left, in, p)
			}
		}
	})
}

// A price for any interval is worth as much in a month as its part of a year.
func TestMonthly(t *testing.T) {
	for _, c := range []struct {
		every       rules.Interval
		price, want int64
	}{
		{rules.Interval{Count: 1, Unit: rules.Month}, 6000, 6000}, {rules.Interval{Count: 3, Unit: rules.Month}, 21000, 7000},
		{rules.Interval{Count: 1, Unit: rules.Year}, 100_000, 8333}, {rules.Interval{Count: 1, Unit: rules.Week}, 1500, 6500},
		{rules.Interval{Count: 4, Unit: rules.Week}, 6000, 6500}, {rules.Interval{Count: 30, Unit: rules.Day}, 6000, 6083},
		{rules.Interval{Count: 1, Unit: rules.Day}, 6, 183}, {rules.Interval{Count: 1, Unit: rules.Month}, 0, 0},
	} {
		if got := c.every.Monthly(c.price); got != c.want {
			t.Errorf("%d for %+v: %d a month, want %d", c.price, c.every, got, c.want)
		}
	}
}
