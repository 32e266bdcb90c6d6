// Package sales has the list of a studio's payments, one payment with its lines, fees and refunds, and the forms
// of refunds and returns.
package sales

import (
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listPayments", "/sales", s.list)
	d.Page("getPayment", "/sales/:payment", s.payment)
	d.Page("refundPayment", "/sales/:payment/refund", s.askRefund)
	d.Page("voidPayment", "/sales/:payment/void", s.askVoid)
	d.Form("voidPayment", "/sales/:payment/void", desk.Form{Do: s.void, Show: s.askVoid, Inputs: []string{"note"}})
	d.Page("returnGoods", "/sales/:payment/return", s.askReturn)
	d.Form("returnGoods", "/sales/:payment/return", desk.Form{
		Do: s.returnGoods, Show: s.askReturn, Inputs: []string{"note"},
	})
	d.Form("refundPayment", "/sales/:payment/refund", desk.Form{Do: s.refund, Show: s.askRefund, Inputs: []string{"amount", "reason", "note"}})
}

// path returns the address of a payment, or of a page of it.
func path(p sales.Payment, more string) string { return "/sales/" + p.ID.String() + more }

// wordsAt returns the screen's words in the time zone of a payment.
func wordsAt(c *desk.Call, zone string) view.Words {
	w := c.UI.Words
	w.Zone = civil.ZoneOrUTC(zone)
	return w
}

// less formats a deduction; empty for zero.
func less(sh ui.Shell, minor int64, cur money.Currency) string { return sh.Some(-minor, cur) }

// who returns the customer of a payment.
func who(sh ui.Shell, p sales.Payment) string { return ui.Who(sh, "", p.CustomerName, "") }

// at renders the time of a payment's capture, else of its beginning.
func at(c *desk.Call, p sales.Payment) string {
	when := p.CreatedAt
	if p.PaidAt != nil {
		when = *p.PaidAt
	}
	return wordsAt(c, p.Zone).ShortWhen(when)
}

// means renders the payment method, in short.
func means(sh ui.Shell, p sales.Payment) string {
	switch p.Method {
	case sales.Cash:
		return sh.C("payment", "Cash")
	case sales.Other:
		return sh.C("payment", "Other")
	case sales.Credit:
		return sh.C("payment", "Account credit")
	case sales.Gift:
		return sh.C("payment", "Gift card")
	}
	return sh.ByWallet(card(sh, p.CardBrand, p.CardLast4), p.CardWallet)
}

// card returns "Visa ···4242".
func card(sh ui.Shell, brand, last4 string) string {
	if last4 == "" {
		return sh.CardBrand(brand)
	}
	return sh.CardBrand(brand) + " ···" + last4
}

// what renders the items of a payment: its first line, and the number of others.
func what(sh ui.Shell, p sales.Payment) string {
	if p.LineCount < 2 {
		return p.Label
	}
	return view.Joined(" ", p.Label, sh.N(p.LineCount-1, "and {n} more", "and {n} more"))
}

// stateOf renders the state of a payment, in one or two words.
func stateOf(sh ui.Shell, p sales.Payment) (string, ui.Tone) {
	switch {
	case p.Authorized:
		return sh.C("payment", "Authorized"), "warn"
	case p.Released:
		return sh.C("payment", "Released"), ""
	}
	return state(sh, p.State)
}

// state renders the name of a state.
func state(sh ui.Shell, s sales.State) (string, ui.Tone) {
	switch s {
	case sales.Open:
		return sh.C("payment", "Not paid yet"), ""
	case sales.Processing:
		return sh.C("payment", "Processing"), "warn"
	case sales.Paid:
		return sh.C("payment", "Paid"), "ok"
	case sales.PartlyRefunded:
		return sh.C("payment", "Partially refunded"), "warn"
	case sales.Refunded:
		return sh.C("payment", "Refunded"), ""
	case sales.Failed:
		return sh.C("payment", "Failed"), "bad"
	case sales.Void:
		return sh.C("payment", "Voided"), ""
	}
	return sh.C("payment", "Not paid"), ""
}

// refundState renders the state of a refund, in one or two words.
func refundState(sh ui.Shell, s billing.RefundState) (string, ui.Tone) {
	switch s {
	case billing.RequestPending, billing.RequestSubmitted:
		return sh.C("refund", "Pending"), "warn"
	case billing.RequestSucceeded:
		return sh.C("refund", "Refunded"), "ok"
	case billing.RequestFailed:
		return sh.C("refund", "Failed"), "bad"
	}
	return sh.C("refund", "Cancelled"), ""
}

// why renders the reason of a refund.
func why(sh ui.Shell, r billing.RefundReason) string {
	switch r {
	case billing.ReasonRequested:
		return sh.T("Requested by customer")
	case billing.ReasonNotProvided:
		return sh.T("Not provided as sold")
	case billing.ReasonDuplicate:
		return sh.T("Duplicate payment")
	case billing.ReasonGoodwill:
		return sh.T("Goodwill")
	case billing.ReasonLatePayment:
		return sh.T("Paid after the spot was gone")
	case "cancelled":
		return sh.T("Booking cancelled")
	case "void":
		return sh.T("Recorded by mistake")
	case "refunded":
		return sh.T("Refunded at the desk")
	case billing.ReasonExternal:
		return sh.T("Refunded at the processor")
	}
	return sh.T("Other reason")
}
