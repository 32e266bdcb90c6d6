package payouts_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/pg"
	"foyer/policy"
)

// fill stores a payout with a sale of 24.44, a dispute of a charge that was not made here, and a reconciliation, like
// the listing.
func fill(t *testing.T, s *consoletest.Studio, difference int64) (payout uuid.UUID) {
	t.Helper()
	payout = pg.NewID()
	now, business := s.Clock.Now(), s.Studio.Business.ID
	s.SQL(t, `insert into payouts (id, business_id, env, account, external_id, amount, currency, status, arrives_on, automatic, happened_at,
			listed_at, created_at, updated_at)
		values ($1, $2, 'simulated', 'acct_sim_x', 'po_x', 2294, 'USD', 'paid', '2026-07-04', true, $3, $3, $3, $3)`, payout, business, now)
	s.SQL(t, `insert into balance_transactions (id, business_id, env, account, external_id, type, category, currency, gross, processor_fee,
			platform_fee, net, payout, state, happened_at, available_at, booked_at, created_at)
		values ($1, $2, 'simulated', 'acct_sim_x', 'txn_x', 'charge', 'charge', 'USD', 2444, 101, 49, 2294, 'po_x', 'booked', $3, $3, $3, $3)`,
		pg.NewID(), business, now)
	s.SQL(t, `insert into disputes (id, business_id, env, account, external_id, charge, amount, currency, status, reason, evidence_due_by,
			happened_at, created_at, updated_at)
		values ($1, $2, 'simulated', 'acct_sim_x', 'dp_x', 'ch_x', 1234, 'USD', 'needs_response', 'product_not_received', $4, $3, $3, $3)`,
		pg.NewID(), business, now, now.Add(7*24*time.Hour))
	account := apptest.Value[string](t, s.World, "select external_id from processor_accounts where business_id = $1", business)
	s.SQL(t, `insert into reconciliations (id, business_id, env, account, currency, books, underway, recorded, held, balance, difference, checked_at, created_at)
		values ($1, $2, 'simulated', $4, 'USD', 2294, 0, 2294, 0, 2294 + $5, $5, $3, $3)`, pg.NewID(), business, now, account, difference)
	return payout
}

// TestPayouts: the reconciliation comes first, in words; a payout links to its balance transactions, with their fees.
func TestPayouts(t *testing.T) {
	s := consoletest.Open(t)
	id := fill(t, s, 0)
	c := s.As(t, consoletest.Owner)
	c.Get("/settings/payments").Is(t, 200).Shows(t, "Payouts", "Disputes")
	c.Get("/sales/payouts").Is(t, 200).Shows(t, "Reconciled: the processor balance is $22.94.", "po_x", "Arrived", "4 Jul")
	c.Get("/sales/payouts/"+id.String()).Is(t, 200).Shows(t, "Payout of $22.94", "Payment", "$24.44", "$1.50", "$22.94")
	c.Get("/sales/payouts/"+uuid.NewString()).Is(t, 404)
	c.Get("/sales/disputes").Is(t, 200).Shows(t, "Needs response", "Submit evidence by", "product not received", "$12.34", "Charge made outside Foyer")
}

// TestADifferenceIsShown: an unexplained difference is shown with its amount.
func TestADifferenceIsShown(t *testing.T) {
	s := consoletest.Open(t)
	fill(t, s, -55)
	s.As(t, consoletest.Owner).Get("/sales/payouts").Is(t, 200).Shows(t, ", an unexplained difference of", "0.55")
}

// TestWhoMaySeePayouts: an accountant may; a member limited to today's payments may not.
func TestWhoMaySeePayouts(t *testing.T) {
	s := consoletest.Open(t)
	id := fill(t, s, 0)
	for role, status := range map[policy.Role]int{policy.Accountant: 200, policy.FrontDesk: 403, policy.Instructor: 403, policy.Marketer: 403} {
		c := s.As(t, role)
		for _, path := range []string{"/sales/payouts", "/sales/payouts/" + id.String(), "/sales/disputes"} {
			c.Get(path).Is(t, status)
		}
	}
}
