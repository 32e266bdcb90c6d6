package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// TestOwnerGivesMoneyBack: somebody calls who was ill. From Sales to the money on its way back in three clicks, with what it does read
// before the last of them; and a line of another payment.
func TestOwnerGivesMoneyBack(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		s.Sell(t, "Ada Lovelace")
		s.Sell(t, "Grace Hopper")
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.area("Sales")
		owner.takes("Refund a payment", 3, anyInputs, func() {
			owner.press("Ada Lovelace")
			owner.press("Give back…")
			owner.reads("Goes back to Visa ···4242", "Of the platform fee, comes back to you", "No booking changes")
			owner.press("Give back $24.44 to Visa ···4242")
			owner.reads("$24.44 goes back to Visa ···4242.")
		})
		owner.area("Sales")
		owner.press("Grace Hopper")
		owner.press("Give back…")
		owner.choose("How much", "What certain lines cost")
		if w.NoScript {
			owner.press("Show")
		}
		owner.tick("Service fee · $0.49")
		if w.NoScript {
			owner.press("Show")
		}
		owner.reads("Give back $0.49 to Visa ···4242")
		owner.fill("Note", "As promised.")
		owner.press("Give back $0.49 to Visa ···4242")
		owner.reads("Partly given back")
		owner.press("Give back…")
		owner.choose("How much", "An amount")
		if w.NoScript {
			owner.press("Show")
		}
		owner.reads("Refundable: $23.95")
		owner.fill("Amount", "5")
		if w.NoScript {
			owner.press("Refund this amount to Visa ···4242")
		} else {
			owner.press("Refund $5.00 to Visa ···4242")
		}
		owner.reads("$5.00 goes back to Visa ···4242.")
		owner.leaves()
		if got := apptest.Value[string](t, s.World, "select string_agg(amount::text, ' ' order by created_at, id) from refunds"); got != "2444 49 500" {
			t.Errorf("%s: %s went back", w, got)
		}
	})
}
