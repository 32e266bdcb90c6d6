package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestFrontDesk is a morning at the desk: somebody arrives, somebody walks in, somebody calls and is booked, moves, and somebody else
// cancels too late.
func TestFrontDesk(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		busy(t, s)
		s.Join(t, "desk@team.example.com", apptest.Everywhere(policy.FrontDesk))
		desk := signedIn(t, s, w, "desk@team.example.com")
		desk.reads("Arriving", "Cleo Marin", "Li Wei")
		desk.takes("Check in", 1, anyInputs, func() { desk.press("Check in Cleo Marin") })
		desk.until("Cleo is not expected any more", func() bool { return !desk.offers("Check in Cleo Marin") })
		desk.walksIn("Noor")
		desk.books("Nora Field")
		desk.moves("Nora Field")
		desk.cancels("Li Wei")
		desk.leaves()

		for name, want := range map[string]booking.State{"Cleo Marin": booking.CheckedIn, "Nora Field": booking.Confirmed, "Li Wei": booking.LateCancelled} {
			if got := apptest.Value[booking.State](t, s.World,
				"select b.state from bookings b join customers c on c.id = b.customer_id where c.name = $1 order by b.created_at desc, b.id desc limit 1", name); got != want {
				t.Errorf("%s: the booking of %s is %s, want %s", w, name, got, want)
			}
		}
	})
}

// walksIn lets somebody in who has booked nothing.
func (p *person) walksIn(name string) {
	p.t.Helper()
	p.press("Walk-in")
	p.fill("Name", name)
	p.press("Check in")
	p.reads(name + " is in Steam room")
	p.home()
}

// books books somebody who calls and is new.
func (p *person) books(name string) {
	p.t.Helper()
	p.takes("Book a customer by phone", 5, anyInputs, func() {
		p.press("New")
		p.press("Booking")
		p.press("Noon Stretch")
		p.fill("Name", name)
		p.fill("Phone", "+1 212 555 0123")
		p.press("Go on")
		p.reads("gets the seat")
		p.press("Book " + name + ", $22.00 at the studio")
		p.reads(name + " is booked")
	})
}

// moves moves a booking of today to tomorrow, from the list of bookings.
func (p *person) moves(name string) {
	p.t.Helper()
	p.area("Bookings")
	p.takes("Reschedule a booking", 4, anyInputs, func() {
		p.press(name)
		p.press("Move…")
		p.press("Ines Vale") // who gives the one of tomorrow
		p.reads("Nothing is charged or given back")
		p.press("Move to")
		p.reads(name + " comes on")
	})
}

// cancels cancels for a customer, later than the policy allows, and reads what it costs.
func (p *person) cancels(name string) {
	p.t.Helper()
	p.area("Bookings")
	p.press(name)
	p.press("Cancel…")
	p.reads("late by the policy", "Fee for cancelling late", "$10.00")
	p.press("Cancel with a fee of $10.00")
	p.reads("The booking of " + name + " is cancelled.")
}

// area goes to a part of the console, which on a phone may be under More.
func (p *person) area(name string) {
	p.t.Helper()
	p.shut()
	if p.way.Width == phone && !p.offers(name) {
		p.press("More")
	}
	p.press(name)
}

// home goes to Today.
func (p *person) home() { p.t.Helper(); p.shut(); p.press("Today") }

// shut closes the sheet when one is open.
func (p *person) shut() {
	p.t.Helper()
	if p.Exists("dialog[open]") {
		p.press("Close")
		p.until("the sheet is closed", func() bool { return !p.Exists("dialog[open]") })
	}
}
