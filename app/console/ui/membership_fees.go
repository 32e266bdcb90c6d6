package ui

import "foyer/app/plan"

// feeTerms returns sentences about what a membership costs besides its price, and about the days of its charges.
func feeTerms(sh Shell, p plan.Plan) (out []string) {
	t := p.Terms
	if t.JoiningAmount > 0 {
		out = append(out, sh.T("Joining fee: {amount}, once.", "amount", sh.Cash(t.JoiningAmount, p.Currency)))
	}
	if t.OnWeekdays {
		out = append(out, sh.T("A payment that is due on a weekend is charged on the next weekday."))
	}
	if t.LateAmount > 0 {
		out = append(out, sh.N(t.LateDays, "A payment that is {n} day late costs a fee of {amount}.",
			"A payment that is {n} days late costs a fee of {amount}.", "amount", sh.Cash(t.LateAmount, p.Currency)))
	}
	return out
}

// freezeFee returns the sentence about what a freeze costs; none if it costs nothing.
func freezeFee(sh Shell, p plan.Plan) []string {
	amount := sh.Cash(p.Freeze.FeeAmount, p.Currency)
	switch {
	case p.Freeze.FeeAmount == 0:
		return nil
	case p.Freeze.FeeMonthly:
		return []string{sh.T("A freeze costs {amount} for each month that begins in it, with the next payment.",
			"amount", amount)}
	}
	return []string{sh.T("A freeze costs {amount}, with the next payment.", "amount", amount)}
}
