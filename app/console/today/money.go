package today

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/billing"
)

// moneyNote is something about the studio's money that does not wait.
type moneyNote struct {
	Tone         ui.Tone
	Title, Text  string
	Button, Href string
}

// moneyNotes are what is wrong with the account, and what a bank has to be answered. What the caller cannot mend was not read.
func moneyNotes(c *desk.Call, b board) (out []moneyNote) {
	if n, wrong := accountNote(c, b.Money.Account); wrong {
		out = append(out, n)
	}
	if len(b.Money.Disputes) > 0 {
		out = append(out, disputeNote(c, b))
	}
	return out
}

// accountNote says what is wrong with the account, and leads to where it is mended.
func accountNote(c *desk.Call, a billing.Connection) (moneyNote, bool) {
	sh := c.UI
	n := moneyNote{Tone: "bad", Button: sh.T("See what is missing"), Href: c.To("/settings/payments")}
	switch a.Trouble() {
	case billing.TroubleDue:
		n.Tone, n.Title = "warn", sh.T("The payment processor needs something from you.")
		n.Text = sh.T("Give it by {when}. After that customers may not be able to pay by card.", "when", sh.ShortWhen(a.DueBy))
	case billing.TroublePayouts:
		n.Tone, n.Title = "warn", sh.T("Your payouts are paused.")
		n.Text = sh.T("Customers can pay by card, but no money reaches your bank until the processor has what it asks for.")
	case billing.TroubleRestricted:
		n.Title = sh.T("Customers cannot pay you by card.")
		n.Text = sh.T("The payment processor needs something from you. Until it has that, it takes no cards.")
	case billing.TroubleDisconnected:
		n.Title = sh.T("Your payment account is disconnected.")
		n.Text = sh.T("It was disconnected at the payment processor. Customers cannot pay by card until you connect it again.")
		n.Button = sh.T("Connect it again")
	default:
		return moneyNote{}, false
	}
	return n, true
}

// disputeNote says until when banks have to be answered: one by its amount, several by their number and the first deadline.
func disputeNote(c *desk.Call, b board) moneyNote {
	sh, list := c.UI, b.Money.Disputes
	first := list[0]
	when := sh.ShortWhen(first.EvidenceDueBy)
	n := moneyNote{Tone: "warn", Button: sh.T("Answer the bank"), Href: c.To(desk.MoneyDisputes + "/" + first.ID.String())}
	switch {
	case len(list) > 1:
		n.Title = sh.N(len(list), "{n} bank waits for your answer.", "{n} banks wait for your answer.")
		n.Text = sh.T("The first by {when}.", "when", when)
		n.Href = c.To(desk.MoneyDisputes)
	case first.Status == billing.DisputeWarning:
		n.Title = sh.T("A bank asks about a payment of {amount}.", "amount", sh.Cash(first.Amount, first.Currency))
		n.Text = sh.T("Answer by {when}. Without an answer the bank may take the money.", "when", when)
	default:
		n.Title = sh.T("A bank wants {amount} back.", "amount", sh.Cash(first.Amount, first.Currency))
		n.Text = sh.T("Answer by {when}. Without an answer the customer keeps the money.", "when", when)
	}
	return n
}
