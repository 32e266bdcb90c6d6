package today

import (
	"foyer/app/accounting"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/billing"
	"foyer/billing/processor"
)

// moneyNote is an urgent note about the studio's money.
type moneyNote struct {
	Tone         ui.Tone
	Title, Text  string
	Button, Href string
}

// moneyNotes returns the problems of the account, the disputes that need evidence, and the problems of accounting.
// Notes that the caller cannot act on are not read.
func moneyNotes(c *desk.Call, b board) (out []moneyNote) {
	if n, wrong := accountNote(c, b.Money.Account); wrong {
		out = append(out, n)
	}
	if len(b.Money.Disputes) > 0 {
		out = append(out, disputeNote(c, b))
	}
	if n, wrong := booksNote(c, b.Books); wrong {
		out = append(out, n)
	}
	return out
}

// booksNote describes a problem of the connection to the accounting provider, or of documents.
func booksNote(c *desk.Call, a accounting.Attention) (moneyNote, bool) {
	sh := c.UI
	switch {
	case a.Reconnect:
		return moneyNote{
			Tone: "bad", Title: sh.T("Reconnect Ledger Online: daily entries wait."),
			Text: sh.T("It no longer accepts the connection to {company}. Pending documents are posted after you reconnect.",
				"company", a.CompanyName),
			Button: sh.T("Reconnect Ledger Online"), Href: c.To(desk.Accounting),
		}, true
	case a.Failed > 0:
		return moneyNote{
			Tone: "warn", Title: sh.N(a.Failed, "{n} document was not posted.", "{n} documents were not posted."),
			Text:   sh.T("Ledger Online did not accept it. Correct the cause, then retry."),
			Button: sh.T("See the reasons"), Href: c.To(desk.Accounting + "/postings"),
		}, true
	}
	return moneyNote{}, false
}

// accountNote describes a problem of the account, with a link to resolve it.
func accountNote(c *desk.Call, a billing.Connection) (moneyNote, bool) {
	sh := c.UI
	n := moneyNote{Tone: "bad", Button: sh.T("See missing details"), Href: c.To("/settings/payments")}
	switch a.Trouble() {
	case billing.TroubleDue:
		n.Tone, n.Title = "warn", sh.T("The payment processor needs information from you.")
		n.Text = sh.T("Submit it by {when}. After that customers may not be able to pay by card.", "when", sh.ShortWhen(a.DueBy))
	case billing.TroublePayouts:
		n.Tone, n.Title = "warn", sh.T("Your payouts are paused.")
		n.Text = sh.T("Customers can pay by card, but nothing is paid out to your bank until the processor has the details it needs.")
	case billing.TroubleRestricted:
		n.Title = sh.T("Customers cannot pay you by card.")
		n.Text = sh.T("The payment processor needs more details from you. Until it has them, you cannot accept cards.")
	case billing.TroubleDisconnected:
		n.Title = sh.T("Your payment account is disconnected.")
		n.Text = sh.T("It was disconnected at the payment processor. Customers cannot pay by card until you reconnect it.")
		n.Button = sh.T("Reconnect account")
	default:
		return moneyNote{}, false
	}
	return n, true
}

// disputeNote states the deadline of open disputes: one by its amount, several by their number and the first
// deadline.
func disputeNote(c *desk.Call, b board) moneyNote {
	sh, list := c.UI, b.Money.Disputes
	first := list[0]
	when := sh.ShortWhen(first.EvidenceDueBy)
	n := moneyNote{Tone: "warn", Button: sh.T("Submit evidence"), Href: c.To(desk.MoneyDisputes + "/" + first.ID.String())}
	switch {
	case len(list) > 1:
		n.Title = sh.N(len(list), "{n} dispute needs evidence.", "{n} disputes need evidence.")
		n.Text = sh.T("The first is due by {when}.", "when", when)
		n.Href = c.To(desk.MoneyDisputes)
	case first.Status == processor.DisputeWarning:
		n.Title = sh.T("A bank sent an inquiry about a payment of {amount}.", "amount", sh.Cash(first.Amount, first.Currency))
		n.Text = sh.T("Submit evidence by {when}. Without it the bank may reverse the payment.", "when", when)
	default:
		n.Title = sh.T("A payment of {amount} is disputed.", "amount", sh.Cash(first.Amount, first.Currency))
		n.Text = sh.T("Submit evidence by {when}. Without it you lose the dispute, and the customer keeps the money.", "when", when)
	}
	return n
}
