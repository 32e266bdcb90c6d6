package reports

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/report"
	"foyer/app/view"
)

// monthsOf is rangeOf of whole months: by default this one and the five before it.
func monthsOf(c *desk.Call) report.Range {
	in := rangeOf(c)
	if c.Value("from") == "" {
		for range 5 {
			in.From = in.From.AddDays(-1)
			in.From = in.From.AddDays(1 - in.From.Day)
		}
	}
	in.By = report.ByMonth
	return in
}

func (s *screens) memberships(c *desk.Call) (ui.Screen, error) {
	in := monthsOf(c)
	r, err := s.Report.Memberships(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to"}) {
		err = nil
	} else if err == nil {
		in = r.Range
	}
	return ui.Screen{
		Title: c.UI.T("Memberships"), Lead: c.UI.T("Members, churn and recurring income"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportMemberships), Body: membershipsBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) membershipTable(c *desk.Call) error {
	r, err := s.Report.Memberships(c.Context(), c.Scope, monthsOf(c))
	if err != nil {
		return err
	}
	return send(c, "memberships", r.Range, r.CSV())
}

// valueFigures returns the members now and their recurring value, for each currency.
func valueFigures(sh ui.Shell, totals []report.MembershipTotal) (out []ui.Figure) {
	for _, t := range totals {
		out = append(out,
			ui.Figure{Number: sh.Lang().Number(t.Now.Members), Text: sh.T("members now")},
			ui.Figure{Number: sh.Cash(t.Now.Monthly, t.Currency), Text: sh.T("recurring each month")},
			ui.Figure{Number: sh.Cash(t.Now.Average(), t.Currency), Text: sh.T("average per member")})
	}
	return out
}

// churn renders the churn rate; a dash without members at the start.
func churn(sh ui.Shell, m report.MembershipSums) string {
	if m.Opening == 0 {
		return "–"
	}
	return sh.Lang().Percent(m.ChurnPPM() / 1000 * 1000) // one decimal
}

// leavers renders how members have left.
func leavers(sh ui.Shell, m report.MembershipSums) string {
	var out [3]string
	if m.Canceled > 0 {
		out[0] = sh.T("{n} cancelled", "n", m.Canceled)
	}
	if m.Unpaid > 0 {
		out[1] = sh.T("{n} unpaid", "n", m.Unpaid)
	}
	if m.Completed > 0 {
		out[2] = sh.T("{n} completed", "n", m.Completed)
	}
	return view.Joined(" · ", out[:]...)
}
