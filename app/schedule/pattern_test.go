package schedule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// rule parses a rule of the tests at 09:30: a period, its interval, its days, and the first date.
func rule(freq schedule.Freq, every int, by schedule.MonthlyBy, start string, days ...time.Weekday) schedule.Rule {
	return schedule.Rule{Freq: freq, Every: every, MonthlyBy: by, Weekdays: days, Start: apptest.Day(start), At: apptest.WallClock("09:30"), Minutes: 60}
}

func TestPatterns(t *testing.T) {
	const mo, tu, we, fr, su = time.Monday, time.Tuesday, time.Wednesday, time.Friday, time.Sunday
	for name, c := range map[string]struct {
		rule     schedule.Rule
		from, to string
		want     string
	}{
		"daily":                       {rule("daily", 1, "", "2026-02-27"), "2026-02-01", "2026-03-02", "2026-02-27 2026-02-28 2026-03-01 2026-03-02"},
		"every third day":             {rule("daily", 3, "", "2026-02-27"), "2026-02-28", "2026-03-08", "2026-03-02 2026-03-05 2026-03-08"},
		"weekly without a number":     {rule("", 0, "", "2026-01-05", mo), "2026-01-01", "2026-01-14", "2026-01-05 2026-01-12"},
		"every second week, two days": {rule("weekly", 2, "", "2026-01-07", tu, we), "2026-01-01", "2026-02-05", "2026-01-07 2026-01-20 2026-01-21 2026-02-03 2026-02-04"},
		// The week begins on Monday: the Sunday after a Monday is of the same week.
		"Sunday ends the week":     {rule("weekly", 2, "", "2026-01-05", mo, su), "2026-01-01", "2026-01-26", "2026-01-05 2026-01-11 2026-01-19 2026-01-25"},
		"begins on a Sunday":       {rule("weekly", 2, "", "2026-01-11", mo, su), "2026-01-01", "2026-01-31", "2026-01-11 2026-01-19 2026-01-25"},
		"a window in the middle":   {rule("weekly", 3, "", "2026-01-05", fr), "2027-01-01", "2027-02-12", "2027-01-01 2027-01-22 2027-02-12"},
		"the same day of a month":  {rule("monthly", 1, "day", "2026-01-15"), "2026-01-01", "2026-04-14", "2026-01-15 2026-02-15 2026-03-15"},
		"months without a 31st":    {rule("monthly", 1, "day", "2026-01-31"), "2026-01-01", "2026-07-31", "2026-01-31 2026-03-31 2026-05-31 2026-07-31"},
		"29 February":              {rule("monthly", 12, "day", "2024-02-29"), "2024-01-01", "2033-01-01", "2024-02-29 2028-02-29 2032-02-29"},
		"every second month":       {rule("monthly", 2, "day", "2026-11-30"), "2026-01-01", "2027-06-01", "2026-11-30 2027-01-30 2027-03-30 2027-05-30"},
		"the second Tuesday":       {rule("monthly", 1, "weekday", "2026-06-09"), "2026-06-01", "2026-09-30", "2026-06-09 2026-07-14 2026-08-11 2026-09-08"},
		"the first Sunday":         {rule("monthly", 1, "weekday", "2026-02-01"), "2026-01-01", "2026-04-30", "2026-02-01 2026-03-01 2026-04-05"},
		"the fifth Friday, if any": {rule("monthly", 1, "weekday", "2026-01-30"), "2026-01-01", "2026-12-31", "2026-01-30 2026-05-29 2026-07-31 2026-10-30"},
		"across the year":          {rule("monthly", 5, "weekday", "2026-10-12"), "2026-01-01", "2027-12-31", "2026-10-12 2027-03-08 2027-08-09"},
	} {
		if err := c.rule.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := slices.Collect(c.rule.Dates(apptest.Day(c.from), apptest.Day(c.to))); !slices.Equal(got, dates(c.want)) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestExtraDates(t *testing.T) {
	r := rule("weekly", 1, "", "2026-01-05", time.Monday)
	r.Count = ptr(2)
	r.Extra = dates("2026-02-03 2026-01-12 2026-01-01 2026-01-07")
	r.Except = dates("2026-01-05")
	if got := slices.Collect(r.Dates(apptest.Day("2026-01-01"), apptest.Day("2026-12-31"))); !slices.Equal(got, dates("2026-01-01 2026-01-07 2026-01-12 2026-02-03")) {
		t.Errorf("beside the rule, each once, in order: %v", got)
	}
	if got := slices.Collect(r.Dates(apptest.Day("2026-01-02"), apptest.Day("2026-01-31"))); !slices.Equal(got, dates("2026-01-07 2026-01-12")) {
		t.Errorf("in a window: %v", got)
	}
}

func TestPatternValidate(t *testing.T) {
	for name, c := range map[string]struct {
		rule   schedule.Rule
		fields string
	}{
		"daily with weekdays":        {rule("daily", 1, "", "2026-01-05", time.Monday), "weekdays"},
		"monthly with weekdays":      {rule("monthly", 1, "day", "2026-01-05", time.Monday), "weekdays"},
		"monthly by what":            {rule("monthly", 1, "", "2026-01-05"), "monthlyBy"},
		"weekly by the day of month": {rule("weekly", 1, "day", "2026-01-05", time.Monday), "monthlyBy"},
		"yearly":                     {rule("yearly", 1, "", "2026-01-05"), "freq"},
		"every 53rd":                 {rule("daily", 53, "", "2026-01-05"), "every"},
		"every minus first":          {rule("daily", -1, "", "2026-01-05"), "every"},
		"added and left out": {func() schedule.Rule {
			r := rule("daily", 2, "", "2026-01-05")
			r.Extra, r.Except = dates("2026-01-06 2026-01-08"), dates("2026-01-08")
			return r
		}(), "extraDates[1]"},
		"added, no such date": {func() schedule.Rule {
			r := rule("daily", 2, "", "2026-01-05")
			r.Extra = []civil.Date{{Year: 2026, Month: 2, Day: 30}}
			return r
		}(), "extraDates[0]"},
	} {
		var fields []string
		if f := fault.From(c.rule.Validate()); f != nil {
			for _, field := range f.Fields {
				fields = append(fields, field.Field)
			}
		}
		if strings.Join(fields, " ") != c.fields {
			t.Errorf("%s: %v, want %s", name, fields, c.fields)
		}
	}
}

// drawRule makes any valid rule that begins in the first days of 2026.
func drawRule(t *rapid.T) schedule.Rule {
	day := func(label string, lo, hi int) civil.Date {
		return apptest.Day("2026-01-01").AddDays(rapid.IntRange(lo, hi).Draw(t, label))
	}
	r := schedule.Rule{Every: rapid.IntRange(1, 5).Draw(t, "every"), Start: day("start", 0, 70), At: apptest.WallClock("09:30"), Minutes: 60}
	switch r.Freq = rapid.SampledFrom([]schedule.Freq{schedule.Daily, schedule.Weekly, schedule.Monthly}).Draw(t, "freq"); r.Freq {
	case schedule.Weekly:
		r.Weekdays = rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(0, 6), func(d int) time.Weekday { return time.Weekday(d) }),
			1, 7, rapid.ID[time.Weekday]).Draw(t, "weekdays")
	case schedule.Monthly:
		r.MonthlyBy = rapid.SampledFrom([]schedule.MonthlyBy{schedule.ByDay, schedule.ByWeekday}).Draw(t, "by")
	}
	switch rapid.IntRange(0, 2).Draw(t, "end") {
	case 1:
		r.Until = ptr(day("until", 70, 900))
	case 2:
		r.Count = ptr(rapid.IntRange(1, 40).Draw(t, "count"))
	}
	for range rapid.IntRange(0, 5).Draw(t, "exceptions") {
		r.Except = append(r.Except, day("except", 0, 300))
	}
	for range rapid.IntRange(0, 5).Draw(t, "extras") {
		if d := day("extra", 0, 900); !slices.Contains(r.Except, d) {
			r.Extra = append(r.Extra, d)
		}
	}
	return r
}

// names reports, by the fields alone, whether the pattern of a rule has a date. It checks that day alone.
func names(r schedule.Rule, d civil.Date) bool {
	months := (d.Year-r.Start.Year)*12 + int(d.Month) - int(r.Start.Month)
	switch {
	case d.Before(r.Start):
		return false
	case r.Freq == schedule.Daily:
		return r.Start.DaysUntil(d)%r.Every == 0
	case r.Freq == schedule.Weekly:
		weeks := 0
		for x := r.Start; x.Before(d); x = x.AddDays(1) {
			if x.Weekday() == time.Sunday {
				weeks++
			}
		}
		return slices.Contains(r.Weekdays, d.Weekday()) && weeks%r.Every == 0
	case r.MonthlyBy == schedule.ByDay:
		return months%r.Every == 0 && d.Day == r.Start.Day
	}
	nth := func(d civil.Date) (n int) {
		for x := d; x.Month == d.Month; x = x.AddDays(-7) {
			n++
		}
		return n
	}
	return months%r.Every == 0 && d.Weekday() == r.Start.Weekday() && nth(d) == nth(r.Start)
}

// Every rule against a check of each day, and in pieces: two windows side by side have the dates of one.
func TestPatternsAgainstDayScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRule(t)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		first := apptest.Day("2025-12-25")
		from := first.AddDays(rapid.IntRange(0, 500).Draw(t, "from"))
		to := from.AddDays(rapid.IntRange(-3, 500).Draw(t, "days"))
		var want []civil.Date
		n := 0
		for d := range civil.Days(first, to) {
			in := names(r, d)
			if in {
				n++
				in = (r.Count == nil || n <= *r.Count) && (r.Until == nil || !d.After(*r.Until))
			}
			if (in || slices.Contains(r.Extra, d)) && !slices.Contains(r.Except, d) && !d.Before(from) {
				want = append(want, d)
			}
		}
		if got := slices.Collect(r.Dates(from, to)); !slices.Equal(got, want) {
			t.Fatalf("%+v\n%v\nwant %v", r, got, want)
		}
		cut := from.AddDays(rapid.IntRange(0, 400).Draw(t, "cut"))
		if !cut.Before(to) {
			return
		}
		if parts := slices.AppendSeq(slices.Collect(r.Dates(from, cut)), r.Dates(cut.AddDays(1), to)); !slices.Equal(parts, want) {
			t.Fatalf("in two parts: %v, want %v", parts, want)
		}
	})
}

// Daily and monthly rules keep the wall clock over the changes of both directions, in every zone with one.
func TestPatternsKeepTheWallClock(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/London", "Australia/Sydney", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca"} {
		loc := apptest.Zone(t, name)
		for _, r := range []schedule.Rule{rule("daily", 1, "", "2026-01-01"), rule("monthly", 1, "weekday", "2026-01-04"), rule("monthly", 1, "day", "2026-01-29")} {
			spans := schedule.Occurrences(r, loc, apptest.Day("2026-01-01"), apptest.Day("2027-12-31"))
			for _, s := range spans {
				if civil.LocalDate(s.StartsAt, loc) != s.Date || civil.LocalClock(s.StartsAt, loc) != r.At || s.EndsAt.Sub(s.StartsAt) != time.Hour {
					t.Fatalf("%s: %s begins at %s", name, s.Date, s.StartsAt.In(loc))
				}
			}
			if len(spans) < 20 {
				t.Fatalf("%s: %d dates", name, len(spans))
			}
		}
	}
}
