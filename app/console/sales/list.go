package sales

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/policy"
)

// board is the list with its filter.
type board struct {
	desk.Leaf[sales.Payment]
	Filter filter
	Today  bool // the caller sees today's payments only
}

// filter holds the parameters of the address.
type filter struct {
	Method          sales.Method
	State           sales.State
	Span            string // one of spans; empty: any day
	From, To        string // first and last day, as dates; empty: none
	Customer, Order uuid.UUID
}

// rowsAPage is the number of payments on a page.
const rowsAPage = 50

// Spans of days; dates are individually chosen days.
const (
	today, yesterday, week, month = "today", "yesterday", "week", "month"
	dates                         = "dates"
)

// filterOf reads the filter. The days are those of each location's own calendar, and today is that of the selected
// location.
func filterOf(c *desk.Call) filter {
	f := filter{
		Method: sales.Method(c.Value("method")), State: sales.State(c.Value("state")), Span: c.Value("span"),
		Customer: c.UUID("customer"), Order: c.UUID("order"),
	}
	if !f.Method.Valid() {
		f.Method = ""
	}
	if !f.State.Valid() {
		f.State = ""
	}
	now := civil.LocalDate(c.Desk.Clock.Now(), c.Zone())
	days := func(from, to int) { f.From, f.To = now.AddDays(from).String(), now.AddDays(to).String() }
	switch f.Span {
	case today:
		days(0, 0)
	case yesterday:
		days(-1, -1)
	case week:
		days(-6, 0)
	case month:
		days(-29, 0)
	default:
		f.days(c)
	}
	return f
}

// days reads individually chosen days.
func (f *filter) days(c *desk.Call) {
	for name, into := range map[string]*string{"from": &f.From, "to": &f.To} {
		if d, err := civil.ParseDate(c.Value(name)); err == nil {
			*into = d.String()
		}
	}
	if f.Span != dates {
		f.Span = ""
	}
	if f.From != "" || f.To != "" {
		f.Span = dates
	}
}

// active returns the number of active filters.
func (f filter) active() int {
	n := 0
	for _, set := range []bool{f.Method != "", f.State != "", f.Span != "" && (f.Span != dates || f.From+f.To != ""), f.Customer != uuid.Nil, f.Order != uuid.Nil} {
		if set {
			n++
		}
	}
	return n
}

// input returns the verb's input.
func (f filter) input(c *desk.Call, page paging.In[paging.Moment]) sales.ListInput {
	in := sales.ListInput{Method: f.Method, State: f.State, CustomerID: f.Customer, OrderID: f.Order, LocationID: c.LocationID(), Page: page}
	in.From, _ = civil.ParseDate(f.From)
	in.To, _ = civil.ParseDate(f.To)
	return in
}

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	b := board{Filter: filterOf(c), Today: onlyToday(c)}
	t := desk.TurnOnward[paging.Moment](c, "sales", c.LocationID(), b.Filter)
	page, err := s.Sales.List(c.Context(), c.Scope, b.Filter.input(c, t.In(rowsAPage)))
	if err != nil && c.Refused(err, []string{"from", "to"}) {
		err = nil
	}
	b.Leaf = desk.LeafOf(c, t, page, func(p sales.Payment) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} })
	return ui.Screen{Title: c.UI.T("Sales"), Lead: b.about(c), Area: "sales", Tabs: desk.MoneyTabs(c, desk.MoneySales), Body: listBody(c, b), Wide: true}, err
}

// onlyToday reports whether the caller sees today's payments only, at the selected location.
func onlyToday(c *desk.Call) bool {
	full := policy.WhereFull(c.Scope, policy.PaymentView)
	if c.Location != nil {
		return !full.At(c.LocationID())
	}
	return !full.Everywhere && len(full.Locations) == 0
}

// about describes the list's customer, if it has one, and the payments not shown.
func (b board) about(c *desk.Call) string {
	switch {
	case b.Filter.Customer != uuid.Nil && len(b.Items) > 0:
		return c.UI.T("Customer: {name}", "name", who(c.UI, b.Items[0]))
	case b.Today:
		return c.UI.T("Today's payments")
	}
	return ""
}

// sums are the totals of the rows shown, in one currency.
type sums struct {
	Currency                  money.Currency
	Gross, Refunds, Fees, Net int64
	Unknown                   bool // the processor fee of some is not known yet
}

// totals adds up the rows shown, by currency.
func (b board) totals() []sums {
	var out []sums
	for _, p := range b.Items {
		if !p.State.Succeeded() {
			continue
		}
		i := slices.IndexFunc(out, func(s sums) bool { return s.Currency == p.Currency })
		if i < 0 {
			i, out = len(out), append(out, sums{Currency: p.Currency})
		}
		s := &out[i]
		s.Gross, s.Refunds, s.Fees = s.Gross+p.Amount, s.Refunds+p.Refunded, s.Fees+p.FeeAmount-p.FeeRefunded
		if p.ProcessorFee != nil {
			s.Fees += *p.ProcessorFee
		} else {
			s.Unknown = true
		}
		s.Net = s.Gross - s.Refunds - s.Fees
	}
	return out
}

// methods and states are the choices of the filters.
func methods(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Text: sh.T("Any method")}, {Value: string(sales.ByCard), Text: sh.T("Card")}, {Value: string(sales.Cash), Text: sh.C("payment", "Cash")},
		{Value: string(sales.Other), Text: sh.C("payment", "Other")}, {Value: string(sales.Credit), Text: sh.C("payment", "Account credit")},
		{Value: string(sales.Gift), Text: sh.C("payment", "Gift card")},
	}
}

func states(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Any status")}}
	for _, s := range sales.State("").All() {
		text, _ := state(sh, s)
		out = append(out, ui.Option{Value: string(s), Text: text})
	}
	return out
}

func spans(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Text: sh.T("Any day")}, {Value: today, Text: sh.T("Today")}, {Value: yesterday, Text: sh.T("Yesterday")}, {Value: week, Text: sh.T("Last 7 days")},
		{Value: month, Text: sh.T("Last 30 days")}, {Value: dates, Text: sh.T("From … to …")},
	}
}
