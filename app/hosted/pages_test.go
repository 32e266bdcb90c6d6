package hosted_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/identity"
)

var shots = flag.String("shots", "", "write a picture of every page to this folder")

// looker is a person at a browser who checks each page in four ways, or in two of them by turns.
type looker struct {
	*browser.Page
	s    *shop
	t    testing.TB
	seen int     // pages
	host *looker // the page around this frame, which is as tall as its own page; nil where there is none
}

func (s *shop) look(t testing.TB, o browser.Options) *looker {
	return &looker{Page: browser.New(t, o), s: s, t: t}
}

// at opens a path.
func (l *looker) at(path string) *looker {
	l.t.Helper()
	l.Goto(l.s.URL + path)
	return l
}

// see holds the page that is open against axe, on a phone and on a desk, by day and by night.
func (l *looker) see(name string) *looker {
	l.t.Helper()
	l.seen++
	for size, width := range []int{1280, 390} {
		l.Resize(width, 844)
		for _, dark := range walks.Schemes(l.seen + size) {
			l.Scheme(dark)
			l.Axe(l.t)
			if l.t.Failed() {
				l.t.Fatalf("on %s at %s, %d wide, dark %v", name, l.URL(), width, dark)
			}
			if *shots != "" {
				scheme := "light"
				if dark {
					scheme = "dark"
				}
				l.FullPage(filepath.Join(*shots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)))
			}
		}
	}
	l.Scheme(false)
	return l
}

// signIn goes through the two steps of a door.
func (l *looker) signIn(email string) {
	l.t.Helper()
	before := len(l.s.codes(email))
	l.Fill("#email", email)
	l.Click("main form button")
	l.Fill("#code", l.s.code(l.t, email, before))
	l.Click("main form button")
}

// order leaves the order of a step that the window has room for, beside the step or folded above it, and unfolds it.
func (l *looker) order() *looker {
	l.t.Helper()
	browser.Eval[bool](l.Page, `(document.querySelectorAll("details.above").forEach(d => getComputedStyle(d).display === "none" ? d.remove() : d.open = true), true)`)
	return l
}

// pays fills in the test card form and sends it.
func (l *looker) pays(card string) {
	l.t.Helper()
	l.Fill("#number", card)
	l.Fill("#exp", "12/34")
	l.Fill("#cvc", "123")
	l.Click("form[action*='/pay/card'] button")
}

// TestEveryPageOfABookingIsAccessible makes a booking and checks every page on the way. WCAG 2.2 AA.
func TestEveryPageOfABookingIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 4, 4 })
	s.class(t, "Reformer Basics", 3, priced(3400))
	s.SQL(t, "update occurrences set taken = capacity, taken_online = online_capacity where id = $1", yoga.Dates[1].ID)
	s.SQL(t, "update offerings set description = $2 where id = $1", yoga.ID, "A strong, breathing hour to start the day.\n\nMats are here. Bring water.")
	l := s.look(t, browser.Options{})

	l.at("/" + s.Location.Slug).see("schedule")
	l.at(s.path(yoga, nil)).see("listing")
	l.at(s.path(yoga, &yoga.Dates[1])).see("listing-full")
	l.at(s.path(yoga, &yoga.Dates[0])).see("listing-chosen")
	l.Click(".pick form button")
	l.see("cart-sign-in")
	l.Fill("#email", "nobody@nowhere")
	l.Click("main form button")
	l.see("cart-sign-in-wrong")
	l.Fill("#email", "ana@example.com")
	l.Click("main form button")
	l.see("cart-code")
	l.Fill("#code", "000000")
	l.Click("main form button")
	l.see("cart-code-wrong")
	l.Fill("#code", s.code(t, "ana@example.com", 0))
	l.Click("main form button")
	l.see("cart-details")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.see("pay")
	l.pays(apptest.CardDeclined)
	l.see("pay-declined")
	l.order().Click(".order .acts a")
	l.see("cart")
	l.at("/" + s.Location.Slug).see("schedule-bar")
	l.at(s.path(yoga, &yoga.Dates[2]))
	l.Click(".pick form button")
	l.see("pay-two")
	l.pays(apptest.CardGood)
	l.see("receipt")
	l.at("/my").see("my")
	for _, said := range l.Complaints() {
		if !strings.Contains(said, "status of 400") { // forms that came back
			t.Errorf("the browser complains: %s", said)
		}
	}
}

// TestEveryOtherPageIsAccessible checks error pages, and the pages beside the booking.
func TestEveryOtherPageIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	talk := s.class(t, "Open House", 1, priced(0))
	l := s.look(t, browser.Options{})

	l.at("/nowhere-at-all").see("not-found")
	l.at("/my/sign-in").see("my-sign-in")
	l.signIn("ana@example.com")
	l.see("my-empty")

	l.at(s.path(yoga, &yoga.Dates[0]))
	l.Click(".pick form button")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	s.Clock.Advance(11 * time.Minute)
	l.Goto(l.URL())
	l.see("cart-ended")
	s.SQL(t, "update occurrences set taken = capacity, taken_online = online_capacity where id = $1", yoga.Dates[0].ID)
	l.Goto(l.URL())
	l.see("cart-gone")
	l.Click(".items .plain")
	l.see("cart-empty")

	l.at(s.path(talk, &talk.Dates[0]))
	l.Click(".pick form button")
	l.see("pay-nothing")
	s.AddLocation(t, "Hill")
	l.at("/" + s.Business.Slug).see("places")
	s.Pause(t)
	l.at("/" + s.Location.Slug).see("schedule-paused")
	l.at(s.path(yoga, &yoga.Dates[1])).see("listing-paused")
	s.Close(t)
	l.at("/" + s.Location.Slug).see("studio-closed")
}

// TestEveryPageOfAnInviteIsAccessible walks the wizard of a new owner.
func TestEveryPageOfAnInviteIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	invite, err := identity.CreateInvite(t.Context(), s.DB, "owner@example.com", "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	l := s.look(t, browser.Options{})
	l.at("/invite/" + invite.Token).see("invite")
	l.signIn("owner@example.com")
	l.see("invite-studio")
	l.Fill("#name", "Olga Hill")
	l.Click("main form button")
	l.see("invite-location")
	l.Fill(`[name="location.name"]`, "Hill")
	l.Choose(`[name="location.currency"]`, "EUR")
	l.Click("main form button")
	l.see("invite-done")
	l.at("/invite/" + invite.Token).see("invite-used")
}
