package waitlist_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/catalog"
	"foyer/app/waitlist"
)

// The table of states and steps, written down a second time.
func TestWaitlistStates(t *testing.T) {
	want := map[string]waitlist.State{
		" join": "waiting", "waiting offer": "offered", "waiting promote": "promoted", "offered promote": "promoted",
		"offered decline": "declined", "offered expire": "offer_expired", "waiting pass": "skipped_payment", "offered pass": "skipped_payment",
		"offer_expired again": "waiting", "skipped_payment again": "waiting", "offer_expired rejoin": "waiting",
		"skipped_payment rejoin": "waiting",
	}
	for _, s := range []string{"waiting", "offered", "offer_expired", "skipped_payment"} {
		want[s+" leave"], want[s+" close"] = "left", "closed"
	}
	for _, from := range append([]waitlist.State{""}, waitlist.Waiting.All()...) {
		for _, step := range waitlist.Transitions() {
			to, ok := from.After(step)
			expected, allowed := want[string(from)+" "+string(step)]
			if ok != allowed || ok && to != expected || !ok && to != from {
				t.Errorf("%q after %s: %s, %t", from, step, to, ok)
			}
		}
		if _, ok := from.After("unknown"); ok {
			t.Errorf("%q takes an unknown step", from)
		}
		if on := want[string(from)+" leave"] != ""; from.OnList() != on {
			t.Errorf("%q: on the list %t", from, from.OnList())
		}
	}
	if len(waitlist.Transitions()) != 10 || len(waitlist.Waiting.All()) != 8 {
		t.Errorf("%d steps, %d states", len(waitlist.Transitions()), len(waitlist.Waiting.All()))
	}
}

// Offers and grace are elapsed time and end before the start, the cut-off and the booking deadline, under any rules
// and any clock: two starts at the same distance give the same.
func TestWaitlistInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := catalog.StandardRules()
		r.NoticeMinutes = rapid.IntRange(0, 3000).Draw(t, "notice")
		r.Cancel.FreeUntilMinutes = rapid.IntRange(0, 3000).Draw(t, "free")
		r.Cancel.LateFromMinutes = rapid.IntRange(0, 3000).Draw(t, "late")
		r.Waitlist = catalog.WaitlistRules{
			Mode: catalog.WaitlistOffer, OfferMinutes: rapid.IntRange(1, 3000).Draw(t, "offer"),
			CutoffMinutes: rapid.IntRange(0, 3000).Draw(t, "cutoff"), GraceMinutes: rapid.IntRange(0, 1440).Draw(t, "grace"),
		}
		ahead := time.Duration(rapid.IntRange(1, 5000).Draw(t, "ahead")) * time.Minute
		of := func(now time.Time) string {
			start := now.Add(ahead)
			until := waitlist.OfferUntil(r, start, now)
			if until.After(start) || until.After(start.Add(-time.Duration(r.Waitlist.CutoffMinutes)*time.Minute)) || until.After(r.BookUntil(start)) ||
				until.After(now.Add(time.Duration(r.Waitlist.OfferMinutes)*time.Minute)) {
				t.Fatalf("an offer until %v for what starts at %v", until, start)
			}
			grace := waitlist.GraceUntil(r, start, now)
			late := now.After(r.FreeUntil(start)) || !now.Before(r.LateFrom(start))
			if (grace != nil) != (late && r.Waitlist.GraceMinutes > 0) || grace != nil && (grace.After(start) || !grace.After(now)) {
				t.Fatalf("grace until %v for what starts at %v", grace, start)
			}
			if grace == nil {
				return fmt.Sprint(until.Sub(now))
			}
			return fmt.Sprint(until.Sub(now), grace.Sub(now))
		}
		summer := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC) // the hour in which Europe's clocks go back
		if a, b := of(summer), of(summer.AddDate(0, 2, 3)); a != b {
			t.Fatalf("%s across a change of the clocks, %s elsewhere", a, b)
		}
	})
}

// A position is shown where the order decides.
func TestWaitlistPosition(t *testing.T) {
	for mode, want := range map[catalog.WaitlistMode]bool{
		catalog.WaitlistAuto: true, catalog.WaitlistOffer: true, catalog.WaitlistRace: false, catalog.WaitlistOff: false,
	} {
		if waitlist.ShowsPosition(mode) != want {
			t.Errorf("%s: %t", mode, !want)
		}
	}
}
