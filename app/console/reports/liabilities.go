package reports

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/report"
	"foyer/billing/ledger"
)

func (s *screens) liabilities(c *desk.Call) (ui.Screen, error) {
	in := rangeOf(c)
	r, err := s.Report.Liabilities(c.Context(), c.Scope, in)
	if err != nil && c.Refused(err, []string{"from", "to", "by"}) {
		err = nil
	}
	return ui.Screen{
		Title: c.UI.T("Liabilities"), Lead: c.UI.T("Account credit and sales tax payable"), Area: area,
		Tabs: desk.ReportTabs(c, desk.ReportLiabilities), Body: liabilitiesBody(c, in, r), Wide: true,
	}, err
}

func (s *screens) liabilityTable(c *desk.Call) error {
	r, err := s.Report.Liabilities(c.Context(), c.Scope, rangeOf(c))
	if err != nil {
		return err
	}
	return send(c, "liabilities", r.Range, r.CSV())
}

// liability renders the name of a liability.
func liability(sh ui.Shell, l report.LiabilitySums) string {
	switch {
	case l.Category == report.SalesTax:
		return l.Name + " · " + sh.Lang().Percent(l.PPM)
	case ledger.Account(l.Category) == ledger.Credit:
		return sh.T("Account credit")
	case ledger.Account(l.Category) == ledger.GiftCards:
		return sh.T("Gift cards")
	case ledger.Account(l.Category) == ledger.DeferredPack:
		return sh.T("Unearned packs")
	case ledger.Account(l.Category) == ledger.DeferredMembership:
		return sh.T("Unearned passes")
	}
	return l.Name
}
