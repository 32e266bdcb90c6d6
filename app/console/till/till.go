// Package till is the cash drawer of a location: expected cash, pay in and pay out, counting; the sale of goods at the
// desk; and the settlement of payments by other methods.
package till

import (
	"cmp"
	"context"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/till"
	"foyer/app/view"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listDrawers", "/till", s.till)
	d.Form("openDrawer", "/till/open", desk.Form{Do: s.open, Show: s.till, Inputs: []string{"floatAmount"}})
	d.Page("createSale", sellAt, s.sell)
	d.Form("findGiftCard", giftAt, desk.Form{Do: s.useGiftCard, Show: s.sell, Inputs: ui.PaymentInputs})
	d.Form("createSale", sellAt, desk.Form{Do: s.charge, Show: s.sell, Inputs: ui.PaymentInputs})
	d.Page("getDrawer", "/till/drawers/:drawer", s.drawer)
	d.Form("payIn", "/till/drawers/:drawer/pay-in", desk.Form{Do: s.move(till.PayIn), Show: s.drawer, Inputs: []string{"amount", "note"}})
	d.Form("payOut", "/till/drawers/:drawer/pay-out", desk.Form{Do: s.move(till.PayOut), Show: s.drawer, Inputs: []string{"amount", "note"}})
	d.Page("closeDrawer", "/till/drawers/:drawer/count", s.askCount)
	d.Form("closeDrawer", "/till/drawers/:drawer/count", desk.Form{Do: s.count, Show: s.askCount, Inputs: []string{"countedAmount", "remainingAmount", "note"}})
	d.Form("createSettlement", "/till/settle", desk.Form{Do: s.settle, Show: s.till, Inputs: []string{"amount", "feeAmount", "note"}})
}

// drawersShown is the number of counted drawers that the screen shows.
const drawersShown = 20

// deskMoney is a location's money at the desk.
type deskMoney struct {
	Open        *till.Drawer
	Counted     []till.Drawer // latest first
	Remaining   int64         // float of the last one
	Currency    money.Currency
	Outstanding int64 // paid by another method, not settled
}

func (s *screens) till(c *desk.Call) (ui.Screen, error) {
	out := ui.Screen{Title: c.UI.T("Cash drawer"), Area: "sales", Tabs: desk.MoneyTabs(c, desk.MoneyTill), Sheet: true}
	if c.Location == nil {
		out.Body = placesBody(c, "/till")
		return out, nil
	}
	c.UI.Zone = civil.ZoneOrUTC(c.Location.Zone)
	var m deskMoney
	err := desk.Together(
		func() error {
			page, err := s.Till.List(c.Context(), c.Scope, till.ListInput{LocationID: c.LocationID(), Page: paging.In[paging.Moment]{Limit: drawersShown}})
			for i, d := range page.Items {
				if d.Count == nil {
					m.Open = &page.Items[i]
				} else {
					m.Counted = append(m.Counted, d)
				}
			}
			if len(m.Counted) > 0 {
				m.Remaining = m.Counted[0].Count.RemainingAmount
			}
			return err
		},
		func() (err error) {
			m.Currency, m.Outstanding, err = s.Till.Outstanding(c.Context(), c.Scope, c.LocationID())
			return err
		},
	)
	out.Lead, out.Acts, out.Body = c.Location.Name, tillActs(c), tillBody(c, m)
	return out, err
}

// of identifies the drawer of the address at the selected location.
func of(c *desk.Call) (till.Of, error) {
	if c.Location == nil {
		return till.Of{}, fault.Missing()
	}
	id, err := c.ID("drawer")
	return till.Of{LocationID: c.Location.ID, DrawerID: id}, err
}

// amounts reads fields of money in the location's currency; an empty one is 0.
func amounts(c *desk.Call, names ...string) (uuid.UUID, []int64, error) {
	if c.Location == nil {
		return uuid.Nil, nil, fault.Missing()
	}
	out := make([]int64, len(names))
	for i, name := range names {
		minor, err := c.Amount(name, c.Location.Currency)
		if err != nil {
			return uuid.Nil, nil, err
		}
		if minor != nil {
			out[i] = *minor
		}
	}
	return c.Location.ID, out, nil
}

func (s *screens) open(c *desk.Call, ctx context.Context) (desk.Done, error) {
	place, a, err := amounts(c, "floatAmount")
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Till.Open(ctx, c.Scope, till.OpenInput{LocationID: place, FloatAmount: a[0]})
	return desk.Done{To: c.To("/till"), Said: c.UI.T("Opened the drawer with a float of {amount}.", "amount", c.UI.Cash(d.FloatAmount, d.Currency))}, err
}

func (s *screens) drawer(c *desk.Call) (ui.Screen, error) {
	o, err := of(c)
	if err != nil {
		return ui.Screen{}, err
	}
	d, moves, err := s.Till.Get(c.Context(), c.Scope, o)
	c.UI.Zone = civil.ZoneOrUTC(d.Zone)
	return ui.Screen{
		Title: c.UI.T("Drawer opened {when}", "when", c.UI.ShortWhen(d.CreatedAt)), Lead: d.LocationName, Area: "sales",
		Up: &view.Link{Text: c.UI.T("Cash drawer"), Href: c.To("/till")}, Body: drawerBody(c, d, moves), Sheet: true,
	}, err
}

func (s *screens) move(kind till.TransactionKind) func(*desk.Call, context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		o, err := of(c)
		if err != nil {
			return desk.Done{}, err
		}
		_, a, err := amounts(c, "amount")
		if err != nil {
			return desk.Done{}, err
		}
		d, err := s.Till.RecordCash(ctx, c.Scope, till.TransactionInput{Of: o, Kind: kind, Amount: a[0], Note: c.Value("note")})
		return desk.Done{
			To: c.To("/till/drawers/" + o.DrawerID.String()), Said: c.UI.T("Expected in the drawer now: {amount}.", "amount", c.UI.Cash(d.Expected(), d.Currency)),
		}, err
	}
}

func (s *screens) askCount(c *desk.Call) (ui.Screen, error) {
	o, err := of(c)
	if err != nil {
		return ui.Screen{}, err
	}
	d, _, err := s.Till.Get(c.Context(), c.Scope, o)
	if err == nil && d.Count != nil {
		err = till.ErrClosed
	}
	return ui.Screen{
		Title: c.UI.T("Count drawer"), Lead: d.LocationName, Area: "sales", Up: &view.Link{Text: c.UI.T("Cash drawer"), Href: c.To("/till")},
		Body: countBody(c, d), Sheet: true,
	}, err
}

func (s *screens) count(c *desk.Call, ctx context.Context) (desk.Done, error) {
	o, err := of(c)
	if err != nil {
		return desk.Done{}, err
	}
	_, a, err := amounts(c, "countedAmount", "remainingAmount")
	if err != nil {
		return desk.Done{}, err
	}
	in := till.CountInput{Of: o, CountedAmount: a[0], RemainingAmount: a[1], Note: c.Value("note")}
	if expected, err := strconv.ParseInt(c.Value("expected"), 10, 64); err == nil {
		in.ExpectedAmount = &expected
	}
	d, err := s.Till.Count(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, err
	}
	text, _ := difference(c.UI, d)
	return desk.Done{To: c.To("/till"), Said: view.Joined(" ", c.UI.T("Drawer counted."), text)}, nil
}

func (s *screens) settle(c *desk.Call, ctx context.Context) (desk.Done, error) {
	place, a, err := amounts(c, "amount", "feeAmount")
	if err != nil {
		return desk.Done{}, err
	}
	got, err := s.Till.RecordSettlement(ctx, c.Scope, till.SettlementInput{LocationID: place, Amount: a[0], FeeAmount: a[1], Note: c.Value("note")})
	return desk.Done{To: c.To("/till"), Said: c.UI.T("Recorded a settlement of {amount}.", "amount", c.UI.Cash(got.Amount, got.Currency))}, err
}

// difference renders the over or short amount of a counted drawer.
func difference(sh ui.Shell, d till.Drawer) (string, ui.Tone) {
	switch n := d.Count.Difference(); cmp.Compare(n, 0) {
	case -1:
		return sh.T("{amount} short.", "amount", sh.Cash(-n, d.Currency)), "bad"
	case 1:
		return sh.T("{amount} over.", "amount", sh.Cash(n, d.Currency)), "warn"
	}
	return sh.T("No difference."), "ok"
}

// sums returns the cash in and out of a drawer.
func sums(sh ui.Shell, d till.Drawer) []ui.Fact {
	some := func(minor int64) string { return sh.Some(minor, d.Currency) }
	return []ui.Fact{
		{Name: sh.T("Opening float"), Text: sh.Cash(d.FloatAmount, d.Currency)},
		{Name: sh.T("Cash payments"), Text: some(d.PaidAmount)},
		{Name: sh.T("Cash refunds"), Text: some(d.RefundedAmount)},
		{Name: sh.T("Pay in"), Text: some(d.InAmount)},
		{Name: sh.T("Pay out"), Text: some(d.OutAmount)},
		{Name: sh.T("Expected"), Text: sh.Cash(d.Expected(), d.Currency)},
	}
}
