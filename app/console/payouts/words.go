package payouts

import (
	"strings"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/order"
	"foyer/app/view"
	"foyer/billing/balance"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// payoutState renders the status of a payout.
func payoutState(sh ui.Shell, s processor.PayoutStatus) (string, ui.Tone) {
	switch s {
	case processor.PayoutPaid:
		return sh.T("Arrived"), "ok"
	case processor.PayoutFailed:
		return sh.T("Failed"), "bad"
	case processor.PayoutCanceled:
		return sh.T("Payout cancelled"), ""
	}
	return sh.T("In transit"), ""
}

// arrival renders the arrival of a payout, or the reason of its failure.
func arrival(c *desk.Call, p balance.Payout) string {
	day := calendarDay(c.UI, p.ArrivesOn)
	switch p.Status {
	case processor.PayoutPaid:
		return c.UI.T("Arrived on {day}", "day", day)
	case processor.PayoutFailed:
		return view.Joined(" ", c.UI.T("Your bank returned it. The amount is back in your balance at the processor."), p.FailureMessage)
	case processor.PayoutCanceled:
		return ""
	}
	return c.UI.T("Arrives on {day}", "day", day)
}

// standing renders the reconciliation of one account and currency.
func standing(sh ui.Shell, t balance.Reconciliation) (string, ui.Tone) {
	when := sh.ShortWhen(t.CheckedAt)
	holds := sh.Cash(t.Balance+t.Held, t.Currency)
	switch {
	case !t.Reconciled() && t.Difference != 0:
		return sh.T("Not reconciled: the processor balance is {amount} and your books show {books}, an unexplained difference of {difference}. Compared {when}.", "amount", holds,
			"books", sh.Cash(t.Books, t.Currency), "difference", sh.Cash(t.Difference, t.Currency), "when", when), "bad"
	case !t.Reconciled():
		return sh.T("The processor balance of {amount} matches your books, but some balance transactions are missing from them. Compared {when}.",
			"amount", holds, "when", when), "warn"
	case t.Held != 0:
		return sh.T("Reconciled: the processor balance is {amount}, of which {held} is reserved. Compared {when}.", "amount", holds,
			"held", sh.Cash(t.Held, t.Currency), "when", when), "ok"
	}
	return sh.T("Reconciled: the processor balance is {amount}. Compared {when}.", "amount", holds, "when", when), "ok"
}

// disputeState renders the status of a dispute.
func disputeState(sh ui.Shell, s processor.DisputeStatus) (string, ui.Tone) {
	switch s {
	case processor.DisputeNeedsResponse:
		return sh.T("Needs response"), "bad"
	case processor.DisputeWarning:
		return sh.T("Inquiry: needs response"), "warn"
	case processor.DisputeUnderReview, processor.DisputeWarningReview:
		return sh.T("Under review"), ""
	case processor.DisputeWon:
		return sh.T("Won"), "ok"
	case processor.DisputeLost:
		return sh.T("Lost"), "bad"
	}
	return sh.T("Closed"), ""
}

// todo renders the next step of a dispute.
func todo(c *desk.Call, d dispute.Dispute) string {
	switch {
	case d.Status.Awaits() && d.SubmittedAt.IsZero() && !d.EvidenceDueBy.IsZero():
		return c.UI.T("Submit evidence by {when}", "when", c.UI.ShortWhen(d.EvidenceDueBy))
	case d.FeeRefunded > 0:
		return c.UI.T("No action needed. {amount} of the platform fee is refunded to the studio.", "amount", c.UI.Cash(d.FeeRefunded, d.Currency))
	case d.Status.Over():
		return c.UI.T("No action needed")
	}
	return c.UI.T("Awaiting the bank’s decision")
}

// reasonWords makes a reason of the bank, "product_not_received", readable.
func reasonWords(reason string) string { return strings.ReplaceAll(reason, "_", " ") }

// dashboard returns the page of a dispute on the processor's own site. The simulator has none.
func dashboard(d dispute.Dispute) string {
	switch d.Env {
	case processor.EnvLive:
		return "https://dashboard.stripe.com/" + d.AccountID + "/disputes/" + d.ExternalID
	case processor.EnvTest:
		return "https://dashboard.stripe.com/" + d.AccountID + "/test/disputes/" + d.ExternalID
	}
	return ""
}

// buyer returns the customer of an order, and its items.
func buyer(sh ui.Shell, sold map[uuid.UUID]order.Bought, order uuid.UUID) (name, what string) {
	b, ok := sold[order]
	if !ok {
		return "", ""
	}
	what = b.OfferingName
	if b.More > 0 {
		what = sh.N(b.More, "{what} and {n} more", "{what} and {n} more", "what", what)
	}
	return ui.Who(sh, "", b.CustomerName, ""), what
}

// disputer returns the customer of a disputed payment, and its items, as far as the caller may see them.
func disputer(sh ui.Shell, sold map[uuid.UUID]order.Bought, d dispute.Dispute) (name, what string) {
	if d.PaymentID == uuid.Nil {
		return sh.T("Charge made outside Foyer"), ""
	}
	if name, what = buyer(sh, sold, d.OrderID); name == "" {
		name = sh.T("Payment")
	}
	return name, what
}
