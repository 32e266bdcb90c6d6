package booking_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// booked is a confirmed booking that starts then, under rules that differ from the standard ones.
func bookedAt(start time.Time, changes ...func(*catalog.Rules)) booking.Booking {
	b := booking.Booking{State: booking.Confirmed, Party: 1, StartsAt: start, EndsAt: start.Add(time.Hour), Rules: catalog.StandardRules()}
	for _, change := range changes {
		change(&b.Rules)
	}
	return b
}

func at(t *testing.T, zone, text string) time.Time {
	t.Helper()
	loc, err := civil.LoadZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	when, err := time.ParseInLocation("2006-01-02 15:04", text, loc)
	if err != nil {
		t.Fatal(err)
	}
	return when.UTC()
}

// The two windows are two numbers: until when the price comes back, and from when it is late. Both are elapsed time.
func TestCancelWindows(t *testing.T) {
	start := apptest.Start.Add(72 * time.Hour)
	b := bookedAt(start, func(r *catalog.Rules) {
		r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 48*60, 12*60, 1500
	})
	grace := b
	until := start.Add(-5 * time.Minute)
	grace.GraceUntil = &until
	request := b
	request.State = booking.Requested
	kept, keptGrace, keptRequest, keptNothing := b, grace, request, b
	for _, k := range []*booking.Booking{&kept, &keptGrace, &keptRequest, &keptNothing} {
		k.Rules.Deposit = catalog.DepositRules{Percent: 30, NonRefundable: true}
	}
	keptNothing.Rules.Deposit.Percent = 0
	for name, c := range map[string]struct {
		b    booking.Booking
		by   booking.By
		at   time.Time
		want booking.Consequence
	}{
		"long before":          {b, booking.ByCustomer, start.Add(-49 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"the last free moment": {b, booking.ByCustomer, start.Add(-48 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"a moment after it":    {b, booking.ByCustomer, start.Add(-48*time.Hour + 1), booking.Consequence{Transition: booking.TransitionCancel}},
		"before it is late":    {b, booking.ByCustomer, start.Add(-12*time.Hour - 1), booking.Consequence{Transition: booking.TransitionCancel}},
		"the first late one":   {b, booking.ByCustomer, start.Add(-12 * time.Hour), booking.Consequence{Transition: booking.TransitionCancelLate, Late: true, FeeAmount: 1500}},
		"by the studio, late":  {b, booking.ByStudio, start.Add(-time.Minute), booking.Consequence{Transition: booking.TransitionStudioCancel, RefundsPrice: true, Whole: true}},
		"in grace":             {grace, booking.ByCustomer, until, booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"after grace":          {grace, booking.ByCustomer, until.Add(1), booking.Consequence{Transition: booking.TransitionCancelLate, Late: true, FeeAmount: 1500}},
		"a kept deposit":       {kept, booking.ByCustomer, start.Add(-49 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true, KeepsDeposit: true}},
		"a kept one, too late": {kept, booking.ByCustomer, start.Add(-47 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel}},
		"kept, by the studio":  {kept, booking.ByStudio, start.Add(-49 * time.Hour), booking.Consequence{Transition: booking.TransitionStudioCancel, RefundsPrice: true, Whole: true}},
		"kept, in grace":       {keptGrace, booking.ByCustomer, until, booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"kept, a request":      {keptRequest, booking.ByCustomer, start.Add(-time.Minute), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true, Whole: true}},
		"kept, but none asked": {keptNothing, booking.ByCustomer, start.Add(-49 * time.Hour), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true}},
		"a request":            {request, booking.ByCustomer, start.Add(-time.Minute), booking.Consequence{Transition: booking.TransitionCancel, RefundsPrice: true, Whole: true}},
	} {
		got, err := c.b.Cancelling(c.by, c.at)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, c.want)
		}
	}
	for _, state := range booking.Held.All() {
		b.State = state
		_, err := b.Cancelling(booking.ByCustomer, apptest.Start)
		if _, ok := state.After(booking.TransitionCancel); ok != (err == nil) || err != nil && !errors.Is(err, booking.ErrState) {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A change of the clocks neither lengthens nor shortens a window: a day before nine o'clock is eight o'clock on the day
// before the clocks go forward, and ten o'clock before they go back.
func TestWindowsAcrossClockChanges(t *testing.T) {
	for name, c := range map[string]struct{ zone, start, lastFree string }{
		"forward, New York":  {"America/New_York", "2026-03-08 09:00", "2026-03-07 08:00"},
		"back, New York":     {"America/New_York", "2026-11-01 09:00", "2026-10-31 10:00"},
		"forward, Lord Howe": {"Australia/Lord_Howe", "2026-10-04 09:00", "2026-10-03 08:30"},
		"back, Lord Howe":    {"Australia/Lord_Howe", "2026-04-05 09:00", "2026-04-04 09:30"},
		"forward, Lisbon":    {"Europe/Lisbon", "2026-03-29 09:00", "2026-03-28 08:00"},
		"no change":          {"Asia/Tokyo", "2026-03-29 09:00", "2026-03-28 09:00"},
	} {
		b := bookedAt(at(t, c.zone, c.start))
		last := at(t, c.zone, c.lastFree)
		allowed := b.CustomerActions(last)
		if len(allowed) != 2 || !allowed[0].FreeUntil.Equal(last) || !allowed[0].LateFrom.Equal(last) || !allowed[1].Until.Equal(last) {
			t.Errorf("%s: %+v, want until %s", name, allowed, last)
		}
		if got, err := b.Cancelling(booking.ByCustomer, last.Add(-1)); err != nil || got.Late {
			t.Errorf("%s: in time it is %+v (%v)", name, got, err)
		}
		if got, err := b.Cancelling(booking.ByCustomer, last); err != nil || !got.Late || !got.RefundsPrice {
			t.Errorf("%s: at the moment itself it is %+v (%v)", name, got, err)
		}
	}
}

// With any numbers: the announced instant is the one at which the decision changes.
func TestAnnouncedIsDecided(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := apptest.Start.Add(time.Duration(rapid.IntRange(1, 60*24*400).Draw(t, "minutes ahead")) * time.Minute)
		b := bookedAt(start, func(r *catalog.Rules) {
			r.Cancel.FreeUntilMinutes = rapid.IntRange(0, 60*24*30).Draw(t, "free until")
			r.Cancel.LateFromMinutes = rapid.IntRange(0, 60*24*30).Draw(t, "late from")
			r.Reschedule.UntilMinutes = rapid.IntRange(0, 60*24*30).Draw(t, "move until")
			r.Reschedule.Max = rapid.IntRange(0, 2).Draw(t, "moves")
		})
		b.Reschedules = rapid.IntRange(0, 3).Draw(t, "moved")
		if rapid.Bool().Draw(t, "grace") {
			until := start.Add(-time.Duration(rapid.IntRange(1, 60*24*40).Draw(t, "grace")) * time.Minute)
			b.GraceUntil = &until
		}
		now := start.Add(-time.Duration(rapid.Int64Range(1, 60*24*31*60*1_000_000).Draw(t, "microseconds before")) * time.Microsecond)
		got, err := b.Cancelling(booking.ByCustomer, now)
		if err != nil {
			t.Fatal(err)
		}
		move := false
		for _, a := range b.CustomerActions(now) {
			if now.After(a.Until) {
				t.Fatalf("%s is allowed until %s, and now is %s", a.Action, a.Until, now)
			}
			switch a.Action {
			case booking.ActCancel:
				if got.RefundsPrice != !now.After(a.FreeUntil) || got.Late != !now.Before(a.LateFrom) {
					t.Fatalf("now %s: %+v, announced %+v", now, got, a)
				}
			case booking.ActReschedule:
				move = true
			}
		}
		max := b.Rules.Reschedule.Max
		if want := !now.After(b.Rules.RescheduleUntil(start)) && (max == 0 || b.Reschedules < max); move != want {
			t.Fatalf("moving is announced: %v, want %v", move, want)
		}
	})
}

// The studio's actions, by state and time. Check-in depends on the local day.
func TestStudioActions(t *testing.T) {
	zone, err := civil.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := at(t, "America/New_York", "2026-06-12 21:00")
	for name, c := range map[string]struct {
		state booking.State
		now   string
		want  []booking.Action
	}{
		"the day before":            {booking.Confirmed, "2026-06-11 23:59", []booking.Action{booking.ActCancel, booking.ActReschedule}},
		"the day, before":           {booking.Confirmed, "2026-06-12 00:00", []booking.Action{booking.ActCancel, booking.ActReschedule, booking.ActCheckIn}},
		"when it has begun":         {booking.Confirmed, "2026-06-12 21:00", []booking.Action{booking.ActCancel, booking.ActCheckIn, booking.ActNoShow}},
		"days later":                {booking.Confirmed, "2026-06-20 21:00", []booking.Action{booking.ActCancel, booking.ActCheckIn, booking.ActNoShow}},
		"checked in":                {booking.CheckedIn, "2026-06-12 23:59", []booking.Action{booking.ActCancel, booking.ActUndoCheckIn}},
		"checked in, the next day":  {booking.CheckedIn, "2026-06-13 00:00", []booking.Action{booking.ActCancel}},
		"completed on the same day": {booking.Completed, "2026-06-12 23:59", []booking.Action{booking.ActUndoCheckIn}},
		"completed":                 {booking.Completed, "2026-06-13 00:00", nil},
		"missing":                   {booking.NoShow, "2026-06-20 12:00", []booking.Action{booking.ActUndoNoShow}},
		"a request":                 {booking.Requested, "2026-06-11 12:00", []booking.Action{booking.ActApprove, booking.ActDecline, booking.ActCancel}},
		"a request that has begun":  {booking.Requested, "2026-06-12 21:00", []booking.Action{booking.ActDecline, booking.ActCancel}},
		"cancelled":                 {booking.Cancelled, "2026-06-11 12:00", nil},
	} {
		b := bookedAt(start)
		b.State = c.state
		var got []booking.Action
		for _, a := range b.StudioActions(at(t, "America/New_York", c.now), zone) {
			got = append(got, a.Action)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// Notice is elapsed time; a window is counted in days of the location and opens at its midnight.
func TestOpens(t *testing.T) {
	zone, err := civil.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := at(t, "America/New_York", "2026-03-08 09:00")
	for name, c := range map[string]struct {
		notice, window int
		now            string
		want           error
	}{
		"no rules":                {0, 0, "2020-01-01 00:00", nil},
		"the last moment":         {24 * 60, 0, "2026-03-07 08:00", nil},
		"a minute later":          {24 * 60, 0, "2026-03-07 08:01", booking.ErrTooLate},
		"the window's first day":  {0, 7, "2026-03-01 00:00", nil},
		"the minute before":       {0, 7, "2026-02-28 23:59", booking.ErrTooEarly},
		"today and nothing later": {0, 0, "2026-03-08 08:59", nil},
	} {
		if err := booking.Opens(catalog.Rules{NoticeMinutes: c.notice, WindowDays: c.window}, start, at(t, "America/New_York", c.now), zone); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
