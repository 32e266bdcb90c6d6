package journeys_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/business"
	"foyer/app/console/consoletest"
)

// TestClicksOfADay: frequent actions take few clicks. Checking in, booking by phone, rescheduling, refunding and
// selling to a new customer are counted in TestFrontDesk, TestOwnerRefunds and TestDeskSale.
func TestClicksOfADay(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		d := aDay(t, s)
		w.Clipboard = !w.NoScript
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.atTheDoor()
		owner.cancelsWithRefund()
		owner.newClass()
		owner.movesADate(d)
		owner.findsTheCode()
		owner.replacesAKey()
		owner.disconnectsAnAssistant()
		owner.leaves()
	})
}

// aDay returns a busy day, with data for all jobs.
func aDay(t *testing.T, s *consoletest.Studio) day {
	t.Helper()
	d := busy(t, s)
	s.Sell(t, "Ada Lovelace")
	_, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", OfferingIDs: []uuid.UUID{d.Vinyasa.ID}, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err == nil {
		_, err = s.Services.Business.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{Name: "Website"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// atTheDoor takes a payment on arrival, checks in a walk-in, and records a signature on paper.
func (p *person) atTheDoor() {
	p.t.Helper()
	p.takes("Check in and take cash", 3, anyInputs, func() {
		p.press("$22.00 due")
		p.press("Take $22.00 in cash")
		p.reads("Cleo Marin has paid $22.00.")
		if p.offers("Check in Cleo Marin") {
			p.press("Check in Cleo Marin")
		} else { // without script this is the booking's own page
			p.press("Check in")
		}
	})
	p.home()
	p.until("Cleo is not expected any more", func() bool { return !p.offers("Check in Cleo Marin") })
	p.takes("Sell to a walk-in, in cash", 4, anyInputs, func() {
		p.press("Walk-in")
		p.fill("Name", "Noor")
		p.press("Check in")
		p.reads("Checked in Noor to Steam room")
		p.press("$30.00 due")
		p.press("Take $30.00 in cash")
		p.reads("Noor has paid $30.00.")
	})
	p.home()
	p.takes("Mark a waiver as signed", 2, anyInputs, func() {
		p.press("Waiver not signed")
		p.press("Mark Waiver as signed")
		p.reads("Marked Waiver as signed.")
	})
	if n := apptest.Value[int](p.t, p.s.World, `select count(*) from order_tenders where kind = 'cash'`); n != 2 {
		p.t.Errorf("%s: %d payments in cash", p.way, n)
	}
}

// cancelsWithRefund cancels a booking paid by card.
func (p *person) cancelsWithRefund() {
	p.t.Helper()
	p.area("Bookings")
	p.takes("Cancel a booking and refund it", 3, anyInputs, func() {
		p.press("Ada Lovelace")
		p.press("Cancel…")
		p.press("Cancel and refund $")
		p.reads("Cancelled the booking of Ada Lovelace.")
	})
	if n := apptest.Value[int](p.t, p.s.World, `select count(*) from refunds`); n != 1 {
		p.t.Errorf("%s: %d refunds", p.way, n)
	}
}

// newClass creates a class of two days a week from a template.
func (p *person) newClass() {
	p.t.Helper()
	p.home()
	p.takes("Add a weekly class, from a template", 6, anyInputs, func() {
		p.press("New")
		p.press("Offering")
		p.press("Yoga or fitness class")
		p.tick("Tuesday")
		p.tick("Friday")
		p.fill("Start time", "18:30")
		p.press("Publish")
		p.reads("Published Morning flow to your booking page.")
	})
}

// movesADate reschedules one in the calendar, by dragging it with script, and by its page.
func (p *person) movesADate(d day) {
	p.t.Helper()
	starts := func() time.Time {
		return apptest.Value[time.Time](p.t, p.s.World, "select starts_at from occurrences where id = $1", d.Today.ID)
	}
	p.area("Calendar")
	hour := "12:00"
	if !p.way.NoScript {
		p.takes("Move a date by dragging it", 2, anyInputs, func() {
			event := fmt.Sprintf("a.ev[href$='/dates/%s']", d.Today.ID)
			p.Wait(event)
			height := browser.Eval[float64](p.Page, fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().height", event)) // an hour
			p.drag(event, 0, height)
			p.reads("Summary")
			p.press("Reschedule to")
			p.reads("Rescheduled Noon Stretch to")
		})
		hour = "13:00"
		if got := starts(); !got.Equal(d.Today.StartsAt.Add(time.Hour)) {
			p.t.Fatalf("it was dragged to %s", got)
		}
	}
	card := hour + " Noon Stretch"
	if p.way.Width == phone { // a list, with shorter links
		card = "Noon Stretch"
	}
	p.takes("Move a date by its page", 4, anyInputs, func() {
		p.press(card)
		p.press("Reschedule…")
		p.fill("New date and time", "2026-06-10T15:00")
		p.press("Preview")
		p.reads("Summary")
		p.press("Reschedule to")
		p.reads("Rescheduled Noon Stretch to")
	})
	if got := starts(); !got.Equal(d.Today.StartsAt.Add(3 * time.Hour)) {
		p.t.Fatalf("%s: it was moved to %s", p.way, got)
	}
}

// findsTheCode opens the code of an embed. Without script there is no button that copies it.
func (p *person) findsTheCode() {
	p.t.Helper()
	p.shut()
	p.takes("Get the code of an embed", 3, anyInputs, func() {
		p.area("Settings")
		p.press("Website")
		p.until("the code is there", func() bool {
			return browser.Eval[bool](p.Page, "[...document.querySelectorAll('textarea')].some((e) => e.value.includes('<svc-schedule'))")
		})
		if !p.way.NoScript {
			p.press("Copy")
			p.reads("Copied")
		}
	})
}

// disconnectsAnAssistant asks what it changed, and ends it.
func (p *person) disconnectsAnAssistant() {
	p.t.Helper()
	claude := p.s.ConnectAssistant(p.t, p.s.Owner, "Claude")
	p.takes("Disconnect an assistant", 4, 0, func() {
		p.area("Settings")
		p.press("Connected assistants")
		p.press("Disconnect Claude")
		p.reads("Requests of Claude are refused immediately")
		p.press("Disconnect Claude")
		p.reads("Assistant disconnected. Its next request is refused.")
	})
	if claude.Admitted(p.t) {
		p.t.Error("the assistant goes on")
	}
}

// replacesAKey creates a key to replace an old one, which is revoked.
func (p *person) replacesAKey() {
	p.t.Helper()
	p.area("Settings")
	p.press("API keys")
	p.takes("Replace an API key", 3, anyInputs, func() {
		p.press("Replace Website")
		p.press("Create new key")
		p.reads("The old key still works")
		p.press("Revoke")
		p.until("the old key is revoked", func() bool {
			return apptest.Value[int](p.t, p.s.World, "select count(*) from api_keys where name = 'Website' and revoked_at is not null") == 1
		})
	})
}
