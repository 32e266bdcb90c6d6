package availability_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/civil"
)

// Openings are in real time and without a break: midnight is none, and a day on which the clocks change has its own
// length.
func TestOpenHours(t *testing.T) {
	zone, err := civil.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	day := func(month time.Month, day int) civil.Date {
		return civil.NewDate(2026, month, day)
	}
	nineToFive := apptest.Daily(9*60, 17*60)
	for name, c := range map[string]struct {
		on             civil.Date
		week, own      []business.Interval
		special        []availability.SpecialDays
		opens, minutes []int // of each opening: minutes after midnight, elapsed minutes
	}{
		"a day":                       {on: day(6, 10), week: nineToFive, opens: []int{540}, minutes: []int{480}},
		"no hours":                    {on: day(6, 10)},
		"a space with its own":        {on: day(6, 10), week: nineToFive, own: apptest.Daily(8*60, 10*60), opens: []int{540}, minutes: []int{60}},
		"closed":                      {on: day(6, 10), week: nineToFive, special: []availability.SpecialDays{{From: day(6, 9), To: day(6, 10)}}},
		"special hours":               {on: day(6, 10), week: nineToFive, special: []availability.SpecialDays{{From: day(6, 10), To: day(6, 10), Hours: []availability.DayHours{{Opens: 600, Closes: 660}}}}, opens: []int{600}, minutes: []int{60}},
		"around the clock":            {on: day(6, 10), week: apptest.Daily(0, 1440), opens: []int{0}, minutes: []int{1440}},
		"the day with an hour more":   {on: day(11, 1), week: apptest.Daily(0, 180), opens: []int{0}, minutes: []int{240}},
		"the day with an hour less":   {on: day(3, 8), week: apptest.Daily(0, 180), opens: []int{0}, minutes: []int{120}},
		"closing in the missing hour": {on: day(3, 8), week: apptest.Daily(0, 150), opens: []int{0}, minutes: []int{120}},
	} {
		from, to := civil.DayBounds(c.on, zone)
		var opens, minutes []int
		for _, o := range availability.OpenHours(zone, c.week, c.special, c.own, from, to) {
			opens, minutes = append(opens, int(o.From.Sub(from)/time.Minute)), append(minutes, int(o.To.Sub(o.From)/time.Minute))
		}
		if !slices.Equal(opens, c.opens) || !slices.Equal(minutes, c.minutes) {
			t.Errorf("%s: opens at %v for %v, want %v for %v", name, opens, minutes, c.opens, c.minutes)
		}
	}
	from, _ := civil.DayBounds(day(6, 10), zone)
	late := append(apptest.Daily(22*60, 1440), apptest.Daily(0, 120)...)
	list := availability.OpenHours(zone, late, nil, nil, from, from.Add(48*time.Hour))
	if len(list) != 3 || list[1].To.Sub(list[1].From) != 4*time.Hour {
		t.Errorf("past midnight: %v", list)
	}
}
