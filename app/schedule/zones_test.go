package schedule_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/schedule"
)

// Every weekly rule across every change keeps its weekday and its time on the wall clock, except in a gap, where it
// is later by exactly the gap; its length stays the same in real time.
func TestOccurrencesKeepWeekdayAndWallClock(t *testing.T) {
	for _, c := range apptest.ZoneChanges() {
		wall := time.Unix(c.At+c.Before, 0).UTC() // the next reading of the wall clock without the change
		day := civil.LocalDate(wall, time.UTC)
		for _, minutes := range []int{-61, -1, 0, 15, 29, 30, 59, 60, 61, 600} {
			at := civil.Clock((int(civil.LocalClock(wall, time.UTC)) + minutes + 1440) % 1440)
			rule := schedule.Rule{
				Weekdays: []time.Weekday{day.Weekday(), day.AddDays(-1).Weekday(), day.AddDays(1).Weekday()},
				Start:    day.AddDays(-20), At: at, Minutes: 90,
			}
			spans := schedule.Occurrences(rule, c.Loc, day.AddDays(-9), day.AddDays(9))
			if len(spans) != 9 {
				t.Fatalf("%s %s: %d dates", c.Loc, day, len(spans))
			}
			for _, s := range spans {
				checkSpan(t, c, s, at)
				if !slices.Contains(rule.Weekdays, s.Date.Weekday()) || s.EndsAt.Sub(s.StartsAt) != 90*time.Minute {
					t.Fatalf("%s: %+v", c.Loc, s)
				}
			}
		}
	}
}

func checkSpan(t *testing.T, c apptest.ZoneChange, s schedule.Span, at civil.Clock) {
	t.Helper()
	asked := reading(s.Date, at)
	shown := reading(civil.LocalDate(s.StartsAt, c.Loc), civil.LocalClock(s.StartsAt, c.Loc))
	gapFrom, gapTo := (c.At+c.Before)/60, (c.At+c.After)/60
	start := s.StartsAt.Unix()
	switch {
	case asked >= gapFrom && asked < gapTo:
		if shown-asked != gapTo-gapFrom {
			t.Fatalf("%s: %s %s moved by %d minutes in a gap of %d", c.Loc, s.Date, at, shown-asked, gapTo-gapFrom)
		}
	case shown != asked:
		t.Fatalf("%s: %s %s moved by %d minutes outside the gap", c.Loc, s.Date, at, shown-asked)
	case asked >= gapTo && asked < gapFrom && start >= c.At: // a fold runs from gapTo to gapFrom
		t.Fatalf("%s: %s %s is the second of two", c.Loc, s.Date, at)
	}
}

// reading is a reading of the wall clock, as one number of minutes.
func reading(d civil.Date, at civil.Clock) int64 {
	return int64(apptest.Day("1970-01-01").DaysUntil(d)*1440 + int(at))
}
