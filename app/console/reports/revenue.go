package reports

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/report"
	"foyer/billing/ledger"
)

func (s *screens) revenue(c *desk.Call) (ui.Screen, error) {
	in := rangeOf(c)
	r, err := s.Report.Revenue(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to", "by"}) {
		err = nil
	}
	return ui.Screen{
		Title: c.UI.T("Revenue"), Lead: c.UI.T("Sales and refunds by category, without tax"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportRevenue), Body: revenueBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) revenueTable(c *desk.Call) error {
	r, err := s.Report.Revenue(c.Context(), c.Scope, rangeOf(c))
	if err != nil {
		return err
	}
	return send(c, "revenue", r.Range, r.CSV())
}

// income renders the category of income.
func income(sh ui.Shell, c report.RevenueSums) string {
	switch ledger.Account(c.Category) {
	case ledger.IncomeClass:
		return sh.T("Classes")
	case ledger.IncomeSession:
		return sh.T("Appointments")
	case ledger.IncomeSpace:
		return sh.T("Rentals")
	case ledger.IncomeProduct:
		return sh.T("Products")
	case ledger.IncomePack:
		return sh.T("Packs")
	case ledger.IncomeMembership:
		return sh.T("Passes")
	case ledger.IncomeBookingFee:
		return sh.T("Booking fees")
	case ledger.IncomeOther:
		return sh.T("Other income")
	case ledger.Uncategorized:
		return sh.T("Uncategorized")
	}
	return c.Name
}

// several returns the currency, if a report has several.
func several[T any](totals []T, currency string) string {
	if len(totals) < 2 {
		return ""
	}
	return currency
}
