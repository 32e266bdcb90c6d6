package availability_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// alone is one person working every day at some hours, with a service of so many minutes.
func alone(loc *time.Location, opens, closes, grid, minutes int) (availability.Facts, availability.Part) {
	p := availability.Person{Name: "Mia"}
	for day := range 7 {
		p.Week = append(p.Week, business.Interval{Weekday: time.Weekday(day), Opens: opens, Closes: closes})
	}
	return availability.Facts{
		Now: time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC), Zone: loc, People: []availability.Person{p},
		Offers: []availability.Offer{{Lengths: catalog.Lengths{Kind: catalog.Appointment}, Grid: grid, Capacity: 1, NeedsPerson: true, People: []int{0}, Rules: catalog.Rules{WindowDays: 30_000}}},
	}, availability.Part{Minutes: minutes, Party: 1}
}

// Around every change of every zone from 2020 to 2035: times shown can be placed, every start stands on the grid of
// the wall clock and inside the hours on the wall clock, no time of a day is shown twice, and a day without a change
// is as any other day.
func TestSlotsInAllZones(t *testing.T) {
	for i, c := range apptest.ZoneChanges() {
		opens, closes := []int{0, 15, 60, 150}[i%4], []int{1440, 180, 1425, 240}[i/4%4]
		f, part := alone(c.Loc, opens, closes, []int{5, 15, 30, 60}[i/16%4], 30)
		from, to := time.Unix(c.At-36*3600, 0), time.Unix(c.At+36*3600, 0)
		last := map[civil.Date]civil.Clock{}
		count := map[civil.Date]int{}
		for n, s := range f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{part}}) {
			date, at := civil.LocalDate(s.StartsAt, c.Loc), civil.LocalClock(s.StartsAt, c.Loc)
			before, again := last[date]
			switch {
			case !s.Bookable():
				t.Fatalf("%s %s: %v", c.Loc, s.StartsAt, s.Codes.List())
			case s.Date != date || again && at <= before:
				t.Fatalf("%s: %s %s comes after %s", c.Loc, date, at, before)
			case int(at) < opens || int(at) >= closes || (int(at)-opens)%f.Offers[0].Grid != 0:
				t.Fatalf("%s: %s %s with hours from %d to %d", c.Loc, date, at, opens, closes)
			case s.EndsAt.Sub(s.StartsAt) != 30*time.Minute:
				t.Fatalf("%s: %s lasts %s", c.Loc, s.StartsAt, s.EndsAt.Sub(s.StartsAt))
			}
			end := s.EndsAt.Add(-time.Minute)
			again = civil.Instant(civil.LocalDate(end, c.Loc), civil.LocalClock(end, c.Loc), c.Loc).Before(end) // the wall shows this time for the second time
			if shown := int(civil.LocalClock(end, c.Loc)); !again && (shown < opens || shown >= closes && closes < 1440) {
				t.Fatalf("%s: %s %s ends at %s, when it is closed", c.Loc, date, at, end.In(c.Loc))
			}
			last[date], count[date] = at, count[date]+1
			if near := s.StartsAt.Unix() - c.At; near > -4*3600 && near < 4*3600 || n%40 == 0 {
				if _, refusal := f.Assign([]availability.SlotRequest{{Part: part, StartsAt: s.StartsAt}}, availability.Storefront); refusal != nil {
					t.Fatalf("%s: %s is shown and refused: %v", c.Loc, s.StartsAt, refusal.Codes.List())
				}
			}
		}
		want := (closes-opens-30)/f.Offers[0].Grid + 1
		if opens == 0 && closes == 1440 { // open day and night
			want = 1440 / f.Offers[0].Grid
		}
		checkPlainDays(t, c, count, want)
	}
}

// checkPlainDays checks the whole days of the window without a change of the clocks.
func checkPlainDays(t *testing.T, c apptest.ZoneChange, count map[civil.Date]int, want int) {
	t.Helper()
	day := civil.LocalDate(time.Unix(c.At, 0), c.Loc)
	for _, d := range []civil.Date{day.AddDays(-1), day.AddDays(1)} {
		start, end := civil.DayBounds(d, c.Loc)
		if start.Unix() < c.At-36*3600 || end.Unix() > c.At+36*3600 || end.Unix() >= c.At && start.Unix() <= c.At || end.Sub(start) != 24*time.Hour {
			continue
		}
		if count[d] != want {
			t.Fatalf("%s %s: %d starts, want %d", c.Loc, d, count[d], want)
		}
	}
}

// The days on which the clocks change, on the wall clock; hours are as written on the door.
func TestSlotsOnDaysOfChange(t *testing.T) {
	for name, x := range map[string]struct {
		zone, day     string
		opens, closes int
		grid, minutes int
		want          string
		elapsed       time.Duration // from the first start to the end of the last
	}{
		"New York, spring":          {"America/New_York", "2026-03-08", 60, 300, 30, 30, "01:00 01:30 03:00 03:30 04:00 04:30", 3 * time.Hour},
		"New York, autumn":          {"America/New_York", "2026-11-01", 0, 180, 30, 30, "00:00 00:30 01:00 01:30 02:00 02:30", 4 * time.Hour},
		"New York, a usual day":     {"America/New_York", "2026-03-09", 60, 300, 60, 60, "01:00 02:00 03:00 04:00", 4 * time.Hour},
		"New York, opens in gap":    {"America/New_York", "2026-03-08", 150, 300, 30, 30, "03:00 03:30 04:00 04:30", 2 * time.Hour},
		"New York, closes in gap":   {"America/New_York", "2026-03-08", 0, 150, 30, 30, "00:00 00:30 01:00 01:30", 2 * time.Hour},
		"New York, hours in gap":    {"America/New_York", "2026-03-08", 125, 175, 5, 5, "", 0},
		"New York, closes in fold":  {"America/New_York", "2026-11-01", 0, 90, 30, 30, "00:00 00:30 01:00", 90 * time.Minute},
		"New York, daytime, spring": {"America/New_York", "2026-03-08", 540, 660, 60, 60, "09:00 10:00", 2 * time.Hour},
		"London, spring":            {"Europe/London", "2026-03-29", 0, 180, 30, 30, "00:00 00:30 02:00 02:30", 2 * time.Hour},
		"London, autumn":            {"Europe/London", "2026-10-25", 0, 180, 60, 60, "00:00 01:00 02:00", 4 * time.Hour},
		"London, long, autumn":      {"Europe/London", "2026-10-25", 0, 180, 60, 180, "00:00 01:00", 4 * time.Hour},
		"Sydney, spring":            {"Australia/Sydney", "2026-10-04", 60, 300, 30, 60, "01:00 01:30 03:00 03:30 04:00", 3 * time.Hour},
		"Sydney, autumn":            {"Australia/Sydney", "2026-04-05", 60, 240, 60, 60, "01:00 02:00 03:00", 4 * time.Hour},
		"Lord Howe, spring":         {"Australia/Lord_Howe", "2026-10-04", 60, 240, 15, 30, "01:00 01:15 01:30 01:45 02:30 02:45 03:00 03:15 03:30", 150 * time.Minute},
		"Lord Howe, autumn":         {"Australia/Lord_Howe", "2026-04-05", 60, 180, 30, 30, "01:00 01:30 02:00 02:30", 150 * time.Minute},
		"Santiago, spring":          {"America/Santiago", "2026-09-06", 0, 180, 30, 30, "01:00 01:30 02:00 02:30", 2 * time.Hour},
		"Santiago, autumn":          {"America/Santiago", "2026-04-04", 1320, 1440, 30, 30, "22:00 22:30 23:00 23:30", 2 * time.Hour},
		"Casablanca, Ramadan":       {"Africa/Casablanca", "2026-02-15", 60, 240, 60, 60, "01:00 02:00 03:00", 4 * time.Hour},
		"Casablanca, after Ramadan": {"Africa/Casablanca", "2026-03-22", 60, 240, 30, 60, "01:00 01:30 03:00", 2 * time.Hour},
	} {
		loc, err := civil.LoadZone(x.zone)
		if err != nil {
			t.Fatal(err)
		}
		f, part := alone(loc, x.opens, x.closes, x.grid, x.minutes)
		from, to := civil.DayBounds(apptest.Day(x.day), loc)
		var shown []string
		starts := f.Find(availability.Question{From: from, To: to, Parts: []availability.Part{part}})
		for _, s := range starts {
			shown = append(shown, civil.LocalClock(s.StartsAt, loc).String())
		}
		if got := strings.Join(shown, " "); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		} else if len(starts) > 0 && starts[len(starts)-1].EndsAt.Sub(starts[0].StartsAt) != x.elapsed {
			t.Errorf("%s: %s from first to last", name, starts[len(starts)-1].EndsAt.Sub(starts[0].StartsAt))
		}
	}
}

// Hours that go on past midnight are two intervals, and a start may lie across.
func TestSlotsAcrossMidnight(t *testing.T) {
	loc, _ := civil.LoadZone("Europe/London")
	f, part := alone(loc, 1320, 1440, 60, 90)
	for day := range 7 {
		f.People[0].Week = append(f.People[0].Week, business.Interval{Weekday: time.Weekday(day), Opens: 0, Closes: 120})
	}
	from := apptest.Instant("2026-06-10T12:00:00Z")
	var got []string
	for _, s := range f.Find(availability.Question{From: from, To: from.Add(24 * time.Hour), Parts: []availability.Part{part}}) {
		got = append(got, fmt.Sprint(s.Date.Day, " ", civil.LocalClock(s.StartsAt, loc)))
	}
	if want := []string{"10 22:00", "10 23:00", "11 00:00"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
