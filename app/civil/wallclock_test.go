package civil_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
)

// Both directions in every kind of zone: an hour, half an hour, a gap over midnight, negative saving time, a lost day.
func TestInstant(t *testing.T) {
	for _, c := range []struct{ zone, date, at, want, why string }{
		{"America/New_York", "2026-03-08", "01:59", "2026-03-08T06:59:00Z", "before the gap"},
		{"America/New_York", "2026-03-08", "02:00", "2026-03-08T07:00:00Z", "gap: 03:00"},
		{"America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30:00Z", "gap: 03:30"},
		{"America/New_York", "2026-03-08", "03:00", "2026-03-08T07:00:00Z", "after the gap"},
		{"America/New_York", "2026-11-01", "00:59", "2026-11-01T04:59:00Z", "before the fold"},
		{"America/New_York", "2026-11-01", "01:00", "2026-11-01T05:00:00Z", "fold: the first"},
		{"America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z", "fold: the first"},
		{"America/New_York", "2026-11-01", "02:00", "2026-11-01T07:00:00Z", "after the fold"},
		{"Europe/London", "2026-03-29", "01:30", "2026-03-29T01:30:00Z", "gap: 02:30 BST"},
		{"Europe/London", "2026-10-25", "01:30", "2026-10-25T00:30:00Z", "fold: BST"},
		{"Europe/London", "2026-10-25", "02:00", "2026-10-25T02:00:00Z", "after the fold"},
		{"Europe/Dublin", "2026-03-29", "01:30", "2026-03-29T01:30:00Z", "gap, with negative saving in winter"},
		{"Europe/Dublin", "2026-10-25", "01:30", "2026-10-25T00:30:00Z", "fold, with negative saving in winter"},
		{"Australia/Sydney", "2026-10-04", "02:30", "2026-10-03T16:30:00Z", "gap: 03:30 in the south"},
		{"Australia/Sydney", "2026-04-05", "02:30", "2026-04-04T15:30:00Z", "fold: summer time"},
		{"Australia/Lord_Howe", "2026-10-04", "02:00", "2026-10-03T15:30:00Z", "gap of 30 minutes: 02:30"},
		{"Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00Z", "gap of 30 minutes: 02:45"},
		{"Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30:00Z", "after the gap of 30 minutes"},
		{"Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z", "fold of 30 minutes: the first"},
		{"Australia/Lord_Howe", "2026-04-05", "01:29", "2026-04-04T14:29:00Z", "before the fold of 30 minutes"},
		{"America/Santiago", "2026-09-06", "00:00", "2026-09-06T04:00:00Z", "gap at midnight: 01:00"},
		{"America/Santiago", "2026-09-06", "00:30", "2026-09-06T04:30:00Z", "gap at midnight: 01:30"},
		{"America/Santiago", "2026-04-04", "23:30", "2026-04-05T02:30:00Z", "fold before midnight: the first"},
		{"America/Santiago", "2026-04-05", "00:00", "2026-04-05T04:00:00Z", "after the fold before midnight"},
		{"Africa/Casablanca", "2026-02-15", "02:30", "2026-02-15T01:30:00Z", "fold: the clock goes back for Ramadan"},
		{"Africa/Casablanca", "2026-03-22", "02:30", "2026-03-22T02:30:00Z", "gap: 03:30 after Ramadan"},
		{"Pacific/Apia", "2011-12-29", "09:00", "2011-12-29T19:00:00Z", "before the lost day"},
		{"Pacific/Apia", "2011-12-30", "09:00", "2011-12-30T19:00:00Z", "the lost day: 24 hours on, the 31st at 09:00"},
		{"Pacific/Apia", "2011-12-31", "09:00", "2011-12-30T19:00:00Z", "after the lost day"},
		{"Pacific/Kiritimati", "2026-06-01", "00:00", "2026-05-31T10:00:00Z", "the furthest ahead"},
		{"Etc/GMT+12", "2026-06-01", "23:59", "2026-06-02T11:59:00Z", "the furthest behind"},
		{"UTC", "2026-06-01", "12:00", "2026-06-01T12:00:00Z", "UTC"},
	} {
		got := civil.Instant(apptest.Day(c.date), apptest.WallClock(c.at), apptest.Zone(t, c.zone))
		if got.Format(time.RFC3339) != c.want {
			t.Errorf("%s %s %s (%s): %s, want %s", c.zone, c.date, c.at, c.why, got.Format(time.RFC3339), c.want)
		}
	}
}

func TestDayBounds(t *testing.T) {
	for _, c := range []struct {
		zone, date, start string
		length            time.Duration
	}{
		{"America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23 * time.Hour},
		{"America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25 * time.Hour},
		{"Europe/London", "2026-06-01", "2026-05-31T23:00:00Z", 24 * time.Hour},
		{"Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23*time.Hour + 30*time.Minute},
		{"Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24*time.Hour + 30*time.Minute},
		{"America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z", 23 * time.Hour}, // begins at 01:00
		{"America/Santiago", "2026-09-05", "2026-09-05T04:00:00Z", 24 * time.Hour},
		{"America/Santiago", "2026-04-04", "2026-04-04T03:00:00Z", 25 * time.Hour}, // 23:00 comes twice
		{"Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24 * time.Hour},
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0},
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24 * time.Hour},
		{"America/Toronto", "1919-03-31", "1919-03-31T04:30:00Z", 23*time.Hour + 30*time.Minute}, // midnight inside a gap from 23:30
	} {
		start, end := civil.DayBounds(apptest.Day(c.date), apptest.Zone(t, c.zone))
		if start.Format(time.RFC3339) != c.start || end.Sub(start) != c.length {
			t.Errorf("%s %s: from %s for %s, want %s for %s", c.zone, c.date, start.Format(time.RFC3339), end.Sub(start), c.start, c.length)
		}
	}
}

func TestLocalDateAndClock(t *testing.T) {
	at := time.Date(2026, 3, 8, 4, 59, 59, 0, time.UTC)
	for name, want := range map[string]string{
		"America/New_York": "2026-03-07 23:59", "UTC": "2026-03-08 04:59", "Pacific/Kiritimati": "2026-03-08 18:59",
		"Asia/Kathmandu": "2026-03-08 10:44",
	} {
		loc := apptest.Zone(t, name)
		if got := civil.LocalDate(at, loc).String() + " " + civil.LocalClock(at, loc).String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestLoadZone(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Lisbon", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "GB-Eire", "EST5EDT", "America/Port-au-Prince"} {
		if loc := apptest.Zone(t, name); loc.String() != name {
			t.Errorf("%s is %s", name, loc)
		}
	}
	if first, second := apptest.Zone(t, "Europe/Lisbon"), apptest.Zone(t, "Europe/Lisbon"); first != second {
		t.Error("a zone is read twice")
	}
	for _, name := range []string{
		"", "Local", "local", "Factory", "Mars/Olympus", "America", "Europe/", "/Europe/Lisbon", "/etc/localtime", "../Europe/Lisbon",
		"Europe/../Europe/Lisbon", "Europe//Lisbon", `Europe\Lisbon`, "posix/Europe/Lisbon", "right/UTC", "posixrules", "localtime",
		"Europe/Lisbon\x00", "Europe/Lisbon\n", " UTC", "+01:00", "zone.tab", "\xff", "A" + strings.Repeat("a", 5000),
	} {
		_, err := civil.LoadZone(name)
		if !errors.Is(err, civil.ErrUnknownZone) || !fault.IsKind(err, fault.Validation) {
			t.Errorf("%q: %v", name, err)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = civil.LoadZone("Asia/Tokyo") })
	}
	wg.Wait()
}
