package booking_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/booking"
)

// The whole table: every state with every move.
func TestMoves(t *testing.T) {
	allowed := map[booking.State]map[booking.Move]booking.State{
		"":                {booking.MoveHold: booking.Held},
		booking.Held:      {booking.MoveConfirm: booking.Confirmed, booking.MoveExpire: booking.Expired, booking.MoveRelease: booking.Expired},
		booking.Expired:   {booking.MoveRetake: booking.Confirmed},
		booking.Confirmed: {},
	}
	for from, moves := range allowed {
		for _, m := range []booking.Move{booking.MoveHold, booking.MoveConfirm, booking.MoveExpire, booking.MoveRelease, booking.MoveRetake, "unknown"} {
			to, ok := from.After(m)
			want, allowed := moves[m]
			if ok != allowed || allowed && to != want || !allowed && to != from {
				t.Errorf("%q %s: %q %v, want %q %v", from, m, to, ok, want, allowed)
			}
			if ok && (m.From() != from || m.To() != to) {
				t.Errorf("%s goes from %q to %q", m, m.From(), m.To())
			}
		}
		if from != "" && !from.Valid() {
			t.Errorf("%q is not valid", from)
		}
	}
	if booking.State("gone").Valid() || booking.Expired.Counts() || !booking.Held.Counts() || !booking.Confirmed.Counts() {
		t.Error("the states are wrong about themselves")
	}
}

// However often and whenever somebody presses: a hold never lives past thirty minutes, is extended once, and never gets
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
				if !errors.Is(err, booking.ErrHoldOver) {
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
