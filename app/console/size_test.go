package console_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/web/assets"
)

func squeezed(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestBudgets: the size of the first screen of the console, in bytes over the wire (ux.md 7.2).
func TestBudgets(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"console.js": 60 << 10, "calendar.js": 25 << 10, "console.css": 18 << 10} {
		if n := squeezed(t, assets.Content(name).Body); n > most || n < 100 {
			t.Errorf("%s has %d bytes, at most %d", name, n, most)
		}
	}
	s := consoletest.Open(t)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	for i := range 14 {
		s.AddOccurrence(t, class, apptest.Start.Add(time.Duration(i)*30*time.Minute))
	}
	page := s.As(t, consoletest.Owner).Get("").Is(t, 200)
	if n := squeezed(t, []byte(page.Body)); n > 14<<10 || strings.Count(page.Body, "Sunrise Vinyasa") < 14 {
		t.Errorf("Today has %d bytes, at most %d", n, 14<<10)
	}
	if vary := page.Header.Get("Vary"); !page.Zipped || vary != "Turbo-Frame, Accept-Encoding, Sec-Fetch-Site" {
		t.Errorf("Today comes compressed: %t, Vary: %s", page.Zipped, vary)
	}
}

// TestTodayInSixTrips: the session, the grants, the business, the day, the arrivals, the walk-ins.
func TestTodayInSixTrips(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	c.Get("")
	s.StopWorker(t)
	trips, statements := s.Sent(func() { c.Get("").Is(t, 200) })
	if trips > 6 || trips < 3 {
		t.Errorf("Today takes %d trips and %d statements, at most 6 trips", trips, statements)
	}
}

// TestTripsOfAWeek: a week of the calendar costs as many trips and statements with many dates as with few.
func TestTripsOfAWeek(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	s.StopWorker(t)
	var before [2]int
	for _, dates := range []int{1, 40} {
		for i := range dates {
			s.AddOccurrence(t, class, apptest.Start.Add(time.Duration(i)*time.Hour))
		}
		c.Get("/calendar?view=week")
		trips, statements := s.Sent(func() { c.Get("/calendar?view=week").Is(t, 200) })
		if trips > 8 || trips < 3 {
			t.Errorf("a week takes %d trips and %d statements, at most 8 trips", trips, statements)
		}
		if dates > 1 && before != [2]int{trips, statements} {
			t.Errorf("a week takes %d trips and %d statements with %d dates, and %v with one", trips, statements, dates, before)
		}
		before = [2]int{trips, statements}
	}
}
