package schedule

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
)

// The window of the public schedule.
const (
	ScheduleDays    = 14 // days in an embed and on the studio's page (E49)
	ScheduleDaysMax = 62
	scheduleRows    = 2000 // a window with more ends sooner, after a whole day
)

// Timetable is the public schedule of one location.
type Timetable struct {
	Location Location
	From     civil.Date  // the first day of the window
	To       civil.Date  // the last day of the window
	Days     []Day       // those with occurrences, in order
	Next     *civil.Date // the first day after the window with occurrences; nil when there is none
}

// Schedule returns the timetable of a location for so many days from a date on, in one round trip: published
// offerings, dates that have not begun, with the seats available online (E41 to E50). A zero date, and one in the
// past, means the location's today; 0 days means 14, the maximum is 62. A location that is unknown or archived, and
// any of a closed business, is not found. Walking by Next yields every date once. also adds further reads to the
// trip.
func (s *Service) Schedule(ctx context.Context, business, location uuid.UUID, from civil.Date, days int, also ...func(*pg.Batch)) (Timetable, error) {
	var checks fault.Checks
	checkFrom(&checks, from)
	checks.That(days >= 0 && days <= ScheduleDaysMax, "days", fmt.Sprintf("Use 1 to %d days.", ScheduleDaysMax))
	if err := checks.Err(); err != nil {
		return Timetable{}, err
	}
	if days == 0 {
		days = ScheduleDays
	}
	v := s.db.View(business)
	low, high := window(from, days, v.Now())
	f, ok, err := timetable(ctx, v, s.cards, location, low, high, also)
	if err != nil {
		return Timetable{}, err
	}
	if !ok {
		return Timetable{}, fault.Missing()
	}
	f.place.settle(v.Now())
	return f.cut(from, days), nil
}

// window bounds the read before the zone is known: wider than the requested days in any zone, cut to size afterwards.
func window(from civil.Date, days int, now time.Time) (low, high time.Time) {
	low = now
	if first := from.Utc().Add(-civil.Reach * time.Second); !from.IsZero() && first.After(low) {
		low = first
	}
	return low, low.Add(time.Duration(days*24)*time.Hour + 2*civil.Reach*time.Second)
}

// cut makes the timetable from the reading of a wider window.
func (f found) cut(from civil.Date, days int) Timetable {
	t := Timetable{Location: f.place, From: from}
	if from.IsZero() || from.Before(f.place.Today) {
		t.From = f.place.Today
	}
	t.To = t.From.AddDays(days - 1)
	if f.end.Before(f.place.StartOf(t.To.AddDays(1))) { // there was too much: up to the last whole day
		t.To = civil.LocalDate(f.end, f.place.Loc).AddDays(-1)
		if t.To.Before(t.From) {
			t.To = t.From // one day is too much for a read, so a part of it has to do
		}
	}
	first := startingFrom(f.rows, f.place.StartOf(t.From))
	last := startingFrom(f.rows, f.place.StartOf(t.To.AddDays(1)))
	if last < len(f.rows) {
		f.later = &f.rows[last].StartsAt
	}
	if f.later != nil {
		next := civil.LocalDate(*f.later, f.place.Loc)
		if !next.After(t.To) {
			next = t.To.AddDays(1)
		}
		t.Next = &next
	}
	t.Days = f.place.days(f.rows[first:last])
	return t
}

// startingFrom is the index of the first occurrence that starts at or after an instant.
func startingFrom(rows []PublicOccurrence, at time.Time) int {
	return sort.Search(len(rows), func(i int) bool { return !rows[i].StartsAt.Before(at) })
}
