package desk

import (
	"foyer/app/console/ui"
	"foyer/billing/processor"
	rights "foyer/policy"
)

// Paths of the screens about money.
const (
	MoneySales     = "/sales"
	MoneyTill      = "/till"
	MoneyGiftCards = "/gift-cards"
	MoneyPayouts   = "/sales/payouts"
	MoneyDisputes  = "/sales/disputes"
)

// Paths of the reports.
const (
	ReportRevenue     = "/sales/revenue"
	ReportTax         = "/sales/tax"
	ReportFees        = "/sales/fees"
	ReportPayouts     = "/sales/payouts-to-orders"
	ReportLiabilities = "/sales/liabilities"
	ReportMemberships = "/sales/memberships"
)

// SellAt is the path of the sale of goods and plans at the desk.
const SellAt = MoneyTill + "/sell"

// FieldPeriod is the billing period of a membership that is paid at SellAt, beside its customer.
const FieldPeriod = "period"

// PlansAt is the path of the screens about plans.
const PlansAt = "/plans"

// DiscountsAt is the path of the screens about discounts. FieldPlans are the plans whose members have a new one.
const (
	DiscountsAt = "/catalog/discounts"
	FieldPlans  = "planIds"
)

// Accounting is the path of the screens about the studio's accounting.
const Accounting = "/settings/accounting"

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
	add(c.May("listGiftCards"), c.UI.T("Gift cards"), MoneyGiftCards)
	add(whole && c.May("listPayouts"), c.UI.T("Payouts"), MoneyPayouts)
	add(whole && c.May("listDisputes"), c.UI.T("Disputes"), MoneyDisputes)
	if len(out) < 2 {
		return nil
	}
	return out
}

// ReportTabs returns tabs for the reports that the caller may see; now is the current one. A payout is of all
// locations.
func ReportTabs(c *Call, now string) []ui.Tab {
	var out []ui.Tab
	add := func(may bool, text, at string) {
		if may {
			out = append(out, ui.Tab{Text: text, Href: c.To(at), Now: at == now})
		}
	}
	add(c.May("getRevenueReport"), c.UI.T("Revenue"), ReportRevenue)
	add(c.May("getTaxReport"), c.UI.T("Tax"), ReportTax)
	add(c.May("getFeeReport"), c.UI.T("Fees"), ReportFees)
	whole := rights.Require(c.Scope, rights.ReportFinance) == nil
	add(whole && c.May("getPayoutReport"), c.UI.T("Payouts to orders"), ReportPayouts)
	add(c.May("getLiabilityReport"), c.UI.T("Liabilities"), ReportLiabilities)
	add(c.May("getMembershipReport"), c.UI.T("Memberships"), ReportMemberships)
	return out
}

// TransactionName renders the category of a balance transaction.
func TransactionName(sh ui.Shell, c processor.Category) string {
	switch c {
	case processor.CategoryCharge:
		return sh.T("Payment")
	case processor.CategoryChargeFailure:
		return sh.T("Failed payment")
	case processor.CategoryRefund:
		return sh.T("Refund")
	case processor.CategoryRefundFailure:
		return sh.T("Failed refund")
	case processor.CategoryDispute:
		return sh.T("Dispute")
	case processor.CategoryDisputeReversal:
		return sh.T("Dispute won")
	case processor.CategoryFee:
		return sh.T("Processor fee")
	case processor.CategoryPlatformFee:
		return sh.T("Platform fee")
	case processor.CategoryPayoutReversal:
		return sh.T("Returned payout")
	case processor.CategoryTopup, processor.CategoryTopupReversal:
		return sh.T("Top-up from your bank account")
	case processor.CategoryHeld:
		return sh.T("Reserved by the processor")
	}
	return sh.T("Other")
}
