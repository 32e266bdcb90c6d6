package balance_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing/balance"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

const (
	manyTransactions = 10_000
	reconcileWithin  = 2 * time.Second
)

// studio is a studio that sells, with the simulator as its processor.
type studio struct {
	*apptest.Sales
	w *apptest.World
}

// crowded is a studio with ten thousand balance transactions that are not listed yet.
func crowded(t testing.TB) studio {
	t.Helper()
	w := apptest.Open(t)
	s := studio{w.Sales(t), w}
	for range manyTransactions {
		if _, err := s.Sim.Adjust(s.Account, "stripe_fee", "fee", -100, "usd"); err != nil {
			t.Fatal(err)
		}
	}
	s.w.Clock.Advance(24 * time.Hour)
	return s
}

// reconcile holds the books against the balance, with nothing else.
func (s studio) reconcile(t testing.TB) {
	t.Helper()
	held := []processor.Balance{{Currency: "USD", Available: -100 * manyTransactions}}
	if err := balance.ReconcileNow(s.Balance, t.Context(), s.Business.ID, s.Account, held); err != nil {
		t.Fatal(err)
	}
}

// Ten thousand balance transactions are stored and booked by their hundreds and not one by one, and reconciled in one
// statement, within two seconds. docs/performance.md has the times that this test logs.
func TestReconcileTenThousand(t *testing.T) {
	s := crowded(t)
	begun := time.Now()
	trips, _ := s.w.Sent(func() { s.List(t) })
	t.Logf("listed, stored, booked and reconciled in %s, %d trips", time.Since(begun).Round(time.Millisecond), trips)
	if trips > manyTransactions/20 {
		t.Errorf("%d trips for %d transactions", trips, manyTransactions)
	}
	booked, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), ledger.ProcessorOther, s.Location.Currency)
	if err != nil || booked != 100*manyTransactions {
		t.Errorf("%d are booked: %v", booked, err)
	}
	begun = time.Now()
	trips, _ = s.w.Sent(func() { s.reconcile(t) })
	took := time.Since(begun)
	t.Logf("reconciled in %s, %d trips", took.Round(time.Millisecond), trips)
	if took > reconcileWithin || trips > 3 {
		t.Errorf("%s and %d trips", took, trips)
	}
	if got := apptest.Value[string](t, s.w, "select books || ' ' || recorded || ' ' || difference from reconciliations"); got != "-1000000 -1000000 0" {
		t.Errorf("reconciled: %s", got)
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
