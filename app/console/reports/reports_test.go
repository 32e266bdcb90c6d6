package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/sales"
	"foyer/billing/credit"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestReports: a studio's sales and their cost, to read and to download, with the right to see figures.
func TestReports(t *testing.T) {
	s := consoletest.Open(t)
	paid := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/revenue").Is(t, 200).Shows(t, "Revenue", "Tax", "Fees", "Payouts to orders", "Liabilities")
	c.Get("/sales/tax").Is(t, 200).Shows(t, "Not taxed", "Tax due", "Download as CSV", "Print")
	if page := c.Get("/sales/fees?by=payment").Is(t, 200).Shows(t, "Total fees", "$24.44"); !strings.Contains(page.Body, "/sales/"+paid.ID.String()) {
		t.Error("the row of a payment does not lead to it")
	}
	c.Get("/sales/"+paid.ID.String()).Is(t, 200).Shows(t, "Platform fee")
	c.Get("/sales/tax/csv?by=month").Is(t, 200).Shows(t, "date,location,currency,tax")
	c.Get("/sales/fees/csv").Is(t, 200).Shows(t, "date,location,currency,payment")
	c.Get("/sales/tax?from=2020-01-01&to=2026-01-01").Is(t, 400).Shows(t, "Choose a shorter time")
	c.Get("/sales/fees?from=2001-01-01&to=2001-01-02").Is(t, 200).Shows(t, "No card payments and no fees on these dates")
	for role, status := range map[policy.Role]int{policy.Accountant: 200, policy.Manager: 403, policy.FrontDesk: 403} {
		c := s.As(t, role)
		for _, path := range []string{
			"/sales/tax", "/sales/fees", "/sales/tax/csv", "/sales/revenue", "/sales/revenue/csv", "/sales/payouts-to-orders",
			"/sales/payouts-to-orders/csv", "/sales/liabilities", "/sales/liabilities/csv",
			"/sales/memberships", "/sales/memberships/csv",
		} {
			c.Get(path).Is(t, status)
		}
	}
}

// TestRevenueScreen: income by category, to read and to download.
func TestRevenueScreen(t *testing.T) {
	s := consoletest.Open(t)
	s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/revenue").Is(t, 200).
		Shows(t, "Classes", "Booking fees", "Total", "Gross", "Refunds", "Net", "$22.49", "Print")
	c.Get("/sales/revenue/csv?by=month").Is(t, 200).
		Shows(t, "category,category_name,payments,gross,refunds,net", "income.class,Classes,1,22.00,0.00,22.00")
	c.Get("/sales/revenue?from=2020-01-01&to=2026-01-01").Is(t, 400).Shows(t, "Choose a shorter time")
	c.Get("/sales/revenue?from=2001-01-01&to=2001-01-02").Is(t, 200).Shows(t, "No sales or refunds on these dates")
}

// arrived stores a payout of a sale of 24.44, one that the bank returned and a manual one, like the listing.
func arrived(t *testing.T, s *consoletest.Studio, paid sales.Detail) {
	t.Helper()
	for id, p := range map[string]struct {
		status string
		manual bool
	}{"po_x": {"paid", false}, "po_y": {"failed", false}, "po_z": {"paid", true}} {
		s.SQL(t, `insert into payouts (id, business_id, env, account, external_id, amount, currency, status, arrives_on,
				automatic, happened_at, listed_at, created_at, updated_at)
			values ($1, $2, 'simulated', 'acct_sim_x', $3, 2294, 'USD', $4, $6::timestamptz::date, not $5::boolean, $6,
				case when not $5::boolean then $6::timestamptz end, $6, $6)`,
			pg.NewID(), s.Studio.Business.ID, id, p.status, p.manual, s.Clock.Now())
	}
	s.SQL(t, `insert into balance_transactions (id, business_id, env, account, external_id, type, category, currency,
			gross, processor_fee, platform_fee, net, payout, payment_id, state, happened_at, available_at, booked_at,
			created_at)
		values ($1, $2, 'simulated', 'acct_sim_x', 'txn_x', 'charge', 'charge', 'USD', 2444, 101, 49, 2294, 'po_x', $4,
			'booked', $3, $3, $3, $3)`,
		pg.NewID(), s.Studio.Business.ID, s.Clock.Now(), paid.ID)
}

// TestPayoutsScreen: each payout with its transactions, their customers and their sales; without them if the processor
// lists none.
func TestPayoutsScreen(t *testing.T) {
	s := consoletest.Open(t)
	paid := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/payouts-to-orders").Is(t, 200).Shows(t, "No payouts arrived on these dates")
	arrived(t, s, paid)
	page := c.Get("/sales/payouts-to-orders").Is(t, 200).Shows(t, "Ada Lovelace", "Payment", "$24.44",
		"Returned by your bank", "Total", "Manual payout: the processor does not list its transactions")
	for _, path := range []string{"/sales/" + paid.ID.String(), "/sales/payouts/"} {
		if !strings.Contains(page.Body, path) {
			t.Errorf("no link to %s", path)
		}
	}
	c.Get("/sales/payouts-to-orders/csv").Is(t, 200).
		Shows(t, "payout_date,payout,payout_status", "Ada Lovelace", ",unlisted,")
	c.Get("/sales/payouts-to-orders?from=2026-01-01&to=2026-03-01").Is(t, 400).Shows(t, "Choose a shorter time")
}

// TestLiabilitiesScreen: account credit and tax by their balances; at a location there is no credit.
func TestLiabilitiesScreen(t *testing.T) {
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/liabilities").Is(t, 200).Shows(t, "No liabilities on these dates")
	paid := s.Sell(t, "Ada Lovelace")
	_, err := s.Credit.Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: paid.CustomerID, LocationID: s.Location.ID, Amount: 2500, Note: "a gift",
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Get("/sales/liabilities").Is(t, 200).Shows(t, "Account credit", "Sales tax", "Opening balance", "Added", "Used",
		"Closing balance", "Total", "$25.00", "$1.95", "$26.95")
	c.Get("/sales/liabilities/csv").Is(t, 200).Shows(t, "opening_balance,added,used,closing_balance",
		"stored_value.credit,Account credit,,0.00,25.00,0.00,25.00",
		"liability.sales_tax,Sales tax,8.875,0.00,1.95,0.00,1.95")
	c.Get("/sales/liabilities?by=payment").Is(t, 400).Shows(t, "The report has no such rows")
}

// TestMembershipsScreen: members and recurring income of the last six months, by month and by plan.
func TestMembershipsScreen(t *testing.T) {
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/sales/memberships").Is(t, 200).Shows(t, "No memberships in these months")
	who, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Ada Lovelace"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
		Name: "Yearly", Kind: plan.Renewing, PriceAmount: 120000, Benefits: []plan.Benefit{{}},
		Validity: plan.Validity{Count: 1, Unit: rules.Year},
	})
	if err == nil {
		_, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: who.ID, Tenders: owed.Pays(tender.Cash),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(40 * 24 * time.Hour)
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, who.ID)
	if err == nil {
		_, err = s.Owed.CancelPlan(t.Context(), s.Owner, owed.CancelInput{CustomerID: who.ID, MembershipID: list[0].ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	c = s.As(t, consoletest.Owner) // the session has expired
	c.Get("/sales/memberships").Is(t, 200).Shows(t, "1 members now", "$100.00 recurring each month",
		"$100.00 average per member", "By month", "2026-06", "2026-07", "$1,200.00", "By plan", "Yearly", "Total")
	c.Get("/sales/memberships/csv").Is(t, 200).Shows(t, "month,location,currency,plan",
		",USD,Yearly,0,1,0,0,0,1,0,1,1200.00", ",USD,Yearly,1,0,0,0,0,1,0,0,0.00")
	s.Clock.Advance(400 * 24 * time.Hour)
	if err := s.Plans.ExpireDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	c = s.As(t, consoletest.Owner)
	c.Get("/sales/memberships?from=2027-06-01&to=2027-06-30").Is(t, 200).Shows(t, "1 cancelled", "100%", "0 members now")
	c.Get("/sales/memberships?from=2020-01-01&to=2026-01-01").Is(t, 400).Shows(t, "Choose a shorter time")
}
