package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/plan"
	"foyer/policy"
)

// TestDeskSellsAPack: the front desk of a location sells a pack to a customer at the counter, books the customer into a
// class, and pays for it with a credit of the pack. The console has no words but English.
func TestDeskSellsAPack(t *testing.T) {
	t.Parallel()
	onTheSmallestPhone(t, func(t *testing.T, s *consoletest.Studio, w way) {
		busy(t, s)
		s.AddLocation(t, "Riverside")
		pack, err := s.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
			Name: "10-class pack", Kind: plan.Pack, PriceAmount: 18000, Benefits: []plan.Benefit{{Credits: new(10)}},
		})
		if err == nil {
			_, err = s.Plans.Publish(t.Context(), s.Owner, pack.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
		desk := signedIn(t, s, w, "desk@team.example.com")
		desk.area("Customers")
		desk.takes("Sell a plan to a customer, in cash", 4, 0, func() {
			desk.press("Cleo Marin")
			desk.reads("No plans.")
			desk.sound()
			desk.press("Sell plan")
			desk.reads("Cleo Marin", "10-class pack", "$180")
			desk.sound()
			desk.press("Add 10-class pack")
			desk.reads("$180.00")
			desk.sound()
			desk.press("Charge $180.00")
			desk.reads("Sold for $180.00.", "View receipt")
		})
		desk.sound()
		desk.shut()
		desk.takes("Book a customer who is there, and use a plan", 8, 1, func() {
			desk.press("New")
			desk.press("Booking")
			desk.press("Noon Stretch")
			desk.sound()
			desk.press("Cleo Marin")
			desk.press("Book Cleo Marin, $22.00 at the studio")
			desk.reads("Cleo Marin is booked")
			desk.sound()
			desk.press("Take $22.00")
			desk.choose("Payment method", "10-class pack, 10 credits left")
			desk.shows()
			desk.reads("Paid with 10-class pack")
			desk.sound()
			desk.press("Pay with 10-class pack")
			desk.reads("Cleo Marin has paid with 10-class pack.")
		})
		desk.sound()
		desk.shut()
		desk.area("Customers")
		desk.press("Cleo Marin")
		desk.reads("10-class pack", "9 credits left")
		desk.sound()
		desk.press("10-class pack")
		desk.reads("9 credits left", "Noon Stretch")
		desk.sound()
		desk.leaves()
		const paid = `select count(*) from order_tenders where kind = 'cash' and amount = 18000`
		if n := apptest.Value[int](t, s.World, paid); n != 1 {
			t.Errorf("%s: %d payments for the pack", w, n)
		}
		if n := apptest.Value[int](t, s.World, "select balance from grants"); n != 9 {
			t.Errorf("%s: %d credits are left", w, n)
		}
	})
}
