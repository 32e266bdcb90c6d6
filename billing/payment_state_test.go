package billing_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/processor"
)

// TestPaymentsThatStand: for every status of a payment, SQL and Go say the same of whether it is open, stands and
// holds money.
func TestPaymentsThatStand(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	want := map[processor.Status][3]bool{ // open, stands, holds money on approval
		billing.StatusNew: {true, true, false}, processor.StatusAwaitingMethod: {true, true, false}, processor.StatusAwaitingCustomer: {true, true, false},
		processor.StatusProcessing: {true, true, false}, processor.StatusAuthorized: {true, true, true}, processor.StatusSucceeded: {false, true, false},
		billing.StatusFailed: {false, false, false}, processor.StatusCanceled: {false, false, false},
	}
	for status, want := range want {
		for _, approval := range []bool{false, true} {
			p := billing.Payment{Status: status, OnApproval: approval}
			for i, of := range []struct {
				name string
				is   bool
				sql  string
			}{{"open", !p.Done(), billing.OpenSQL("p")}, {"stands", p.Active(), billing.ActiveSQL("p")}, {"held", p.Authorized(), billing.AuthorizedSQL("p")}} {
				want := want[i] && (i < 2 || approval)
				sql := apptest.Value[bool](t, w, `select `+of.sql+` from (select $1::text as status, $2::boolean as on_approval) p`, status, approval)
				if of.is != want || sql != want {
					t.Errorf("%s, on approval %v: %s is %v in Go, %v in SQL, want %v", status, approval, of.name, of.is, sql, want)
				}
			}
		}
	}
}
