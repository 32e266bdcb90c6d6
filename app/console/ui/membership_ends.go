package ui

import (
	"strconv"

	"foyer/app/plan"
)

// endFee returns what it costs to end a membership before its least number of periods; none if that cannot be done.
func endFee(sh Shell, p plan.Plan) []string {
	t := p.Terms
	amount, share := sh.Cash(t.EndAmount, p.Currency), sh.Lang().Percent(t.EndPPM)
	switch {
	case t.EndAmount > 0 && t.EndPPM > 0:
		return []string{sh.T("An earlier end costs {amount} and {share} of the remaining payments.", "amount", amount,
			"share", share)}
	case t.EndAmount > 0:
		return []string{sh.T("An earlier end costs {amount}.", "amount", amount)}
	case t.EndPPM > 0:
		return []string{sh.T("An earlier end costs {share} of the remaining payments.", "share", share)}
	}
	return nil
}

// noticeTerms returns the notice of a cancellation, and for which end it is.
func noticeTerms(sh Shell, p plan.Plan) (out []string) {
	t := p.Terms
	if t.NoticeMonths > 0 {
		out = append(out, sh.N(t.NoticeMonths, "A cancellation needs {n} month of notice.",
			"A cancellation needs {n} months of notice."))
	}
	if p.NoticeDays > 0 && t.NoticeMonths > 0 {
		out = append(out, sh.N(p.NoticeDays, "It needs {n} day more.", "It needs {n} days more."))
	} else if p.NoticeDays > 0 {
		out = append(out, sh.N(p.NoticeDays, "A cancellation needs {n} day of notice.",
			"A cancellation needs {n} days of notice."))
	}
	if t.NoticeBy > 0 {
		out = append(out, sh.T("A cancellation on or before day {n} of a month is for the end of that month.",
			"n", strconv.Itoa(t.NoticeBy)))
	}
	if t.EndsQuarter {
		out = append(out, sh.T("It ends with a quarter of the year."))
	}
	return out
}
