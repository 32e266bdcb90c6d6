package billing_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

const (
	manyTransactions = 10_000
	reconcileWithin  = 2 * time.Second
)

// crowded is a studio with ten thousand movements that are not listed yet.
func crowded(t testing.TB) till {
	t.Helper()
	w := apptest.Open(t)
	s := till{w.Sales(t), w}
	for range manyTransactions {
		if _, err := s.Sim.Adjust(s.Account, "stripe_fee", "fee", -100, "usd"); err != nil {
			t.Fatal(err)
		}
	}
	s.w.Clock.Advance(24 * time.Hour)
	return s
}

// reconcile holds the books against the balance, with nothing else.
func (s till) reconcile(t testing.TB) {
	t.Helper()
	held := []processor.Balance{{Currency: "USD", Available: -100 * manyTransactions}}
	if err := billing.ReconcileNow(s.Billing, t.Context(), s.Business.ID, s.Account, held); err != nil {
		t.Fatal(err)
	}
}

// Ten thousand movements are kept and booked by their hundreds and not one by one, and tied out in one statement,
// within two seconds. docs/performance.md has the times that this test logs.
func TestReconcileTenThousand(t *testing.T) {
	s := crowded(t)
	begun := time.Now()
	trips, _ := s.w.Sent(func() { s.List(t) })
	t.Logf("listed, kept, booked and tied out in %s, %d trips", time.Since(begun).Round(time.Millisecond), trips)
	if trips > manyTransactions/20 {
		t.Errorf("%d trips for %d movements", trips, manyTransactions)
	}
	if n := s.account(t, ledger.ProcessorOther); n != 100*manyTransactions {
		t.Errorf("%d are booked", n)
	}
	begun = time.Now()
	trips, _ = s.w.Sent(func() { s.reconcile(t) })
	took := time.Since(begun)
	t.Logf("tied out in %s, %d trips", took.Round(time.Millisecond), trips)
	if took > reconcileWithin || trips > 3 {
		t.Errorf("%s and %d trips", took, trips)
	}
	if got := apptest.Value[string](t, s.w, "select books || ' ' || recorded || ' ' || difference from reconciliations"); got != "-1000000 -1000000 0" {
		t.Errorf("tied out: %s", got)
	}
}

// BenchmarkReconcile measures the reconciliation with a balance of ten thousand transactions.
func BenchmarkReconcile(b *testing.B) {
	s := crowded(b)
	s.List(b)
	for b.Loop() {
		s.reconcile(b)
	}
}
