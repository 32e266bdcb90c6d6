package billing_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/billing"
)

// TestPaymentsThatStand: for every status of a payment, SQL and Go say the same of whether it is open, stands and
// holds money.
func TestPaymentsThatStand(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	want := map[billing.Status][3]bool{ // open, stands, holds money on approval
		billing.StatusNew: {true, true, false}, billing.StatusAwaitingMethod: {true, true, false}, billing.StatusAwaitingCustomer: {true, true, false},
		billing.StatusProcessing: {true, true, false}, billing.StatusAuthorized: {true, true, true}, billing.StatusSucceeded: {false, true, false},
		billing.StatusFailed: {false, false, false}, billing.StatusCanceled: {false, false, false},
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
