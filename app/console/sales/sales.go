// Package sales is the list of what a studio took, one payment with its lines, fees and refunds, and giving money back.
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
	d.Form("refundPayment", "/sales/:payment/refund", desk.Form{Do: s.refund, Show: s.askRefund, Inputs: []string{"amount", "reason", "note"}})
}

// path is where a payment is, or something about it.
func path(p sales.Payment, more string) string { return "/sales/" + p.ID.String() + more }

// wordsAt are the screen's words on the wall clock of a payment.
func wordsAt(c *desk.Call, zone string) view.Words {
	w := c.UI.Words
	w.Zone = civil.ZoneOrUTC(zone)
	return w
}

// less is an amount that is taken away; empty for nothing.
func less(sh ui.Shell, minor int64, cur money.Currency) string { return sh.Some(-minor, cur) }

// who is the customer of a payment.
func who(sh ui.Shell, p sales.Payment) string { return ui.Who(sh, "", p.CustomerName, "") }

// at is when the money was there, else when the payment began.
func at(c *desk.Call, p sales.Payment) string {
	when := p.CreatedAt
	if p.TakenAt != nil {
		when = *p.TakenAt
	}
	return wordsAt(c, p.Zone).ShortWhen(when)
}

// means is by what a payment was taken, as short as it is known.
func means(sh ui.Shell, p sales.Payment) string {
	switch p.Method {
	case sales.Cash:
		return sh.C("payment", "Cash")
	case sales.Other:
		return sh.C("payment", "Elsewhere")
	case sales.Credit:
		return sh.C("payment", "Credit")
	}
	return sh.ByWallet(card(sh, p.CardBrand, p.CardLast4), p.CardWallet)
}

// card is "Visa ···4242".
func card(sh ui.Shell, brand, last4 string) string {
	if last4 == "" {
		return sh.CardBrand(brand)
	}
	return sh.CardBrand(brand) + " ···" + last4
}

// what is what a payment was for: its first line, and how many more.
func what(sh ui.Shell, p sales.Payment) string {
	if p.LineCount < 2 {
		return p.Label
	}
	return view.Joined(" ", p.Label, sh.N(p.LineCount-1, "and {n} more", "and {n} more"))
}

// stateOf is how a payment stands, in one or two words.
func stateOf(sh ui.Shell, p sales.Payment) (string, ui.Tone) {
	switch {
	case p.Authorized:
		return sh.C("payment", "Held on the card"), "warn"
	case p.Released:
		return sh.C("payment", "Let go, not taken"), ""
	}
	return state(sh, p.State)
}

// state is what a state is called.
func state(sh ui.Shell, s sales.State) (string, ui.Tone) {
	switch s {
	case sales.Open:
		return sh.C("payment", "Not paid yet"), ""
	case sales.Processing:
		return sh.C("payment", "On its way"), "warn"
	case sales.Paid:
		return sh.C("payment", "Paid"), "ok"
	case sales.PartlyRefunded:
		return sh.C("payment", "Partly given back"), "warn"
	case sales.Refunded:
		return sh.C("payment", "Given back"), ""
	case sales.Failed:
		return sh.C("payment", "Failed"), "bad"
	case sales.Void:
		return sh.C("payment", "Taken by mistake"), ""
	}
	return sh.C("payment", "Nobody paid"), ""
}

// refundState is how a refund stands, in one or two words.
func refundState(sh ui.Shell, s billing.RefundState) (string, ui.Tone) {
	switch s {
	case billing.RequestPending, billing.RequestSubmitted:
		return sh.C("refund", "On its way"), "warn"
	case billing.RequestSucceeded:
		return sh.C("refund", "Given back"), "ok"
	case billing.RequestFailed:
		return sh.C("refund", "Could not be given"), "bad"
	}
	return sh.C("refund", "Called off"), ""
}

// why is the reason of a refund in words.
func why(sh ui.Shell, r billing.RefundReason) string {
	switch r {
	case billing.ReasonRequested:
		return sh.T("The customer asked for it")
	case billing.ReasonNotProvided:
		return sh.T("It was not given as it was sold")
	case billing.ReasonDuplicate:
		return sh.T("It was paid twice")
	case billing.ReasonGoodwill:
		return sh.T("Goodwill")
	case billing.ReasonLatePayment:
		return sh.T("The money came when the seat was gone")
	case "cancelled":
		return sh.T("The booking was cancelled")
	case "void":
		return sh.T("Taken by mistake")
	case "given_back":
		return sh.T("Handed back at the desk")
	case billing.ReasonExternal:
		return sh.T("Made on the processor’s own site")
	}
	return sh.T("Another reason")
}
