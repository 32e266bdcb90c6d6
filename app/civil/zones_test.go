package civil_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/civil"
)

func TestZoneListIsComplete(t *testing.T) {
	names, zones := apptest.Zones()
	if len(names) < 500 || len(zones) < 300 || len(apptest.ZoneChanges()) < 2000 {
		t.Fatalf("%d names, %d zones, %d changes", len(names), len(zones), len(apptest.ZoneChanges()))
	}
	for _, name := range names {
		if name == "Factory" {
			continue
		}
		if _, err := civil.LoadZone(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The premises of Instant: no zone is 16 hours from UTC, and none changes twice within 32 hours.
func TestZonesChangeSeldom(t *testing.T) {
	_, zones := apptest.Zones()
	for _, loc := range zones {
		list := apptest.ChangesOf(loc, 1970, 2040, 4)
		for i, c := range list {
			if max(c.Before, -c.Before, c.After, -c.After) >= 16*3600 {
				t.Errorf("%s is %d seconds from UTC", loc, c.After)
			}
			if i > 0 && c.At-list[i-1].At < 32*3600 {
				t.Errorf("%s changes twice within 32 hours at %s", loc, time.Unix(c.At, 0).UTC())
			}
		}
	}
}

// Around every change of every zone from 2020 to 2035, every minute on the wall clock is compared with brute force:
// walk the minutes of real time, write down the readings of the wall clock, the first one counts. A reading that was
// never shown lies in a gap, and belongs to the reading that is later by exactly the gap.
func TestInstantAgainstBruteForce(t *testing.T) {
	const around = 4 * 3600
	for _, c := range apptest.ZoneChanges() {
		if c.At%60 != 0 {
			t.Fatalf("%s changes within a minute at %d", c.Loc, c.At)
		}
		shown := map[int64]int64{} // wall reading as if in UTC → first instant
		for at := c.At - 2*around; at < c.At+2*around; at += 60 {
			_, ahead := time.Unix(at, 0).In(c.Loc).Zone()
			wall := at + int64(ahead)
			if _, again := shown[wall]; !again {
				shown[wall] = at
			}
		}
		for wall := c.At + min(c.Before, c.After) - around; wall < c.At+max(c.Before, c.After)+around; wall += 60 {
			want, ok := shown[wall]
			if !ok {
				want = shown[wall+c.After-c.Before]
			}
			reading := time.Unix(wall, 0).UTC()
			got := civil.Instant(civil.LocalDate(reading, time.UTC), civil.LocalClock(reading, time.UTC), c.Loc)
			if got.Unix() != want {
				t.Fatalf("%s %s: %s, want %s", c.Loc, reading.Format("2006-01-02 15:04"), got, time.Unix(want, 0).UTC())
			}
		}
	}
}

// Days tile time: each begins where the last one ended, at the first minute that shows its date. Around every change.
func TestDayBoundsAgainstBruteForce(t *testing.T) {
	for _, c := range apptest.ZoneChanges() {
		middle := civil.LocalDate(time.Unix(c.At, 0), c.Loc)
		for d := range civil.Days(middle.AddDays(-1), middle.AddDays(1)) {
			start, end := civil.DayBounds(d, c.Loc)
			if _, before := civil.DayBounds(d.AddDays(-1), c.Loc); !before.Equal(start) {
				t.Fatalf("%s %s: begins at %s, the day before ends at %s", c.Loc, d, start, before)
			}
			for _, at := range []time.Time{start, end.Add(-time.Second), time.Unix(c.At, 0), time.Unix(c.At-1, 0)} {
				inside := !at.Before(start) && at.Before(end)
				if shows := civil.LocalDate(at, c.Loc) == d; inside != shows {
					t.Fatalf("%s %s (%s to %s): at %s inside is %v", c.Loc, d, start, end, at.In(c.Loc), inside)
				}
			}
			if before := start.Add(-time.Second); civil.LocalDate(before, c.Loc) != d.AddDays(-1) {
				t.Fatalf("%s %s: begins late", c.Loc, d)
			}
		}
	}
}
