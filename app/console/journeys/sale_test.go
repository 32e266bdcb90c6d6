package journeys_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestDeskSale: the front desk of one location sells a class to a new customer, in cash. The desk can open the
// customer's record from then on, and before the booking.
func TestDeskSale(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		busy(t, s)
		s.AddLocation(t, "Riverside")
		price := int64(2200)
		class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Price = "Candle Flow", &price })
		s.AddOccurrence(t, class, s.Clock.Now().Add(5*time.Hour))
		s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
		desk := signedIn(t, s, w, "desk@team.example.com")
		desk.takes("Sell a class to a new customer, in cash, as front desk at a location", 5, 1, func() {
			desk.press("New")
			desk.press("Booking")
			desk.press("Candle Flow")
			desk.fill("Name", "Nora Field")
			desk.press("Continue")
			desk.press("Book Nora Field and take $22.00 in cash")
			desk.reads("Nora Field is booked for", "and has paid $22.00")
		})
		paid := apptest.Value[int64](t, s.World, `select sum(p.amount) from order_tenders p join orders o on o.id = p.order_id
			join customers c on c.id = o.customer_id where c.name = 'Nora Field' and p.kind = 'cash'`)
		if paid != 2200 {
			t.Errorf("%s: %d was taken", w, paid)
		}
		desk.shut()
		desk.area("Customers")
		desk.press("New customer")
		desk.fill("Name", "Rosa Luz")
		desk.press("Save")
		desk.reads("Added customer Rosa Luz.")
		desk.misses("Your role does not allow this")
		desk.leaves()
	})
}
