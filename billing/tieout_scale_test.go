package billing_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/ledger"
)

const (
	manyMovements = 10_000
	tieOutWithin  = 2 * time.Second
)

// crowded is a studio with ten thousand movements that are not listed yet.
func crowded(t testing.TB) till {
	t.Helper()
	w := apptest.Open(t)
	s := till{w.Sales(t), w}
	for range manyMovements {
		if _, err := s.Sim.Adjust(s.Account, "stripe_fee", "fee", -100, "usd"); err != nil {
			t.Fatal(err)
		}
	}
	s.w.Clock.Advance(24 * time.Hour)
	return s
}

// tieOut holds the books against the balance, with nothing else.
func (s till) tieOut(t testing.TB) {
	t.Helper()
	held := []billing.Held{{Currency: "USD", Available: -100 * manyMovements}}
	if err := billing.TieOutNow(s.Billing, t.Context(), s.Business.ID, s.Account, held); err != nil {
		t.Fatal(err)
	}
}

// Ten thousand movements are kept and booked by their hundreds and not one by one, and tied out in one statement, within two seconds.
// docs/performance.md has the times that this test logs.
func TestTieOutOfTenThousand(t *testing.T) {
	s := crowded(t)
	begun := time.Now()
	trips, _ := s.w.Sent(func() { s.List(t) })
	t.Logf("listed, kept, booked and tied out in %s, %d trips", time.Since(begun).Round(time.Millisecond), trips)
	if trips > manyMovements/20 {
		t.Errorf("%d trips for %d movements", trips, manyMovements)
	}
	if n := s.account(t, ledger.ProcessorOther); n != 100*manyMovements {
		t.Errorf("%d are booked", n)
	}
	begun = time.Now()
	trips, _ = s.w.Sent(func() { s.tieOut(t) })
	took := time.Since(begun)
	t.Logf("tied out in %s, %d trips", took.Round(time.Millisecond), trips)
	if took > tieOutWithin || trips > 3 {
		t.Errorf("%s and %d trips", took, trips)
	}
	if got := apptest.Value[string](t, s.w, "select books || ' ' || kept || ' ' || difference from tie_outs"); got != "-1000000 -1000000 0" {
		t.Errorf("tied out: %s", got)
	}
}

// BenchmarkTieOut is what holding the books against a balance of ten thousand movements takes.
func BenchmarkTieOut(b *testing.B) {
	s := crowded(b)
	s.List(b)
	for b.Loop() {
		s.tieOut(b)
	}
}
