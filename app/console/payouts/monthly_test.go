package payouts_test

import (
	"testing"
	"time"

	"foyer/app/console/consoletest"
)

// A30: a studio that sells one seat pays the platform its fee of that sale, and nothing in the thirteen months that
// follow, with all due jobs run.
func TestA30_NothingIsChargedByTheMonth(t *testing.T) {
	s := consoletest.Open(t)
	pass := func(span time.Duration) {
		t.Helper()
		s.Clock.Advance(span)
		s.Sim.Flush(t.Context())
		s.Sweep(t)
	}
	s.Sell(t, "Ada Byron")
	pass(time.Hour) // the processor reports its fee
	type state struct{ charged, refunded, fees, holds int64 }
	now := func() (at state) {
		t.Helper()
		var err error
		if at.charged, at.refunded, at.fees, err = s.Sim.Totals(s.Account); err != nil {
			t.Fatal(err)
		}
		if at.holds, err = s.Sim.Holds(s.Account, "usd"); err != nil {
			t.Fatal(err)
		}
		return at
	}
	sold := now()
	if sold.charged == 0 || sold.fees != (sold.charged*2+50)/100 {
		t.Fatalf("the sale is not as this test believes it: %+v", sold)
	}
	for range 13 {
		pass(31 * 24 * time.Hour)
	}
	if later := now(); later != sold {
		t.Errorf("after thirteen months the account has seen %+v, and %+v when the seat was sold", later, sold)
	}
}
