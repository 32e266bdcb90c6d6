// Package payouts is the money on its way from the processor to the studio's bank account, the reconciliation with
// the processor, and disputes.
package payouts

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/billing/balance"
	"foyer/billing/dispute"
)

const (
	area       = "sales"
	rowsAPage  = 50
	listPath   = desk.MoneyPayouts
	disputesAt = desk.MoneyDisputes
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listPayouts", listPath, s.list)
	d.Page("getPayout", listPath+"/:payout", s.one)
	d.Page("listDisputes", disputesAt, s.disputes)
	s.answers(d)
}

// list shows the payouts, below the reconciliation.
func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	in := balance.PayoutsInput{}
	t := desk.TurnOf[paging.Moment](c, "payouts")
	if t.Back { // the list is read from the latest on
		t.Key = nil
	}
	in.Page = t.In(rowsAPage)
	page, err := s.Balance.Payouts(c.Context(), c.Scope, in)
	if err != nil {
		return ui.Screen{}, err
	}
	tied, err := s.Balance.Reconciliations(c.Context(), c.Scope)
	t.Back = false
	leaf := desk.LeafOf(c, t, page, func(p balance.Payout) paging.Moment { return paging.Moment{At: p.HappenedAt, ID: p.ID} })
	if leaf.Previous != "" {
		leaf.Previous = c.With("after", "", "before", "")
	}
	return ui.Screen{
		Title: c.UI.T("Payouts"), Lead: c.UI.T("Transfers from the processor to your bank account"), Area: area, Tabs: desk.MoneyTabs(c, listPath),
		Body: listBody(c, leaf, tied), Wide: true,
	}, err
}

// one is a payout with its balance transactions.
func (s *screens) one(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("payout")
	if err != nil {
		return ui.Screen{}, err
	}
	p, err := s.Balance.Payout(c.Context(), c.Scope, id)
	if err != nil {
		return ui.Screen{}, err
	}
	var orders []uuid.UUID
	for _, l := range p.Lines {
		if l.OrderID != uuid.Nil {
			orders = append(orders, l.OrderID)
		}
	}
	sold, err := s.sold(c, orders)
	return ui.Screen{
		Title: c.UI.T("Payout of {amount}", "amount", c.UI.Cash(p.Amount, p.Currency)), Lead: arrival(c, p.Payout), Area: area,
		Up: &view.Link{Text: c.UI.T("Payouts"), Href: c.To(listPath)}, Body: oneBody(c, p, sold), Wide: true,
	}, err
}

// disputes lists the open ones, or all.
func (s *screens) disputes(c *desk.Call) (ui.Screen, error) {
	all := c.Value("all") != ""
	in := dispute.ListInput{Open: !all}
	t := desk.TurnOf[paging.Moment](c, "disputes", all)
	if t.Back {
		t.Key = nil
	}
	in.Page = t.In(rowsAPage)
	page, err := s.Disputes.List(c.Context(), c.Scope, in)
	if err != nil {
		return ui.Screen{}, err
	}
	t.Back = false
	leaf := desk.LeafOf(c, t, page, func(d dispute.Dispute) paging.Moment { return paging.Moment{At: d.HappenedAt, ID: d.ID} })
	if leaf.Previous != "" {
		leaf.Previous = c.With("after", "", "before", "")
	}
	var orders []uuid.UUID
	for _, d := range leaf.Items {
		if d.OrderID != uuid.Nil {
			orders = append(orders, d.OrderID)
		}
	}
	sold, err := s.sold(c, orders)
	return ui.Screen{
		Title: c.UI.T("Disputes"), Lead: c.UI.T("Payments disputed by customers' banks"), Area: area, Tabs: desk.MoneyTabs(c, disputesAt),
		Body: disputesBody(c, leaf, sold, all), Wide: true,
	}, err
}

// sold returns the items of orders, if the caller may see bookings.
func (s *screens) sold(c *desk.Call, orders []uuid.UUID) (map[uuid.UUID]order.Bought, error) {
	if !c.May("listBookings") {
		return nil, nil
	}
	return s.Orders.Bought(c.Context(), c.Scope, orders)
}

// calendarDay renders a date without a zone.
func calendarDay(sh ui.Shell, at time.Time) string {
	w := sh.Words
	w.Zone = time.UTC
	return w.Day(at)
}
