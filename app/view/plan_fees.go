package view

import (
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// feeTerms returns sentences about what a membership costs besides its price, and about the days of its charges.
func (r Renewing) feeTerms(w Words) (out []string) {
	if r.Joining.Minor > 0 {
		out = append(out, w.T("Joining fee: {amount}, once.", "amount", w.Money(r.Joining)))
	}
	if r.Terms.OnWeekdays {
		out = append(out, w.T("A payment that is due on a weekend is charged on the next weekday."))
	}
	if r.Terms.LateAmount > 0 {
		out = append(out, w.N(r.Terms.LateDays, "A payment that is {n} day late costs a fee of {amount}.",
			"A payment that is {n} days late costs a fee of {amount}.", "amount", w.Money(r.Shown(r.Terms.LateAmount))))
	}
	return out
}

// FreezeFee returns what a freeze costs, by rules; empty if it costs nothing. shown renders an amount as listed.
func (w Words) FreezeFee(f rules.Freeze, shown func(int64) Price) string {
	switch {
	case f.FeeAmount == 0:
		return ""
	case f.FeeMonthly:
		return w.T("A freeze costs {amount} for each month that begins in it, with the next payment.",
			"amount", w.Money(shown(f.FeeAmount)))
	}
	return w.T("A freeze costs {amount}, with the next payment.", "amount", w.Money(shown(f.FeeAmount)))
}

// FeeNote says that a fee of a membership is paid with its next payment, or with the one that is due.
func (w Words) FeeNote(f plan.Fee, amount string) string {
	late := f.Kind == plan.LateFee
	switch {
	case f.Due && late:
		return w.T("Part of this payment: {amount}, late payment fee.", "amount", amount)
	case f.Due:
		return w.T("Part of this payment: {amount}, fee for a freeze.", "amount", amount)
	case late:
		return w.T("Added to the next payment: {amount}, late payment fee.", "amount", amount)
	}
	return w.T("Added to the next payment: {amount}, fee for a freeze.", "amount", amount)
}

// FreezeCosts says what a freeze that is to be set costs; empty if it costs nothing.
func (w Words) FreezeCosts(amount Price, monthly bool) string {
	switch {
	case amount.Minor == 0:
		return ""
	case monthly:
		return w.T("{amount} for each month that begins in the freeze, with the next payment.", "amount", w.Money(amount))
	}
	return w.T("{amount}, with the next payment.", "amount", w.Money(amount))
}
