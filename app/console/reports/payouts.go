package reports

import (
	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/report"
	"foyer/billing/processor"
)

func (s *screens) payouts(c *desk.Call) (ui.Screen, error) {
	in := rangeOf(c)
	r, err := s.Report.Payouts(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to"}) {
		err = nil
	}
	return ui.Screen{
		Title: c.UI.T("Payouts to orders"), Lead: c.UI.T("Payments, refunds and fees in each payout"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportPayouts), Body: payoutsBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) payoutTable(c *desk.Call) error {
	r, err := s.Report.Payouts(c.Context(), c.Scope, rangeOf(c))
	if err != nil {
		return err
	}
	return send(c, "payouts", r.Range, r.CSV())
}

// payoutAt returns the address of a payout; empty without the right to open it.
func payoutAt(c *desk.Call, id uuid.UUID) string {
	if !c.May("getPayout") {
		return ""
	}
	return c.To(desk.MoneyPayouts + "/" + id.String())
}

// saleAt returns the address of a payment; empty without the right to open it.
func saleAt(c *desk.Call, id uuid.UUID) string {
	if id == uuid.Nil || !c.May("getPayment") {
		return ""
	}
	return c.To(desk.MoneySales + "/" + id.String())
}

// payer returns the customer of a line and their items, as far as the caller may see them.
func payer(sh ui.Shell, l report.PayoutLine) (name, what string) {
	if l.LineCount == 0 {
		return desk.TransactionName(sh, l.Category), ""
	}
	what = l.Label
	if more := l.LineCount - 1; more > 0 {
		what = sh.N(more, "{what} and {n} more", "{what} and {n} more", "what", what)
	}
	return ui.Who(sh, "", l.CustomerName, ""), what
}

// other explains the amount of a payout without lines.
func other(sh ui.Shell, in report.Range, p report.PayoutRow) string {
	switch {
	case !p.Known && !p.Automatic:
		return sh.T("Manual payout: the processor does not list its transactions")
	case !p.Known:
		return sh.T("Transactions not listed yet")
	case in.LocationID != uuid.Nil:
		return sh.T("Other locations")
	}
	return sh.T("Other")
}

// returned reports whether the bank returned a payout.
func returned(p report.PayoutRow) bool { return p.Status == processor.PayoutFailed }
