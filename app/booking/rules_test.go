package booking_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/booking"
)

// The whole table: every state with every transition.
func TestTransitions(t *testing.T) {
	type way struct {
		from booking.State
		move booking.Transition
	}
	allowed := map[way]booking.State{
		{"", booking.TransitionHold}:                        booking.Held,
		{"", booking.TransitionBook}:                        booking.Confirmed,
		{"", booking.TransitionPromote}:                     booking.Confirmed,
		{booking.Held, booking.TransitionConfirm}:           booking.Confirmed,
		{booking.Held, booking.TransitionRequest}:           booking.Requested,
		{booking.Held, booking.TransitionExpire}:            booking.Expired,
		{booking.Held, booking.TransitionRelease}:           booking.Expired,
		{booking.Held, booking.TransitionRetime}:            booking.Held,
		{booking.Expired, booking.TransitionRetake}:         booking.Confirmed,
		{booking.Expired, booking.TransitionRequest}:        booking.Requested,
		{booking.Requested, booking.TransitionApprove}:      booking.Confirmed,
		{booking.Requested, booking.TransitionDecline}:      booking.Declined,
		{booking.Requested, booking.TransitionCancel}:       booking.Cancelled,
		{booking.Requested, booking.TransitionStudioCancel}: booking.StudioCancelled,
		{booking.Requested, booking.TransitionRetime}:       booking.Requested,
		{booking.Confirmed, booking.TransitionReschedule}:   booking.Confirmed,
		{booking.Confirmed, booking.TransitionRetime}:       booking.Confirmed,
		{booking.Confirmed, booking.TransitionCancel}:       booking.Cancelled,
		{booking.Confirmed, booking.TransitionCancelLate}:   booking.LateCancelled,
		{booking.Confirmed, booking.TransitionStudioCancel}: booking.StudioCancelled,
		{booking.Confirmed, booking.TransitionCheckIn}:      booking.CheckedIn,
		{booking.Confirmed, booking.TransitionNoShow}:       booking.NoShow,
		{booking.CheckedIn, booking.TransitionUndoCheckIn}:  booking.Confirmed,
		{booking.CheckedIn, booking.TransitionComplete}:     booking.Completed,
		{booking.CheckedIn, booking.TransitionStudioCancel}: booking.StudioCancelled,
		{booking.CheckedIn, booking.TransitionRetime}:       booking.CheckedIn,
		{booking.Requested, booking.TransitionRelocate}:     booking.Requested,
		{booking.Confirmed, booking.TransitionRelocate}:     booking.Confirmed,
		{booking.CheckedIn, booking.TransitionRelocate}:     booking.CheckedIn,
		{booking.Completed, booking.TransitionUndoCheckIn}:  booking.Confirmed,
		{booking.NoShow, booking.TransitionUndoNoShow}:      booking.Confirmed,
	}
	for _, from := range append([]booking.State{""}, booking.Held.All()...) {
		for _, m := range append(booking.Transitions(), "unknown") {
			to, ok := from.After(m)
			want, allowed := allowed[way{from, m}]
			if ok != allowed || allowed && to != want || !allowed && to != from {
				t.Errorf("%q %s: %q %v, want %q %v", from, m, to, ok, want, allowed)
			}
		}
		if from != "" && !from.Valid() {
			t.Errorf("%q is not valid", from)
		}
	}
	if booking.State("gone").Valid() {
		t.Error("a state that there is none of is valid")
	}
}

// Every transition has states to leave and one to lead to, and those that occupy or release a seat are listed.
func TestSeatsOfStates(t *testing.T) {
	for state, want := range map[booking.State]bool{
		booking.Held: true, booking.Confirmed: true, booking.CheckedIn: true, booking.NoShow: true, booking.Completed: true,
		booking.Expired: false, booking.Requested: false, booking.Declined: false, booking.Cancelled: false,
		booking.LateCancelled: false, booking.StudioCancelled: false, "": false,
	} {
		if booking.TakesSeat(state) != want {
			t.Errorf("%q takes a seat: %v", state, !want)
		}
	}
	if hasTwice(booking.Reasons) {
		t.Errorf("a reason is listed twice: %q", booking.Reasons)
	}
}

func hasTwice(list []string) bool {
	seen := map[string]bool{}
	for _, x := range list {
		if seen[x] {
			return true
		}
		seen[x] = true
	}
	return false
}

// At any times and any number of calls: a hold never lives past thirty minutes, is extended once, and never gets
// shorter.
func TestHoldLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := booking.Hold{State: booking.HoldLive, CreatedAt: apptest.Start, ExpiresAt: apptest.Start.Add(booking.HoldLife)}
		now, extensions := apptest.Start, 0
		for _, wait := range rapid.SliceOf(rapid.IntRange(0, 900)).Draw(t, "seconds between presses") {
			now = now.Add(time.Duration(wait) * time.Second)
			next, err := h.Extend(now)
			switch {
			case !h.Live(now):
				if !errors.Is(err, booking.ErrHoldExpired) {
					t.Fatalf("a hold that is over was extended: %v", err)
				}
				return
			case err != nil:
				t.Fatal(err)
			case !next.ExpiresAt.Equal(h.ExpiresAt):
				extensions++
			}
			if next.ExpiresAt.Before(h.ExpiresAt) || next.ExpiresAt.After(h.CreatedAt.Add(booking.HoldLimit)) || extensions > 1 || !next.Live(now) {
				t.Fatalf("at %s: %+v after %d extensions", now, next, extensions)
			}
			h = next
		}
	})
}

func TestLive(t *testing.T) {
	end := apptest.Start.Add(booking.HoldLife)
	for name, c := range map[string]struct {
		state booking.HoldState
		at    time.Time
		want  bool
	}{
		"in time":            {booking.HoldLive, end.Add(-time.Microsecond), true},
		"the last moment":    {booking.HoldLive, end, false},
		"after":              {booking.HoldLive, end.Add(time.Hour), false},
		"released in time":   {booking.HoldReleased, apptest.Start, false},
		"expired by a sweep": {booking.HoldExpired, apptest.Start, false},
		"confirmed":          {booking.HoldConfirmed, apptest.Start, false},
	} {
		if got := (booking.Hold{State: c.state, ExpiresAt: end}).Live(c.at); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
