package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestFrontDesk is a morning at the desk: an arrival, a walk-in, a booking by phone, a rescheduling, and a late
// cancellation.
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

// walksIn checks in a walk-in.
func (p *person) walksIn(name string) {
	p.t.Helper()
	p.press("Walk-in")
	p.fill("Name", name)
	p.press("Check in")
	p.reads("Checked in " + name + " to Steam room")
	p.home()
}

// books books a new customer who calls.
func (p *person) books(name string) {
	p.t.Helper()
	p.takes("Book a customer by phone", 5, anyInputs, func() {
		p.press("New")
		p.press("Booking")
		p.press("Noon Stretch")
		p.fill("Name", name)
		p.fill("Phone", "+1 212 555 0123")
		p.press("Continue")
		p.reads("is booked")
		p.press("Book " + name + ", $22.00 at the studio")
		p.reads(name + " is booked")
	})
}

// moves reschedules a booking of today to tomorrow, from the list of bookings.
func (p *person) moves(name string) {
	p.t.Helper()
	p.area("Bookings")
	p.takes("Reschedule a booking", 4, anyInputs, func() {
		p.press(name)
		p.press("Reschedule…")
		p.press("Ines Vale") // instructor of tomorrow's
		p.reads("No charge or refund")
		p.press("Reschedule to")
		p.reads("Rescheduled " + name + " to")
	})
}

// cancels cancels for a customer, later than the policy allows, and reads the fee.
func (p *person) cancels(name string) {
	p.t.Helper()
	p.area("Bookings")
	p.press(name)
	p.press("Cancel…")
	p.reads("is no longer booked (late cancellation)", "Late-cancellation fee", "$10.00")
	p.press("Cancel with a fee of $10.00")
	p.reads("Cancelled the booking of " + name + ".")
}

// area opens a part of the console, on a phone possibly under More.
func (p *person) area(name string) {
	p.t.Helper()
	p.shut()
	if p.way.Width <= phone && !p.offers(name) {
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
