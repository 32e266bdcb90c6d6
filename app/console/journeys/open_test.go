package journeys_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/identity"
)

// founder is who opens a studio, and customer is who books its first class.
const founder, customer = "olga@hill.example.com", "ana@example.com"

// TestOwnerOpensAStudio follows an invite to the first class that is sold to a customer in a browser of their own.
func TestOwnerOpensAStudio(t *testing.T) {
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) { opens(t, s, come(t, s, w)) })
}

// TestOwnerOpensAStudioByKeyboard does all of it without a pointer.
func TestOwnerOpensAStudioByKeyboard(t *testing.T) {
	s := consoletest.Open(t)
	owner := come(t, s, way{Width: desktop})
	owner.keys = true
	opens(t, s, owner)
}

// opens is the whole opening of Hill Pilates.
func opens(t *testing.T, s *consoletest.Studio, owner *person) {
	invite, err := identity.CreateInvite(t.Context(), s.World.DB, founder, "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	owner.Goto(s.URL + "/invite/" + invite.Token)
	owner.rests()
	code := s.NextCode(t, founder, func() { owner.press("Send me a code") })
	owner.fill("Code", code)
	owner.press("Sign in")
	owner.fill("Your name", "Olga Hill")
	owner.press("Continue")
	owner.fill("Name of the location", "Hilltop")
	owner.fill("Street and number", "12 Quay Street")
	owner.fill("City", "Portland")
	owner.press("Open my studio")
	owner.reads("Getting ready")
	owner.press("Opening hours")
	owner.press("Use these hours")
	takesCards(owner)
	firstClass(owner)
	if owner.inputs > 20 {
		t.Errorf("%s: %d inputs from the invite to a class that can be booked, at most 20", owner.way, owner.inputs)
	}
	buys(t, s, owner.way, "/hilltop", "Morning flow")

	owner.press("Today")
	owner.reads("Arriving", "Ana Ruiz", "Morning flow")
	owner.within(1, "checking in", func() { owner.press("Check in Ana Ruiz") })
	owner.until("Ana is not expected any more", func() bool { return !owner.offers("Check in Ana Ruiz") })
	owner.leaves()
}

// takesCards connects the account of the simulator.
func takesCards(owner *person) {
	owner.t.Helper()
	owner.step("Payment")
	owner.press("Connect an account")
	owner.press("Continue at the processor")
	owner.press("Connect the test account")
	owner.reads("Takes cards")
}

// firstClass makes a weekly class from a template and publishes it.
func firstClass(owner *person) {
	owner.t.Helper()
	owner.step("First offering")
	owner.press("Yoga or fitness class")
	owner.tick("Monday")
	owner.tick("Wednesday")
	owner.fill("Begins at", "09:00")
	owner.press("Publish")
	owner.reads("Morning flow is on your booking page.")
}

// step goes back to the steps of the opening, which Today shows until they are done, and into one of them.
func (p *person) step(name string) {
	p.t.Helper()
	p.press("Today")
	if !p.offers(name) {
		p.Goto(p.s.URL + "/manage/hill-pilates/welcome")
	}
	p.press(name)
}

// buys has a customer, in a browser of their own, find the class on the booking page, sign in and pay.
func buys(t *testing.T, s *consoletest.Studio, w way, page, class string) {
	t.Helper()
	ana := come(t, s, w)
	ana.Goto(s.URL + page)
	ana.reads(class)
	ana.Click("main .row a.btn")
	ana.Click("#book button[type=submit]")
	ana.Fill("#email", customer)
	ana.Fill("#code", s.NextCode(t, customer, func() { ana.Click("main form button[type=submit]"); ana.Wait("#code") }))
	ana.Click("main form button[type=submit]")
	ana.Fill("#name", "Ana Ruiz")
	ana.Click("main form button[type=submit]")
	ana.Fill("#number", apptest.CardGood)
	ana.Fill("#exp", "12/34")
	ana.Fill("#cvc", "123")
	ana.Click("form[action*='/pay/card'] button")
	ana.reads("You’re booked")
	if said := ana.said(); !strings.Contains(said, class) {
		t.Errorf("the receipt says %.600q", said)
	}
	ana.leaves()
}
