package schedule_test

import (
	"archive/zip"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/civil"
	"foyer/app/schedule"
)

// ianaZones reads every zone of the list that ships with Go: the names, and one location for each different set of rules
// (many names are the same zone). Independent of the machine's own zone files.
var ianaZones = sync.OnceValues(func() (names []string, zones []*time.Location) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		panic(err)
	}
	defer z.Close()
	seen := map[string]bool{}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			panic(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		names = append(names, f.Name)
		if seen[string(data)] {
			continue
		}
		seen[string(data)] = true
		loc, err := time.LoadLocationFromTZData(f.Name, data)
		if err != nil {
			panic(err)
		}
		zones = append(zones, loc)
	}
	return names, zones
})

// Change is one moment at which a zone's offset changes.
type Change struct {
	Loc           *time.Location
	At            int64 // Unix seconds: the first instant with the new offset
	before, after int64 // seconds ahead of UTC
}

func offset(unix int64, loc *time.Location) int64 {
	_, o := time.Unix(unix, 0).In(loc).Zone()
	return int64(o)
}

// changes finds the changes of a zone by walking in steps of some hours and closing in, not by reading its file.
func changes(loc *time.Location, from, to int64, hours int64) []Change {
	var out []Change
	was := offset(from, loc)
	for at := from; at < to; at += hours * 3600 {
		now := offset(at+hours*3600, loc)
		if now == was {
			continue
		}
		lo, hi := at, at+hours*3600
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; offset(mid, loc) == was {
				lo = mid
			} else {
				hi = mid
			}
		}
		out = append(out, Change{loc, hi, was, now})
		was = now
	}
	return out
}

func Year(y int) int64 { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }

// AllChanges are those of every zone from 2020 to 2035.
var AllChanges = sync.OnceValue(func() []Change {
	var out []Change
	_, zones := ianaZones()
	for _, loc := range zones {
		out = append(out, changes(loc, Year(2020), Year(2036), 1)...)
	}
	return out
})

func TestZoneListIsComplete(t *testing.T) {
	names, zones := ianaZones()
	if len(names) < 500 || len(zones) < 300 || len(AllChanges()) < 2000 {
		t.Fatalf("%d names, %d zones, %d changes", len(names), len(zones), len(AllChanges()))
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

// What Instant rests on: no zone is 16 hours from UTC, and none changes twice within 32 hours.
func TestZonesChangeSeldom(t *testing.T) {
	_, zones := ianaZones()
	for _, loc := range zones {
		list := changes(loc, Year(1970), Year(2040), 4)
		for i, c := range list {
			if max(c.before, -c.before, c.after, -c.after) >= 16*3600 {
				t.Errorf("%s is %d seconds from UTC", loc, c.after)
			}
			if i > 0 && c.At-list[i-1].At < 32*3600 {
				t.Errorf("%s changes twice within 32 hours at %s", loc, time.Unix(c.At, 0).UTC())
			}
		}
	}
}

// Around every change of every zone from 2020 to 2035, every minute on the wall is compared with brute force: walk the
// minutes of real time, write down what the wall shows, first come first kept. What was never shown lies in a gap, and
// belongs to the reading that stands later by exactly the gap.
func TestInstantAgainstBruteForce(t *testing.T) {
	const around = 4 * 3600
	for _, c := range AllChanges() {
		if c.At%60 != 0 {
			t.Fatalf("%s changes within a minute at %d", c.Loc, c.At)
		}
		shown := map[int64]int64{} // wall reading as if in UTC → first instant
		for at := c.At - 2*around; at < c.At+2*around; at += 60 {
			wall := at + offset(at, c.Loc)
			if _, again := shown[wall]; !again {
				shown[wall] = at
			}
		}
		for wall := c.At + min(c.before, c.after) - around; wall < c.At+max(c.before, c.after)+around; wall += 60 {
			want, ok := shown[wall]
			if !ok {
				want = shown[wall+c.after-c.before]
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
	for _, c := range AllChanges() {
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

// Every weekly rule across every change keeps its weekday and its time on the wall, except in a gap, where it is later by
// exactly the gap; its length stays the same in real time.
func TestOccurrencesKeepWeekdayAndWallClock(t *testing.T) {
	for _, c := range AllChanges() {
		wall := time.Unix(c.At+c.before, 0).UTC() // what the wall would have shown next
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

func checkSpan(t *testing.T, c Change, s schedule.Span, at civil.Clock) {
	t.Helper()
	asked := reading(s.Date, at)
	shown := reading(civil.LocalDate(s.StartsAt, c.Loc), civil.LocalClock(s.StartsAt, c.Loc))
	gapFrom, gapTo := (c.At+c.before)/60, (c.At+c.after)/60
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

// reading is what a wall shows, as one number of minutes.
func reading(d civil.Date, at civil.Clock) int64 {
	return int64(Date("1970-01-01").DaysUntil(d)*1440 + int(at))
}
