package payouts

import (
	"errors"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/billing"
)

// standsNow says in sentences how a dispute stands, and what that does to the money.
func standsNow(c *desk.Call, d disputed) []string {
	sh := c.UI
	amount := sh.Cash(d.Amount, d.Currency)
	switch {
	case d.Status == billing.DisputeWon:
		return []string{sh.T("You won: the money is on your balance at the processor again.")}
	case d.Status == billing.DisputeLost:
		return []string{sh.T("You lost: the customer keeps the money.")}
	case d.Status.Over():
		return []string{sh.T("The bank’s question is settled. No money has moved.")}
	case !d.Answer.TakenAt.IsZero():
		return []string{sh.T("You handed the answer in on {when}. The bank looks at it, and decides.", "when", sh.ShortWhen(d.Answer.SubmittedAt))}
	case !d.Answer.SubmittedAt.IsZero():
		return []string{sh.T("You handed the answer in on {when}. It is on its way to the bank.", "when", sh.ShortWhen(d.Answer.SubmittedAt))}
	case !d.Status.Awaits():
		return []string{sh.T("It was answered at the processor. The bank looks at it, and decides.")}
	case errors.Is(d.Shut, billing.ErrDisputeLate):
		return []string{sh.T("The time to answer was over on {when}. The bank decides without an answer.", "when", sh.ShortWhen(d.EvidenceDueBy))}
	case d.Status == billing.DisputeWarning:
		return []string{sh.T("The bank asks about the payment. No money has moved yet. Without an answer it may take {amount}.", "amount", amount)}
	}
	return []string{sh.T("The bank has taken {amount} back. Without an answer the customer keeps it.", "amount", amount)}
}

// disputeFacts are what is known of it, in short.
func disputeFacts(c *desk.Call, d disputed) []ui.Fact {
	sh := c.UI
	name, what := disputer(sh, d.Sold, d.Dispute)
	customer := ui.Fact{Name: sh.T("Customer"), Text: name}
	if b, known := d.Sold[d.OrderID]; known {
		customer.Href = c.To("/bookings/" + b.BookingID.String())
	}
	return []ui.Fact{
		customer,
		{Name: sh.T("What it was for"), Text: what},
		{Name: sh.T("Reason"), Text: reasonWords(d.Reason)},
		{Name: sh.T("Since"), Text: sh.ShortWhen(d.HappenedAt)},
		{Name: sh.T("Fee of the processor"), Text: sh.Some(d.FeeAmount, d.Currency)},
		{Name: sh.T("At the processor"), Text: d.ExternalID},
	}
}

// whatWasSaid is the heading of an answer that can only be read.
func whatWasSaid(sh ui.Shell, d disputed) string {
	switch {
	case d.Answer.SubmittedAt.IsZero() && d.Shut == nil:
		return sh.T("The draft")
	case d.Answer.SubmittedAt.IsZero():
		return sh.T("The draft that was not handed in")
	}
	return sh.T("What the bank was told")
}
