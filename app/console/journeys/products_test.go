package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestGoods: an owner adds a product and one with options, the front desk of a location receives a delivery, and the
// owner counts the shelf.
func TestGoods(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		s.AddLocation(t, "Riverside")
		s.SQL(t, "update locations set refund_cap_amount = 5000")
		s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.takes("Add a product and put it on sale", 5, 3, func() {
			owner.area("Products")
			owner.press("Add product")
			owner.fill("Name", "Cork mat")
			owner.fill("Price", "24.50")
			owner.tick("Track stock")
			owner.press("Publish")
			owner.reads("Published Cork mat. It is on sale now.")
		})
		owner.addsShirts()

		desk := signedIn(t, s, w, "desk@team.example.com")
		desk.area("Products")
		desk.reads("Cork mat", "$24.50")
		desk.misses("Add product")
		desk.takes("Receive a delivery, as front desk at a location", 4, 1, func() {
			desk.press("Cork mat")
			desk.press("Stock")
			desk.press("Receive: Harbour")
			desk.fill("Quantity received", "20")
			desk.press("Receive stock")
			desk.reads("Received 20. On hand at Harbour: 20.")
		})
		desk.misses("Riverside", "Count", "Adjust")
		desk.sellsMats()
		desk.leaves()

		owner.area("Products")
		owner.takes("Count a product", 4, 1, func() {
			owner.press("Cork mat")
			owner.press("Stock")
			owner.press("Count: Harbour")
			owner.reads("On hand when this form was opened")
			owner.fill("Counted", "18")
			owner.press("Save count")
			owner.reads("Counted. Difference: -1. On hand at Harbour: 18.")
		})
		owner.leaves()
		if n := apptest.Value[int](t, s.World, "select on_hand from stock_levels"); n != 18 {
			t.Errorf("%s: %d on hand", w, n)
		}
	})
}

// sellsMats sells two mats for cash with change, and one of them is returned.
func (p *person) sellsMats() {
	p.t.Helper()
	p.takes("Sell goods at the desk, in cash", 8, 2, func() {
		p.area("Sales")
		p.press("Cash drawer")
		p.press("Sell goods")
		p.fill("Find goods", "cork")
		p.press("Find")
		p.press("Add Cork mat")
		p.press("One more of Cork mat")
		p.press("Charge $49.00")
		p.reads("Sold for $49.00.", "View receipt")
	})
	p.press("View payment")
	p.takes("Return goods", 4, 1, func() {
		p.press("Return items…")
		p.choose("Quantity of Cork mat", "1")
		p.shows()
		p.press("Return items and refund $24.50")
		p.reads("Items returned.", "Refunded: $24.50.", "Returned: 1")
	})
}

// shows sends the fields above a preview, where no script does.
func (p *person) shows() {
	p.t.Helper()
	if p.way.NoScript {
		p.press("Show")
	}
}

// addsShirts adds a product with options, and changes the price of one of its variants.
func (p *person) addsShirts() {
	p.t.Helper()
	p.area("Products")
	p.press("Add product")
	p.fill("Name", "Shirt")
	p.fill("Price", "20")
	p.press("Add options, such as size or colour")
	p.fill("Option 1", "Colour")
	p.fill("Choices 1", "Blue\nRed")
	p.press("Save draft")
	p.reads("Saved Shirt as a draft.")
	p.press("Variants")
	p.press("Edit Red")
	p.fill("Price", "22")
	p.press("Save")
	p.reads("Saved Red.", "$22")
	p.shut()
}
