package billing_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/billing"
)

// TestRefundsThatCount: for every state of a refund, SQL and Go agree whether it counts.
func TestRefundsThatCount(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	want := map[billing.RefundState]bool{
		billing.RequestPending: true, billing.RequestSubmitted: true, billing.RequestSucceeded: true,
		billing.RequestFailed: false, billing.RequestCanceled: false,
	}
	for _, s := range billing.RefundState("").All() {
		counts, known := want[s]
		sql := apptest.Value[bool](t, w, `select `+billing.CountsSQL("r")+` from (select $1::text as state) r`, s)
		if !known || s.Counts() != counts || sql != counts {
			t.Errorf("%s: %v in Go, %v in SQL, want %v", s, s.Counts(), sql, counts)
		}
	}
}
