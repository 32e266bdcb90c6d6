package schedule

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"foyer/app/civil"
)

// A sweep at any times writes every date of a rule once, none earlier than 26 weeks before, and is never due again at
// once. The written dates are those of the rule.
func TestSweepsWriteEveryDateOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loc, err := civil.LoadZone(rapid.SampledFrom([]string{"America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC"}).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
		rule := drawRule(t, civil.LocalDate(now, loc))
		h := rule.horizon(loc, nil, now, false)
		wrote := h.dates
		end := now.AddDate(2, 0, 0)
		for h.due != nil && h.due.Before(end) {
			if !h.due.After(now) {
				t.Fatalf("due %s at %s: at once", h.due, now)
			}
			now = h.due.Add(time.Duration(rapid.IntRange(0, 40*24).Draw(t, "late, hours")) * time.Hour)
			h = rule.horizon(loc, &h.to, now, false)
			wrote = append(wrote, h.dates...)
		}
		var want, got []civil.Date
		for d := range rule.Dates(rule.Start, h.to) {
			want = append(want, d)
		}
		for _, d := range wrote {
			got = append(got, d.Date)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("wrote %v, the rule gives %v", got, want)
		}
		if _, more := rule.firstAfter(h.to); more != (h.due != nil) {
			t.Fatalf("due %v, more dates: %v", h.due, more)
		}
	})
}

func drawRule(t *rapid.T, today civil.Date) Rule {
	day := rapid.Custom(func(t *rapid.T) time.Weekday { return time.Weekday(rapid.IntRange(0, 6).Draw(t, "day")) })
	r := Rule{
		Weekdays: rapid.SliceOfNDistinct(day, 1, 7, func(d time.Weekday) time.Weekday { return d }).Draw(t, "weekdays"),
		Start:    today.AddDays(rapid.IntRange(1, StartMaxDays).Draw(t, "start")),
		At:       civil.Clock(rapid.IntRange(0, int(civil.ClockMax)).Draw(t, "at")),
		Minutes:  60,
	}
	switch rapid.SampledFrom([]string{"open", "until", "count"}).Draw(t, "end") {
	case "until":
		until := r.Start.AddDays(rapid.IntRange(0, 500).Draw(t, "days"))
		r.Until = &until
	case "count":
		count := rapid.IntRange(1, 300).Draw(t, "count")
		r.Count = &count
	}
	for range rapid.IntRange(0, 5).Draw(t, "exceptions") {
		r.Except = append(r.Except, r.Start.AddDays(rapid.IntRange(0, 400).Draw(t, "except")))
	}
	return r
}

// Dates come on the first day that they are within 26 weeks, and only dates that have not begun are written.
func TestAhead(t *testing.T) {
	loc, err := civil.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC) // Wednesday 08:00 in New York
	wednesdays := Rule{Weekdays: []time.Weekday{time.Wednesday}, Start: civil.NewDate(2026, 6, 10), At: civil.NewClock(7, 0), Minutes: 60}
	h := wednesdays.horizon(loc, nil, now, false)
	if len(h.dates) != 26 || h.dates[0].Date != civil.NewDate(2026, 6, 17) || h.to != civil.NewDate(2026, 12, 9) || h.dates[25].Date != h.to {
		t.Errorf("%d dates from %s to %s", len(h.dates), h.dates[0].Date, h.to)
	}
	if want := time.Date(2026, 6, 17, 4, 0, 0, 0, time.UTC); !h.due.Equal(want) { // midnight there
		t.Errorf("due %s, want %s", h.due, want)
	}
	later := wednesdays
	later.Start = civil.NewDate(2027, 6, 9)
	if h := later.horizon(loc, nil, now, false); len(h.dates) != 0 || !h.due.Equal(time.Date(2026, 12, 9, 5, 0, 0, 0, time.UTC)) {
		t.Errorf("a start in a year: %d dates, due %s", len(h.dates), h.due)
	}
	once := wednesdays
	until := civil.NewDate(2026, 6, 20)
	once.Until = &until
	if h := once.horizon(loc, nil, now, false); len(h.dates) != 1 || h.due != nil {
		t.Errorf("an ended rule: %d dates, due %v", len(h.dates), h.due)
	}
}

func TestTidy(t *testing.T) {
	r := Rule{
		Weekdays: []time.Weekday{time.Sunday, time.Thursday, time.Monday},
		Except:   []civil.Date{civil.NewDate(2026, 12, 25), civil.NewDate(2026, 7, 4), civil.NewDate(2026, 12, 25)},
	}.tidy()
	if got := weekdaysText(r.Weekdays); got != "MO,TH,SU" {
		t.Errorf("weekdays %s", got)
	}
	if got := dateTexts(r.Except); !slices.Equal(got, []string{"2026-07-04", "2026-12-25"}) {
		t.Errorf("exceptions %v", got)
	}
	for _, days := range []Weekdays{r.Weekdays, nil} {
		if got := (Weekdays{time.Friday}); got.Scan(weekdaysText(days)) != nil || !slices.Equal(got, days) {
			t.Errorf("read back %v", got)
		}
	}
}
