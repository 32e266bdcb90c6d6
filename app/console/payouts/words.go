package payouts

import (
	"strings"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/billing"
)

// payoutState is a status of a payout in a word.
func payoutState(sh ui.Shell, s billing.PayoutStatus) (string, ui.Tone) {
	switch s {
	case billing.PayoutPaid:
		return sh.T("Arrived"), "ok"
	case billing.PayoutFailed:
		return sh.T("Failed"), "bad"
	case billing.PayoutCanceled:
		return sh.T("Given up"), ""
	}
	return sh.T("On its way"), ""
}

// arrival is when a payout arrives, or why it does not.
func arrival(c *desk.Call, p billing.Payout) string {
	day := calendarDay(c.UI, p.ArrivesOn)
	switch p.Status {
	case billing.PayoutPaid:
		return c.UI.T("Arrived on {day}", "day", day)
	case billing.PayoutFailed:
		return view.Joined(" ", c.UI.T("The bank sent it back, and the money is at the processor again."), p.FailureMessage)
	case billing.PayoutCanceled:
		return ""
	}
	return c.UI.T("Arrives on {day}", "day", day)
}

// lineFor is what a line of a payout is.
func lineFor(sh ui.Shell, c billing.Category) string {
	switch c {
	case billing.CategoryCharge:
		return sh.T("Payment")
	case billing.CategoryChargeFailure:
		return sh.T("Payment that failed")
	case billing.CategoryRefund:
		return sh.T("Refund")
	case billing.CategoryRefundFailure:
		return sh.T("Refund that did not arrive")
	case billing.CategoryDispute:
		return sh.T("Taken back by a bank")
	case billing.CategoryDisputeReversal:
		return sh.T("Dispute that was won")
	case billing.CategoryFee:
		return sh.T("Fee of the processor")
	case billing.CategoryPlatformFee:
		return sh.T("Booking fee")
	case billing.CategoryPayoutReversal:
		return sh.T("Payout that came back")
	case billing.CategoryTopup, billing.CategoryTopupReversal:
		return sh.T("From your bank account")
	case billing.CategoryHeld:
		return sh.T("Put aside by the processor")
	}
	return sh.T("Other")
}

// standing says how the books stand with the processor, for one account and currency.
func standing(sh ui.Shell, t billing.Reconciliation) (string, ui.Tone) {
	when := sh.ShortWhen(t.CheckedAt)
	holds := sh.Cash(t.Balance+t.Held, t.Currency)
	switch {
	case !t.Agrees() && t.Difference != 0:
		return sh.T("The processor holds {amount}, and your books say {books}: {difference} are unexplained. Compared {when}.", "amount", holds,
			"books", sh.Cash(t.Books, t.Currency), "difference", sh.Cash(t.Difference, t.Currency), "when", when), "bad"
	case !t.Agrees():
		return sh.T("The processor holds {amount}, as your books say, but we do not know of everything that happened there. Compared {when}.",
			"amount", holds, "when", when), "warn"
	case t.Held != 0:
		return sh.T("Your books and the processor agree: it holds {amount}, of which it has put {held} aside. Compared {when}.", "amount", holds,
			"held", sh.Cash(t.Held, t.Currency), "when", when), "ok"
	}
	return sh.T("Your books and the processor agree: it holds {amount}. Compared {when}.", "amount", holds, "when", when), "ok"
}

// disputeState is a status of a dispute in a word.
func disputeState(sh ui.Shell, s billing.DisputeStatus) (string, ui.Tone) {
	switch s {
	case billing.DisputeNeedsResponse:
		return sh.T("Answer it"), "bad"
	case billing.DisputeWarning:
		return sh.T("Inquiry: answer it"), "warn"
	case billing.DisputeUnderReview, billing.DisputeWarningReview:
		return sh.T("Being looked at"), ""
	case billing.DisputeWon:
		return sh.T("Won"), "ok"
	case billing.DisputeLost:
		return sh.T("Lost"), "bad"
	}
	return sh.T("Closed"), ""
}

// todo is what there is to do about a dispute.
func todo(c *desk.Call, d billing.Dispute) string {
	switch {
	case d.Status.Awaits() && d.SubmittedAt.IsZero() && !d.EvidenceDueBy.IsZero():
		return c.UI.T("Answer by {when}", "when", c.UI.ShortWhen(d.EvidenceDueBy))
	case d.FeeRefunded > 0:
		return c.UI.T("Nothing more: {amount} of the platform fee comes back to the studio.", "amount", c.UI.Cash(d.FeeRefunded, d.Currency))
	case d.Status.Over():
		return c.UI.T("Nothing more")
	}
	return c.UI.T("Wait for the bank")
}

// reasonWords puts a reason of the bank, "product_not_received", where a person can read it.
func reasonWords(reason string) string { return strings.ReplaceAll(reason, "_", " ") }

// dashboard is the page of a dispute on the processor's own site. The simulator has none.
func dashboard(d billing.Dispute) string {
	switch d.Env {
	case billing.EnvLive:
		return "https://dashboard.stripe.com/" + d.AccountID + "/disputes/" + d.ExternalID
	case billing.EnvTest:
		return "https://dashboard.stripe.com/" + d.AccountID + "/test/disputes/" + d.ExternalID
	}
	return ""
}

// buyer is who paid for an order, and what it was for.
func buyer(sh ui.Shell, sold map[uuid.UUID]checkout.Bought, order uuid.UUID) (name, what string) {
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

// disputer is whose payment is disputed, and what it was for, as far as the caller may know.
func disputer(sh ui.Shell, sold map[uuid.UUID]checkout.Bought, d billing.Dispute) (name, what string) {
	if d.PaymentID == uuid.Nil {
		return sh.T("A charge made without us"), ""
	}
	if name, what = buyer(sh, sold, d.OrderID); name == "" {
		name = sh.T("Payment")
	}
	return name, what
}
