// Package reports has the summaries of the ledger: revenue, taxes collected, the cost of payments, payouts with their
// orders, liabilities, and memberships. Each is a screen to read and print, and a table to download.
package reports

import (
	"fmt"
	"time"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/report"
	"foyer/app/web/op"
)

const area = "reports"

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("getRevenueReport", desk.ReportRevenue, s.revenue)
	d.File("downloadRevenueReport", desk.ReportRevenue+"/csv", s.revenueTable)
	d.Page("getTaxReport", desk.ReportTax, s.tax)
	d.File("downloadTaxReport", desk.ReportTax+"/csv", s.taxTable)
	d.Page("getFeeReport", desk.ReportFees, s.fees)
	d.File("downloadFeeReport", desk.ReportFees+"/csv", s.feeTable)
	d.Page("getPayoutReport", desk.ReportPayouts, s.payouts)
	d.File("downloadPayoutReport", desk.ReportPayouts+"/csv", s.payoutTable)
	d.Page("getLiabilityReport", desk.ReportLiabilities, s.liabilities)
	d.File("downloadLiabilityReport", desk.ReportLiabilities+"/csv", s.liabilityTable)
	d.Page("getMembershipReport", desk.ReportMemberships, s.memberships)
	d.File("downloadMembershipReport", desk.ReportMemberships+"/csv", s.membershipTable)
}

// rangeOf reads the range from the address: by default this month by day, at the location selected among several. The
// only location is the whole business, with its account credit.
func rangeOf(c *desk.Call) report.Range {
	today := civil.LocalDate(c.Desk.Clock.Now(), c.Zone())
	in := report.Range{From: today.AddDays(1 - today.Day), To: today, By: report.ByDay}
	if len(c.Workspace.Locations) > 1 {
		in.LocationID = c.LocationID()
	}
	for name, into := range map[string]*civil.Date{"from": &in.From, "to": &in.To} {
		if d, err := civil.ParseDate(c.Value(name)); err == nil {
			*into = d
		}
	}
	if by := c.Value("by"); by != "" {
		in.By = report.Unit(by)
	}
	return in
}

// query returns the range as parameters.
func query(in report.Range) []string {
	return []string{"from", in.From.String(), "to", in.To.String(), "by", string(in.By)}
}

func (s *screens) tax(c *desk.Call) (ui.Screen, error) {
	in := rangeOf(c)
	r, err := s.Report.Tax(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to", "by"}) {
		err = nil
	}
	return ui.Screen{
		Title: c.UI.T("Tax"), Lead: c.UI.T("Sales and refunds by tax rate"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportTax), Body: taxBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) taxTable(c *desk.Call) error {
	r, err := s.Report.Tax(c.Context(), c.Scope, rangeOf(c))
	if err != nil {
		return err
	}
	return send(c, "tax", r.Range, r.CSV())
}

func (s *screens) fees(c *desk.Call) (ui.Screen, error) {
	in := rangeOf(c)
	r, err := s.Report.Fees(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to", "by"}) {
		err = nil
	}
	return ui.Screen{
		Title: c.UI.T("Fees"), Lead: c.UI.T("Costs of your card payments"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportFees), Body: feesBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) feeTable(c *desk.Call) error {
	r, err := s.Report.Fees(c.Context(), c.Scope, rangeOf(c))
	if err != nil {
		return err
	}
	return send(c, "fees", r.Range, r.CSV())
}

func send(c *desk.Call, name string, in report.Range, table []byte) error {
	file := op.Download(fmt.Sprintf("%s-%s-%s.csv", name, in.From, in.To), table)
	c.Ctx.Set("Content-Type", "text/csv; charset=utf-8")
	c.Ctx.Set("Content-Disposition", file.Disposition)
	return c.Ctx.Send(file.Body)
}

// when renders a day, or a month, without a zone.
func when(sh ui.Shell, by report.Unit, d civil.Date) string {
	w := sh.Words
	w.Zone = time.UTC
	if by == report.ByMonth {
		return d.String()[:7]
	}
	return w.Day(d.Utc())
}

// units returns the choices for a row's unit.
func units(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Value: string(report.ByDay), Text: sh.T("By day")}, {Value: string(report.ByMonth), Text: sh.T("By month")},
	}
}

// rate returns the name of a tax.
func rate(sh ui.Shell, t report.TaxSums) string {
	if t.Name == "" {
		return sh.T("Not taxed")
	}
	return t.Name + " · " + sh.Lang().Percent(t.PPM)
}
