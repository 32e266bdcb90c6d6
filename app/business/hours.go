package business

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Interval is an opening time of the week, on the location's wall clock. Opens and Closes are minutes after midnight;
// 1440 is the end of the day. An opening past midnight is two intervals.
type Interval struct {
	Weekday time.Weekday
	Opens   int
	Closes  int
}

// Hours is the opening week of a location, from Sunday on.
type Hours struct {
	LocationID uuid.UUID
	Intervals  []Interval
}

// Validate checks the intervals: each inside one day, without overlaps. They may touch. The fields of an error are
// intervals[0].weekday, .opens and .closes.
func (in Hours) Validate() error {
	var c fault.Checks
	CheckWeek(&c, "intervals", in.Intervals)
	return c.Err()
}

// CheckWeek records the errors of a week of hours, of a location, a member or a space. field is the prefix of the
// fields in the request: field[0].weekday, .opens and .closes.
func CheckWeek(c *fault.Checks, field string, week []Interval) {
	c.That(len(week) <= MaxIntervals, field, fmt.Sprintf("Use at most %d intervals.", MaxIntervals))
	for i, v := range week[:min(len(week), MaxIntervals)] {
		at := fmt.Sprintf("%s[%d]", field, i)
		c.That(v.Weekday >= time.Sunday && v.Weekday <= time.Saturday, at+".weekday", "Use 0 (Sunday) to 6 (Saturday).")
		c.That(v.Opens >= 0 && v.Opens < 24*60, at+".opens", "Use a time of the day.")
		c.That(v.Closes > v.Opens && v.Closes <= 24*60, at+".closes", "Close after opening, and by midnight at the latest.")
		for _, before := range week[:i] {
			over := v.Weekday == before.Weekday && v.Opens < before.Closes && before.Opens < v.Closes
			c.That(!over, at+".opens", "This overlaps another time of the same day.")
		}
	}
}

// SortWeek returns the week in order, from Sunday morning on.
func SortWeek(week []Interval) []Interval {
	week = slices.Clone(week)
	slices.SortFunc(week, func(a, b Interval) int {
		return cmp.Or(cmp.Compare(a.Weekday, b.Weekday), cmp.Compare(a.Opens, b.Opens))
	})
	return week
}

// Hours returns the opening week of a location. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Hours(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Hours, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return Hours{}, err
	}
	return HoursOf(ctx, v, location)
}

// PutHours replaces the whole opening week of a location; the last write wins. Errors: fault.Missing,
// policy.ErrMissingFeature (location.manage there), Validation.
func (s *Service) PutHours(ctx context.Context, sc tenancy.Scope, in Hours) (Hours, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, _ Location) (Hours, error) {
		in.Intervals = SortWeek(in.Intervals)
		return in, replaceHours(ctx, tx, in)
	})
}
