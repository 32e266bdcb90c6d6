package journeys_test

import (
	"fmt"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/business"
	"foyer/app/console/consoletest"
)

// TestClicksOfADay: what is done many times a day takes few clicks at a desk. Checking in, booking by phone and moving a booking are
// counted by TestFrontDesk.
func TestClicksOfADay(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	d := busy(t, s)
	if _, err := s.Services.Business.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{Name: "Website"}); err != nil {
		t.Fatal(err)
	}
	owner := signedIn(t, s, way{Width: desktop, Clipboard: true}, s.Owner.Email)
	starts := func() time.Time {
		return apptest.Value[time.Time](t, s.World, "select starts_at from occurrences where id = $1", d.Today.ID)
	}
	owner.within(6, "a new weekly class", func() {
		owner.press("New")
		owner.press("Offering")
		owner.press("Yoga or fitness class")
		owner.tick("Tuesday")
		owner.tick("Friday")
		owner.fill("Begins at", "18:30")
		owner.press("Publish")
		owner.reads("Morning flow is on your booking page.")
	})
	owner.area("Calendar")
	owner.within(2, "moving a date by dragging it", func() {
		card := fmt.Sprintf("a.ev[href$='/dates/%s']", d.Today.ID)
		owner.Wait(card)
		hour := browser.Eval[float64](owner.Page, fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().height", card)) // it takes one
		owner.drag(card, 0, hour)
		owner.reads("What will happen")
		owner.press("Move to")
		owner.reads("Moved Noon Stretch to")
	})
	if got := starts(); !got.Equal(d.Today.StartsAt.Add(time.Hour)) {
		t.Fatalf("it was dragged from %s to %s", d.Today.StartsAt, got)
	}
	owner.within(4, "moving a date by its page", func() {
		owner.press("13:00 Noon Stretch")
		owner.press("Move…")
		owner.fill("New day and time", "2026-06-10T15:00")
		owner.press("See what this does")
		owner.reads("What will happen")
		owner.press("Move to")
		owner.reads("Moved Noon Stretch to")
	})
	if got := starts(); !got.Equal(d.Today.StartsAt.Add(3 * time.Hour)) {
		t.Fatalf("it was moved to %s", got)
	}
	owner.within(3, "the code of an embed", func() {
		owner.press("Settings")
		owner.press("Website")
		owner.until("the code is there", func() bool {
			return browser.Eval[bool](owner.Page, "[...document.querySelectorAll('textarea')].some((e) => e.value.includes('<svc-schedule'))")
		})
		owner.press("Copy")
		owner.reads("Copied")
	})
	owner.press("Settings")
	owner.press("API keys")
	owner.within(3, "a new key for an old one", func() {
		owner.press("Replace Website")
		owner.press("Make the new key")
		owner.reads("The old key works still")
		owner.press("Revoke")
		owner.until("the old key is revoked", func() bool {
			return apptest.Value[int](t, s.World, "select count(*) from api_keys where name = 'Website' and revoked_at is not null") == 1
		})
	})
	owner.leaves()
}
