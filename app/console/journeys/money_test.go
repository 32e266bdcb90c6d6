package journeys_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// TestOwnerRefunds: a customer who was ill calls. From Sales to the refund in three clicks, with its effects
// shown before the last of them; and a line of another payment.
func TestOwnerRefunds(t *testing.T) {
	t.Parallel()
	inEveryWay(t, func(t *testing.T, s *consoletest.Studio, w way) {
		s.Sell(t, "Ada Lovelace")
		s.Sell(t, "Grace Hopper")
		owner := signedIn(t, s, w, s.Owner.Email)
		owner.area("Sales")
		owner.takes("Refund a payment", 3, anyInputs, func() {
			owner.press("Ada Lovelace")
			owner.press("Refund…")
			owner.reads("Refund to Visa ···4242", "Platform fee refunded to you", "No booking changes")
			owner.press("Refund $24.44 to Visa ···4242")
			owner.reads("Refunded $24.44 to Visa ···4242.")
		})
		owner.area("Sales")
		owner.press("Grace Hopper")
		owner.press("Refund…")
		owner.choose("Refund amount", "Selected items")
		if w.NoScript {
			owner.press("Show")
		}
		owner.tick("Service fee · $0.49")
		if w.NoScript {
			owner.press("Show")
		}
		owner.reads("Refund $0.49 to Visa ···4242")
		owner.fill("Note", "As promised.")
		owner.press("Refund $0.49 to Visa ···4242")
		owner.reads("Partially refunded")
		owner.press("Refund…")
		owner.choose("Refund amount", "Custom amount")
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
		owner.reads("Refunded $5.00 to Visa ···4242.")
		owner.leaves()
		if got := apptest.Value[string](t, s.World, "select string_agg(amount::text, ' ' order by created_at, id) from refunds"); got != "2444 49 500" {
			t.Errorf("%s: %s went back", w, got)
		}
	})
}
