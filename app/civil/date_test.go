package civil_test

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/civil"
)

func TestParseDate(t *testing.T) {
	for s, want := range map[string]civil.Date{
		"2026-03-08": {2026, time.March, 8},
		"2024-02-29": {2024, time.February, 29},
		"0001-01-01": {1, time.January, 1},
		"9999-12-31": {9999, time.December, 31},
	} {
		got, err := civil.ParseDate(s)
		if err != nil || got != want || got.String() != s || !got.Valid() || got.IsZero() {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-1", "26-01-01", "0000-01-01",
		"2026-01-01T00:00:00Z", " 2026-01-01", "2026/01/01", "10000-01-01", "-001-01-01", "２026-01-01"} {
		if d, err := civil.ParseDate(s); !errors.Is(err, civil.ErrDate) || !d.IsZero() {
			t.Errorf("%q: %v %v", s, d, err)
		}
	}
	for _, d := range []civil.Date{{}, {2026, 2, 29}, {2026, 0, 1}, {0, 1, 1}, {10000, 1, 1}, {2026, 1, -1}} {
		if d.Valid() {
			t.Errorf("%v is a date", d)
		}
	}
}

func TestParseClock(t *testing.T) {
	for s, want := range map[string]civil.Clock{"00:00": 0, "09:30": 570, "23:59": civil.ClockMax, "12:05": civil.NewClock(12, 5)} {
		got, err := civil.ParseClock(s)
		if err != nil || got != want || got.String() != s || !got.Valid() {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "9:30", "24:00", "12:60", "12:5", "12:30:00", "-1:00", "09.30", "09:30 "} {
		if c, err := civil.ParseClock(s); !errors.Is(err, civil.ErrClock) {
			t.Errorf("%q: %v %v", s, c, err)
		}
	}
	if civil.Clock(-1).Valid() || civil.Clock(1440).Valid() {
		t.Error("a clock shows a minute that no day has")
	}
}

func TestDateAndClockInJSON(t *testing.T) {
	type row struct {
		On    civil.Date
		Until *civil.Date
		At    civil.Clock
		By    map[civil.Date]int
	}
	in := row{On: apptest.Day("2026-03-08"), At: apptest.WallClock("09:30"), By: map[civil.Date]int{apptest.Day("2026-01-02"): 1}}
	raw, err := json.Marshal(in)
	if err != nil || string(raw) != `{"On":"2026-03-08","Until":null,"At":"09:30","By":{"2026-01-02":1}}` {
		t.Fatalf("%s %v", raw, err)
	}
	var out row
	if err := json.Unmarshal(raw, &out); err != nil || out.On != in.On || out.At != in.At || out.By[apptest.Day("2026-01-02")] != 1 {
		t.Errorf("%+v %v", out, err)
	}
	for _, bad := range []string{`{"On":"2026-02-30"}`, `{"On":20260308}`, `{"At":"25:00"}`, `{"At":570}`} {
		if json.Unmarshal([]byte(bad), &out) == nil {
			t.Errorf("%s accepted", bad)
		}
	}
	for _, bad := range []any{civil.Date{}, civil.Date{Year: 2026, Month: 2, Day: 30}, civil.Clock(1440)} {
		if _, err := json.Marshal(bad); err == nil {
			t.Errorf("%v written", bad)
		}
	}
}

func TestDateInPostgres(t *testing.T) {
	var _ driver.Valuer = civil.Date{}
	want := apptest.Day("2026-03-08")
	if v, err := want.Value(); err != nil || v != "2026-03-08" {
		t.Errorf("%v %v", v, err)
	}
	if _, err := (civil.Date{}).Value(); err == nil {
		t.Error("the zero date is written")
	}
	for _, src := range []any{"2026-03-08", []byte("2026-03-08"), time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC)} {
		var d civil.Date
		if err := d.Scan(src); err != nil || d != want {
			t.Errorf("%v: %v %v", src, d, err)
		}
	}
	for _, src := range []any{nil, 20260308, "infinity", []byte("")} {
		var d civil.Date
		if err := d.Scan(src); err == nil {
			t.Errorf("%v: %v", src, d)
		}
	}
}

// Civil arithmetic against a count by hand: days of a month, one after the other.
func TestDateArithmetic(t *testing.T) {
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	d, weekday := apptest.Day("1969-12-31"), time.Wednesday
	first, n := d, 0
	for year := 1970; year < 2040; year++ {
		leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
		for m, length := range days {
			if m == 1 && leap {
				length++
			}
			for day := 1; day <= length; day++ {
				next := d.AddDays(1)
				n, weekday = n+1, (weekday+1)%7
				if next != (civil.Date{Year: year, Month: time.Month(m + 1), Day: day}) || next.Weekday() != weekday ||
					next.AddDays(-1) != d || first.DaysUntil(next) != n || next.DaysUntil(first) != -n || first.AddDays(n) != next ||
					!d.Before(next) || !next.After(d) || d.Compare(next) != -1 || d.Compare(d) != 0 {
					t.Fatalf("after %s comes %s", d, next)
				}
				d = next
			}
		}
	}
}

func TestDays(t *testing.T) {
	got := slices.Collect(civil.Days(apptest.Day("2024-02-28"), apptest.Day("2024-03-01")))
	if !slices.Equal(got, []civil.Date{apptest.Day("2024-02-28"), apptest.Day("2024-02-29"), apptest.Day("2024-03-01")}) {
		t.Errorf("%v", got)
	}
	for d := range civil.Days(apptest.Day("2024-03-01"), apptest.Day("2024-02-28")) {
		t.Errorf("%s in an empty range", d)
	}
	for d := range civil.Days(apptest.Day("2024-01-01"), apptest.Day("9999-12-31")) {
		if d == apptest.Day("2024-01-03") {
			break
		}
	}
}

func TestDateTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := apptest.Day("0001-01-01").AddDays(rapid.IntRange(0, 3652058).Draw(t, "days"))
		if back, err := civil.ParseDate(d.String()); err != nil || back != d {
			t.Fatalf("%s: %v %v", d, back, err)
		}
		c := civil.Clock(rapid.IntRange(0, 1439).Draw(t, "minutes"))
		if back, err := civil.ParseClock(c.String()); err != nil || back != c {
			t.Fatalf("%s: %v %v", c, back, err)
		}
	})
}
