package apptest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// Instant reads an instant as RFC 3339 writes it.
func Instant(s string) time.Time { return must(time.Parse(time.RFC3339, s)) }

// must is for values written down in a test, and for the machine's own files.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Day reads a date as it is written: 2026-06-10.
func Day(s string) civil.Date { return must(civil.ParseDate(s)) }

// WallClock reads a time of day as it is written: 18:00.
func WallClock(s string) civil.Clock { return must(civil.ParseClock(s)) }

// Zone is the time zone of an IANA name.
func Zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := civil.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// Wrong is the sorted list of fields that a refusal names.
func Wrong(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Validation {
		return "no validation fault"
	}
	var names []string
	for _, field := range f.Fields {
		names = append(names, field.Field)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Refused holds an error against the kind of fault it has to be.
func Refused(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if !fault.IsKind(err, kind) {
		t.Errorf("%v, want %s", err, kind)
	}
}

// Is holds an error against the one it has to be.
func Is(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// Told formats days as "Wed 10 +0: 18:00 Yoga, …" on the location's wall clock.
func Told(place schedule.Location, days []schedule.Day) []string {
	var out []string
	for _, d := range days {
		var times []string
		for _, s := range d.Occurrences {
			times = append(times, civil.LocalClock(s.StartsAt, place.Loc).String()+" "+s.Name)
		}
		out = append(out, fmt.Sprintf("%s %d +%d: %s", d.Date.Weekday().String()[:3], d.Date.Day, d.Ahead, strings.Join(times, ", ")))
	}
	return out
}

// Zones reads every zone of the list that ships with Go: the names, and one location for each different set of rules
// (many names are the same zone). Independent of the machine's own zone files.
var Zones = sync.OnceValues(func() (names []string, zones []*time.Location) {
	root := must(exec.Command("go", "env", "GOROOT").Output())
	z := must(zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip")))
	defer z.Close()
	seen := map[string]bool{}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		data := must(io.ReadAll(must(f.Open())))
		names = append(names, f.Name)
		if seen[string(data)] {
			continue
		}
		seen[string(data)] = true
		zones = append(zones, must(time.LoadLocationFromTZData(f.Name, data)))
	}
	return names, zones
})

// ZoneChange is one moment at which the offset of a time zone changes.
type ZoneChange struct {
	Loc           *time.Location
	At            int64 // Unix seconds: the first instant with the new offset
	Before, After int64 // seconds ahead of UTC
}

func offset(unix int64, loc *time.Location) int64 {
	_, o := time.Unix(unix, 0).In(loc).Zone()
	return int64(o)
}

// ChangesOf finds the changes of a zone from the beginning of one year to that of another, by walking in steps of
// some hours and closing in, not by reading its file.
func ChangesOf(loc *time.Location, fromYear, toYear int, hours int64) []ZoneChange {
	from, to := time.Date(fromYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(toYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	var out []ZoneChange
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
		out = append(out, ZoneChange{loc, hi, was, now})
		was = now
	}
	return out
}

// ZoneChanges are those of every zone from 2020 to 2035.
var ZoneChanges = sync.OnceValue(func() []ZoneChange {
	var out []ZoneChange
	_, zones := Zones()
	for _, loc := range zones {
		out = append(out, ChangesOf(loc, 2020, 2036, 1)...)
	}
	return out
})
