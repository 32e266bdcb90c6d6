package view_test

import (
	"testing"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/view"
)

// TestMovable: the deadline for rescheduling, ahead or past, or the reason that it is impossible.
func TestMovable(t *testing.T) {
	t.Parallel()
	starts := time.Date(2026, 6, 12, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		now    time.Time
		change func(*booking.Booking)
		want   string
	}{
		"in time":              {starts.Add(-7 * time.Hour), func(*booking.Booking) {}, "You can reschedule until Fri 12 Jun, 3:00."},
		"at the last instant":  {starts.Add(-6 * time.Hour), func(*booking.Booking) {}, "You can reschedule until Fri 12 Jun, 3:00."},
		"an instant too late":  {starts.Add(-6*time.Hour + time.Microsecond), func(*booking.Booking) {}, "You could reschedule until Fri 12 Jun, 3:00."},
		"until it begins":      {starts.Add(-time.Hour), func(b *booking.Booking) { b.Rules.Reschedule.UntilMinutes = 0 }, "You can reschedule until it begins."},
		"as often as it may":   {starts.Add(-7 * time.Hour), func(b *booking.Booking) { b.Reschedules = 2 }, "You have rescheduled as often as the studio allows."},
		"nobody moves":         {starts.Add(-7 * time.Hour), func(b *booking.Booking) { b.Rules.Reschedule.Allowed = false }, "You cannot reschedule online."},
		"a course":             {starts.Add(-7 * time.Hour), func(b *booking.Booking) { b.CourseFrom = &starts }, "Cancelling applies to the whole course."},
		"what has begun":       {starts, func(*booking.Booking) {}, ""},
		"what is cancelled":    {starts.Add(-7 * time.Hour), func(b *booking.Booking) { b.State = booking.Cancelled }, ""},
		"what is not answered": {starts.Add(-7 * time.Hour), func(b *booking.Booking) { b.State = booking.Requested }, ""},
	} {
		rules := catalog.StandardRules()
		rules.Reschedule.UntilMinutes, rules.Reschedule.Max = 6*60, 2
		b := booking.Booking{State: booking.Confirmed, StartsAt: starts, EndsAt: starts.Add(time.Hour), Rules: rules}
		c.change(&b)
		if got := view.Movable(view.Words{Now: c.now}, b); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestStateOnce: after the end it never returns "booked".
func TestStateOnce(t *testing.T) {
	t.Parallel()
	ends := time.Date(2026, 6, 12, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		state        booking.State
		before, then string
	}{
		{booking.Confirmed, "", "Completed"},
		{booking.CheckedIn, "Checked in", "Attended"},
		{booking.Completed, "Attended", "Attended"},
		{booking.NoShow, "No-show", "No-show"},
		{booking.LateCancelled, "Cancelled late", "Cancelled late"},
		{booking.StudioCancelled, "Cancelled by the studio", "Cancelled by the studio"},
	} {
		for now, want := range map[time.Time]string{ends.Add(-1): c.before, ends: c.then} {
			if got := view.StateOnce(view.Words{Now: now}, c.state, ends); got != want {
				t.Errorf("%s at %s: %q", c.state, now, got)
			}
		}
	}
}
