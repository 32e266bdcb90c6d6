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

func ptr[T any](v T) *T { return &v }

func dates(list string) []civil.Date {
	var out []civil.Date
	for s := range strings.FieldsSeq(list) {
		out = append(out, apptest.Day(s))
	}
	return out
}

// monday is a valid rule to change in tests: Mondays at 09:30 for an hour, from Monday 5 January 2026.
func monday() schedule.Rule {
	return schedule.Rule{Weekdays: []time.Weekday{time.Monday}, Start: apptest.Day("2026-01-05"), At: apptest.WallClock("09:30"), Minutes: 60}
}

func TestRuleDates(t *testing.T) {
	both := []time.Weekday{time.Thursday, time.Monday}
	for name, c := range map[string]struct {
		change   func(*schedule.Rule)
		from, to string
		want     string
	}{
		"one day a week":          {func(*schedule.Rule) {}, "2026-01-01", "2026-01-26", "2026-01-05 2026-01-12 2026-01-19 2026-01-26"},
		"two days, in any order":  {func(r *schedule.Rule) { r.Weekdays = both }, "2026-01-05", "2026-01-15", "2026-01-05 2026-01-08 2026-01-12 2026-01-15"},
		"start between two days":  {func(r *schedule.Rule) { r.Weekdays, r.Start = both, apptest.Day("2026-01-06") }, "2026-01-01", "2026-01-12", "2026-01-08 2026-01-12"},
		"until is included":       {func(r *schedule.Rule) { r.Until = ptr(apptest.Day("2026-01-12")) }, "2026-01-01", "2026-12-31", "2026-01-05 2026-01-12"},
		"until between two dates": {func(r *schedule.Rule) { r.Until = ptr(apptest.Day("2026-01-18")) }, "2026-01-01", "2026-12-31", "2026-01-05 2026-01-12"},
		"a number of dates":       {func(r *schedule.Rule) { r.Count = ptr(3) }, "2026-01-01", "2026-12-31", "2026-01-05 2026-01-12 2026-01-19"},
		"count from the start":    {func(r *schedule.Rule) { r.Count = ptr(3) }, "2026-01-13", "2026-12-31", "2026-01-19"},
		"count is used up":        {func(r *schedule.Rule) { r.Count = ptr(3) }, "2026-01-20", "2026-12-31", ""},
		"except":                  {func(r *schedule.Rule) { r.Except = dates("2026-01-12 2026-01-13") }, "2026-01-01", "2026-01-20", "2026-01-05 2026-01-19"},
		"except counts":           {func(r *schedule.Rule) { r.Count, r.Except = ptr(3), dates("2026-01-12") }, "2026-01-01", "2026-12-31", "2026-01-05 2026-01-19"},
		"before the start":        {func(*schedule.Rule) {}, "2025-01-01", "2026-01-04", ""},
		"an empty window":         {func(*schedule.Rule) {}, "2026-01-12", "2026-01-05", ""},
		"one day":                 {func(*schedule.Rule) {}, "2026-01-12", "2026-01-12", "2026-01-12"},
		"over a leap day":         {func(r *schedule.Rule) { r.Weekdays = []time.Weekday{time.Tuesday} }, "2028-02-28", "2028-03-07", "2028-02-29 2028-03-07"},
	} {
		r := monday()
		c.change(&r)
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := slices.Collect(r.Dates(apptest.Day(c.from), apptest.Day(c.to))); !slices.Equal(got, dates(c.want)) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	for range monday().Dates(apptest.Day("2026-01-01"), apptest.Day("9999-12-31")) {
		break // a caller may stop
	}
}

func TestRuleValidate(t *testing.T) {
	many := make([]civil.Date, schedule.ExceptMax+1)
	for i := range many {
		many[i] = apptest.Day("2026-01-05").AddDays(i)
	}
	for name, c := range map[string]struct {
		change func(*schedule.Rule)
		fields string
	}{
		"valid":              {func(*schedule.Rule) {}, ""},
		"shortest":           {func(r *schedule.Rule) { r.Minutes = 5 }, ""},
		"longest":            {func(r *schedule.Rule) { r.Minutes = 1440 }, ""},
		"one date":           {func(r *schedule.Rule) { r.Until = ptr(r.Start) }, ""},
		"most dates":         {func(r *schedule.Rule) { r.Count = ptr(1000) }, ""},
		"no weekday":         {func(r *schedule.Rule) { r.Weekdays = nil }, "weekdays"},
		"weekday twice":      {func(r *schedule.Rule) { r.Weekdays = []time.Weekday{1, 1} }, "weekdays"},
		"eighth weekday":     {func(r *schedule.Rule) { r.Weekdays = []time.Weekday{7} }, "weekdays"},
		"negative weekday":   {func(r *schedule.Rule) { r.Weekdays = []time.Weekday{-1} }, "weekdays"},
		"no start":           {func(r *schedule.Rule) { r.Start = civil.Date{} }, "start"},
		"start on the 31st":  {func(r *schedule.Rule) { r.Start = civil.Date{Year: 2026, Month: 4, Day: 31} }, "start"},
		"time after the day": {func(r *schedule.Rule) { r.At = 1440 }, "at"},
		"too short":          {func(r *schedule.Rule) { r.Minutes = 4 }, "minutes"},
		"too long":           {func(r *schedule.Rule) { r.Minutes = 1441 }, "minutes"},
		"ends before":        {func(r *schedule.Rule) { r.Until = ptr(apptest.Day("2026-01-04")) }, "until"},
		"no such end":        {func(r *schedule.Rule) { r.Until = &civil.Date{Year: 2027, Month: 2, Day: 29} }, "until"},
		"no dates":           {func(r *schedule.Rule) { r.Count = ptr(0) }, "count"},
		"too many dates":     {func(r *schedule.Rule) { r.Count = ptr(1001) }, "count"},
		"two ends":           {func(r *schedule.Rule) { r.Count, r.Until = ptr(2), ptr(apptest.Day("2026-02-01")) }, "count"},
		"wrong except":       {func(r *schedule.Rule) { r.Except = []civil.Date{apptest.Day("2026-01-12"), {}} }, "except[1]"},
		"too many except":    {func(r *schedule.Rule) { r.Except = many }, "except"},
		"all at once":        {func(r *schedule.Rule) { *r = schedule.Rule{At: -1} }, "weekdays start at minutes"},
	} {
		r := monday()
		c.change(&r)
		err := r.Validate()
		var fields []string
		if f := fault.From(err); f != nil {
			for _, field := range f.Fields {
				fields = append(fields, field.Field)
			}
		}
		if strings.Join(fields, " ") != c.fields || (err != nil && !fault.IsKind(err, fault.Validation)) {
			t.Errorf("%s: %v, want %s", name, fields, c.fields)
		}
	}
	var checks fault.Checks
	(schedule.Rule{Weekdays: []time.Weekday{1}, Start: apptest.Day("2026-01-05"), Minutes: 1}).Check(&checks)
	if f := fault.From(checks.Err()); f == nil || len(f.Fields) != 1 || f.Fields[0].Field != "minutes" {
		t.Errorf("in a larger input: %+v", f)
	}
}

// The rule against the meaning of its fields, date by date, and in pieces: two windows side by side have the dates of
// one.
func TestRuleDatesAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := func(label string, lo, hi int) civil.Date {
			return apptest.Day("2026-01-01").AddDays(rapid.IntRange(lo, hi).Draw(t, label))
		}
		r := schedule.Rule{
			Weekdays: rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) time.Weekday {
				return time.Weekday(rapid.IntRange(0, 6).Draw(t, "weekday"))
			}), 1, 7, rapid.ID[time.Weekday]).Draw(t, "weekdays"),
			Start: day("start", 0, 60), At: apptest.WallClock("09:30"), Minutes: 60,
		}
		switch rapid.IntRange(0, 2).Draw(t, "end") {
		case 1:
			r.Until = ptr(day("until", 60, 140))
		case 2:
			r.Count = ptr(rapid.IntRange(1, 30).Draw(t, "count"))
		}
		for range rapid.IntRange(0, 5).Draw(t, "exceptions") {
			r.Except = append(r.Except, day("except", 0, 140))
		}
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		from, to := day("from", -10, 160), day("to", -10, 160)
		var want []civil.Date
		n := 0
		for d := range civil.Days(r.Start, to) {
			if !slices.Contains(r.Weekdays, d.Weekday()) {
				continue
			}
			n++
			if (r.Count == nil || n <= *r.Count) && (r.Until == nil || !d.After(*r.Until)) && !d.Before(from) && !slices.Contains(r.Except, d) {
				want = append(want, d)
			}
		}
		got := slices.Collect(r.Dates(from, to))
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		cut := day("cut", -10, 160)
		if cut.Before(from) || !cut.Before(to) {
			return
		}
		parts := slices.AppendSeq(slices.Collect(r.Dates(from, cut)), r.Dates(cut.AddDays(1), to))
		if !slices.Equal(parts, want) {
			t.Fatalf("in two parts: %v, want %v", parts, want)
		}
	})
}

// The wall clock stays, the instant changes with the clocks; the length is elapsed time.
func TestOccurrences(t *testing.T) {
	sunday := []time.Weekday{time.Sunday}
	for name, c := range map[string]struct {
		zone     string
		rule     schedule.Rule
		from, to string
		want     string
	}{
		"spring forward": {"America/New_York", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-01-04"), At: apptest.WallClock("09:30"), Minutes: 60},
			"2026-03-01", "2026-03-08", "2026-03-01T14:30:00Z/2026-03-01T15:30:00Z 2026-03-08T13:30:00Z/2026-03-08T14:30:00Z"},
		"through the gap": {"America/New_York", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-01-04"), At: apptest.WallClock("01:30"), Minutes: 60},
			"2026-03-08", "2026-03-08", "2026-03-08T06:30:00Z/2026-03-08T07:30:00Z"},
		"in the gap": {"America/New_York", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-01-04"), At: apptest.WallClock("02:30"), Minutes: 60},
			"2026-03-08", "2026-03-15", "2026-03-08T07:30:00Z/2026-03-08T08:30:00Z 2026-03-15T06:30:00Z/2026-03-15T07:30:00Z"},
		"through the fold": {"Europe/London", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-10-04"), At: apptest.WallClock("00:30"), Minutes: 120},
			"2026-10-25", "2026-10-25", "2026-10-24T23:30:00Z/2026-10-25T01:30:00Z"},
		"a Sunday that is Saturday in UTC": {"Australia/Sydney", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-04-05"), At: apptest.WallClock("06:00"), Minutes: 45},
			"2026-04-05", "2026-04-05", "2026-04-04T20:00:00Z/2026-04-04T20:45:00Z"},
		"past midnight": {"Asia/Tokyo", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-04-05"), At: apptest.WallClock("23:30"), Minutes: 90},
			"2026-04-05", "2026-04-05", "2026-04-05T14:30:00Z/2026-04-05T16:00:00Z"},
		"the lost day of Apia": {"Pacific/Apia", schedule.Rule{Weekdays: []time.Weekday{time.Thursday, time.Friday, time.Saturday},
			Start: apptest.Day("2011-12-29"), At: apptest.WallClock("09:00"), Minutes: 60, Count: ptr(3)},
			"2011-12-01", "2012-12-31", "2011-12-29T19:00:00Z/2011-12-29T20:00:00Z 2011-12-30T19:00:00Z/2011-12-30T20:00:00Z"},
		"no date": {"UTC", schedule.Rule{Weekdays: sunday, Start: apptest.Day("2026-04-05"), At: 0, Minutes: 5}, "2026-04-06", "2026-04-11", ""},
	} {
		var got []string
		for _, s := range schedule.Occurrences(c.rule, apptest.Zone(t, c.zone), apptest.Day(c.from), apptest.Day(c.to)) {
			got = append(got, s.StartsAt.Format(time.RFC3339)+"/"+s.EndsAt.Format(time.RFC3339))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
