package clock_test

import (
	"testing"
	"time"

	"foyer/app/clock"
)

func TestClocks(t *testing.T) {
	start := time.Date(2026, 3, 8, 6, 59, 59, 999_999_999, time.FixedZone("x", 3600))
	fixed := clock.NewFixed(start)
	if now := fixed.Now(); now.Location() != time.UTC || now.Nanosecond()%1000 != 0 || now.After(start) {
		t.Errorf("%v is not UTC to the microsecond, as Postgres keeps it", now)
	}
	if later := fixed.Advance(time.Hour); later.Sub(start.Truncate(time.Microsecond)) != time.Hour || fixed.Now() != later {
		t.Errorf("advanced to %v", later)
	}
	var moving clock.Adjustable
	before := clock.System{}.Now()
	if moved := moving.Advance(-48 * time.Hour); moved.After(before.Add(-47 * time.Hour)) {
		t.Errorf("moved to %v", moved)
	}
	if back := moving.Advance(48 * time.Hour); back.Sub(before).Abs() > time.Minute {
		t.Errorf("back at %v", back)
	}
}
