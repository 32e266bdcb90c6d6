package reports_test

import (
	"strings"
	"testing"

	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestReports: a studio's sales and their cost, to read and to download, with the right to see figures.
func TestReports(t *testing.T) {
	s := consoletest.Open(t)
	paid := s.Sell(t, "Ada Lovelace")
	c := s.As(t, consoletest.Owner)
	c.Get("/sales").Is(t, 200).Shows(t, "Tax", "Fees")
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
		for _, path := range []string{"/sales/tax", "/sales/fees", "/sales/tax/csv"} {
			c.Get(path).Is(t, status)
		}
	}
}
