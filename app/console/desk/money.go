package desk

import (
	"foyer/app/console/ui"
	rights "foyer/policy"
)

// Paths of the screens about money.
const (
	MoneySales    = "/sales"
	MoneyTill     = "/till"
	MoneyPayouts  = "/sales/payouts"
	MoneyDisputes = "/sales/disputes"
	MoneyTax      = "/sales/tax"
	MoneyFees     = "/sales/fees"
)

// MoneyTabs returns tabs for the screens about money that the caller may see; now is the current one. It returns none
// for a single screen.
func MoneyTabs(c *Call, now string) []ui.Tab {
	whole := rights.RequireFull(c.Scope, rights.PaymentView) == nil
	var out []ui.Tab
	add := func(may bool, text, at string) {
		if may {
			out = append(out, ui.Tab{Text: text, Href: c.To(at), Now: at == now})
		}
	}
	add(c.May("listPayments"), c.UI.T("Payments"), MoneySales)
	add(c.May("listDrawers"), c.UI.T("Cash drawer"), MoneyTill)
	add(whole && c.May("listPayouts"), c.UI.T("Payouts"), MoneyPayouts)
	add(whole && c.May("listDisputes"), c.UI.T("Disputes"), MoneyDisputes)
	add(c.May("getTaxReport"), c.UI.T("Tax"), MoneyTax)
	add(c.May("getFeeReport"), c.UI.T("Fees"), MoneyFees)
	if len(out) < 2 {
		return nil
	}
	return out
}
