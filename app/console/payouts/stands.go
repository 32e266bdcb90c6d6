package payouts

import (
	"errors"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// standsNow renders the state of a dispute in sentences, with its effect on the balance.
func standsNow(c *desk.Call, d disputed) []string {
	sh := c.UI
	amount := sh.Cash(d.Amount, d.Currency)
	switch {
	case d.Status == processor.DisputeWon:
		return []string{sh.T("Dispute won: the amount is back in your balance at the processor.")}
	case d.Status == processor.DisputeLost:
		return []string{sh.T("Dispute lost: the customer keeps the money.")}
	case d.Status.Over():
		return []string{sh.T("The bank’s inquiry is closed. No funds were withdrawn.")}
	case !d.Answer.AcceptedAt.IsZero():
		return []string{sh.T("You submitted evidence on {when}. The bank reviews it and decides.", "when", sh.ShortWhen(d.Answer.SubmittedAt))}
	case !d.Answer.SubmittedAt.IsZero():
		return []string{sh.T("You submitted evidence on {when}. It is on its way to the bank.", "when", sh.ShortWhen(d.Answer.SubmittedAt))}
	case !d.Status.Awaits():
		return []string{sh.T("Evidence was submitted at the processor. The bank reviews it and decides.")}
	case errors.Is(d.Shut, dispute.ErrLate):
		return []string{sh.T("The deadline for evidence was {when}. The bank decides without evidence.", "when", sh.ShortWhen(d.EvidenceDueBy))}
	case d.Status == processor.DisputeWarning:
		return []string{sh.T("The bank sent an inquiry about this payment. No funds have been withdrawn yet. Without evidence, the bank may withdraw {amount}.", "amount", amount)}
	}
	return []string{sh.T("The bank withdrew {amount}. Without evidence, the customer keeps it.", "amount", amount)}
}

// disputeFacts returns the facts of a dispute, in short.
func disputeFacts(c *desk.Call, d disputed) []ui.Fact {
	sh := c.UI
	name, what := disputer(sh, d.Sold, d.Dispute)
	customer := ui.Fact{Name: sh.T("Customer"), Text: name}
	if b, known := d.Sold[d.OrderID]; known {
		customer.Href = c.To("/bookings/" + b.BookingID.String())
	}
	return []ui.Fact{
		customer,
		{Name: sh.T("Items"), Text: what},
		{Name: sh.T("Reason"), Text: reasonWords(d.Reason)},
		{Name: sh.T("Since"), Text: sh.ShortWhen(d.HappenedAt)},
		{Name: sh.T("Processor fee"), Text: sh.Some(d.FeeAmount, d.Currency)},
		{Name: sh.T("Processor ID"), Text: d.ExternalID},
	}
}

// whatWasSaid returns the heading of evidence that is read-only.
func whatWasSaid(sh ui.Shell, d disputed) string {
	switch {
	case d.Answer.SubmittedAt.IsZero() && d.Shut == nil:
		return sh.T("Evidence draft")
	case d.Answer.SubmittedAt.IsZero():
		return sh.T("Unsubmitted draft")
	}
	return sh.T("Submitted evidence")
}
