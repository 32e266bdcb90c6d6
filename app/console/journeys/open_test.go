package journeys_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/identity"
)

// founder opens a studio, and customer books its first class.
const founder, customer = "olga@hill.example.com", "ana@example.com"

// TestOwnerOpensAStudio follows an invite to the first class sold to a customer in a browser of their own.
func TestOwnerOpensAStudio(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) { opens(t, s, come(t, s, w)) })
}

// TestOwnerOpensAStudioByKeyboard does all of it without a pointer.
func TestOwnerOpensAStudioByKeyboard(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	owner := come(t, s, way{Width: desktop})
	owner.keys = true
	opens(t, s, owner)
}

// opens is the whole setup of Hill Pilates.
func opens(t *testing.T, s *consoletest.Studio, owner *person) {
	invite, err := identity.CreateInvite(t.Context(), s.World.DB, founder, "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	owner.Goto(s.URL + "/invite/" + invite.Token)
	owner.rests()
	owner.takes("From the invite to the first class on sale", 14, 7, func() { sells(s, owner) })
	buys(t, s, owner.way, "/hill-pilates", "Morning flow")

	owner.press("Today")
	owner.reads("Arriving", "Ana Ruiz", "Morning flow")
	owner.press("Check in Ana Ruiz")
	owner.until("Ana is not expected any more", func() bool { return !owner.offers("Check in Ana Ruiz") })
	owner.leaves()
}

// sells goes from the page of the invite to a class that customers can book, each step with a link to the next one.
func sells(s *consoletest.Studio, owner *person) {
	owner.t.Helper()
	code := s.NextCode(owner.t, founder, func() { owner.press("Send me a code") })
	owner.fill("Code", code)
	owner.press("Sign in")
	owner.fill("Your name", "Olga Hill")
	owner.reads("Are you an instructor yourself?")
	owner.press("Continue")
	owner.fill("Name of the location", "Hilltop")
	owner.fill("Street and number", "12 Quay Street")
	owner.fill("City", "Portland")
	owner.press("Open my studio")
	owner.reads("Setup guide")
	owner.press("Next: Opening hours")
	owner.reads("I also teach during these hours")
	owner.press("Use these hours")
	owner.press("Connect an account")
	owner.press("Continue to processor")
	owner.press("Connect the test account")
	owner.reads("Accepting cards")
	owner.press("Next: First offering")
	owner.press("Yoga or fitness class")
	owner.tick("Wednesday")
	owner.fill("Start time", "09:00")
	owner.press("Publish")
	owner.reads("Published Morning flow to your booking page.")
}

// buys lets a customer, in a browser of their own, find the class on the booking page, sign in and pay.
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
