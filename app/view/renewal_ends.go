package view

import (
	"strconv"

	"foyer/app/plan/rules"
)

// endTerms returns sentences about how a membership renews or ends, and what a cancellation does.
func (r Renewing) endTerms(w Words) (out []string) {
	fee := r.endFee(w)
	switch {
	case r.Ends && fee == "":
		return r.withdrawal(w, w.N(r.MinPeriods,
			"The membership ends after {n} payment. It cannot be cancelled before that.",
			"The membership ends after {n} payments. It cannot be cancelled before that."))
	case r.Ends:
		return r.withdrawal(w, w.N(r.MinPeriods, "The membership ends after {n} payment.",
			"The membership ends after {n} payments."), fee)
	}
	out = append(out, w.T("The membership renews until you cancel it."))
	notice := r.notice(w)
	switch {
	case r.Terms.TermRenews:
		out = append(out, w.N(r.MinPeriods,
			"It runs for {n} payment, and then for {n} more each time, unless you cancel it before.",
			"It runs for {n} payments, and then for {n} more each time, unless you cancel it before."))
	case r.MinPeriods > 1 && notice == "" && fee == "" && r.Terms.NoticeBy == 0 && !r.Terms.EndsQuarter:
		return r.withdrawal(w, append(out, w.N(r.MinPeriods,
			"It runs for at least {n} payment. If you cancel after that, it ends with the billing period that is paid.",
			"It runs for at least {n} payments. If you cancel after that, it ends with the billing period that is paid."))...)
	case r.MinPeriods > 1 || fee != "":
		out = append(out, w.N(r.MinPeriods, "It runs for at least {n} payment.", "It runs for at least {n} payments."))
	}
	if fee != "" {
		out = append(out, fee)
	}
	out = append(out, r.cancelTerms(w, notice)...)
	return r.withdrawal(w, append(out, r.lawTerms(w)...)...)
}

// cancelTerms returns for which end a cancellation is, with its notice.
func (r Renewing) cancelTerms(w Words, notice string) []string {
	switch t := r.Terms; {
	case t.NoticeBy > 0 && t.EndsQuarter:
		return []string{w.T("To end it with a quarter of the year, cancel on or before day {n} of the quarter’s last month.",
			"n", strconv.Itoa(t.NoticeBy))}
	case t.NoticeBy > 0:
		return []string{w.T("If you cancel on or before day {n} of a month, it ends with that month, and otherwise with the "+
			"next one.", "n", strconv.Itoa(t.NoticeBy))}
	case t.EndsQuarter && notice != "":
		return []string{w.T("To end it with a quarter of the year, cancel at least {notice} before the quarter ends.",
			"notice", notice)}
	case t.EndsQuarter:
		return []string{w.T("If you cancel, it ends with the quarter of the year.")}
	case t.TermRenews && notice != "":
		return []string{w.T("To end it then, cancel at least {notice} before.", "notice", notice)}
	case t.TermRenews:
		return []string{w.T("If you cancel, it ends after these payments.")}
	case t.NoticeMonths > 0:
		return []string{w.T("To end it with a billing period, cancel at least {notice} before that period ends.",
			"notice", notice)}
	case r.NoticeDays > 0:
		return []string{w.N(r.NoticeDays, "To end it with a billing period, cancel at least {n} day before that period ends.",
			"To end it with a billing period, cancel at least {n} days before that period ends.")}
	}
	return []string{w.T("If you cancel, it ends with the billing period that is paid.")}
}

// notice returns the time between a cancellation and its end, "2 months and 5 days"; empty for none.
func (r Renewing) notice(w Words) string {
	months, days := "", ""
	if r.Terms.NoticeMonths > 0 {
		months = SpanOf(w, r.Terms.NoticeMonths, rules.Month)
	}
	if r.NoticeDays > 0 {
		days = SpanOf(w, r.NoticeDays, rules.Day)
	}
	if months != "" && days != "" {
		return w.T("{months} and {days}", "months", months, "days", days)
	}
	return months + days
}

// endFee returns what an earlier end costs; empty if it cannot be ended before.
func (r Renewing) endFee(w Words) string {
	t := r.Terms
	amount, share := w.Money(r.Shown(t.EndAmount)), w.Lang().Percent(t.EndPPM)
	switch {
	case t.EndAmount > 0 && t.EndPPM > 0:
		return w.T("You can end it before that, with the billing period that is paid, for {amount} and {share} of the "+
			"remaining payments.", "amount", amount, "share", share)
	case t.EndAmount > 0:
		return w.T("You can end it before that, with the billing period that is paid, for a fee of {amount}.",
			"amount", amount)
	case t.EndPPM > 0:
		return w.T("You can end it before that, with the billing period that is paid, for {share} of the remaining payments.",
			"share", share)
	}
	return ""
}

// lawTerms returns what the law allows beyond the terms.
func (r Renewing) lawTerms(w Words) []string {
	t := r.Terms
	if !r.Law.AnyDayAfterTerm || !t.TermRenews && !t.EndsQuarter && t.NoticeMonths+r.NoticeDays+t.NoticeBy == 0 {
		return nil
	}
	if r.MinPeriods == 0 {
		return []string{w.N(r.Law.FreeMonths, "By law, you can end it on any day, with at most {n} month of notice.",
			"By law, you can end it on any day, with at most {n} months of notice.")}
	}
	return []string{w.N(r.Law.FreeMonths,
		"By law, you can end it on any day after the first {span}, with at most {n} month of notice.",
		"By law, you can end it on any day after the first {span}, with at most {n} months of notice.",
		"span", SpanOf(w, r.MinPeriods*r.Count, r.Unit))}
}

// withdrawal adds to terms that a customer who joins can withdraw by law.
func (r Renewing) withdrawal(w Words, terms ...string) []string {
	if r.Withdrawal == 0 {
		return terms
	}
	return append(terms, w.N(r.Withdrawal,
		"You can withdraw within {n} day of joining by telling the studio. What you use until then is not refunded.",
		"You can withdraw within {n} days of joining by telling the studio. What you use until then is not refunded."))
}
