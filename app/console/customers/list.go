package customers

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// board is the list with its filter.
type board struct {
	agenda.CustomersPage
	Filter filter
	Kept   desk.Kept
}

// filter holds the parameters of the address.
type filter struct {
	Query string
	Sort  agenda.CustomerSort // empty: newest first
}

func filterOf(c *desk.Call) filter {
	f := filter{Query: c.Value("q"), Sort: agenda.CustomerSort(c.Value("sort"))}
	if f.Sort == agenda.SortNewest || !slices.Contains(f.Sort.All(), f.Sort) {
		f.Sort = ""
	}
	return f
}

// query returns the filter as an address and a view have it.
func (f filter) query() string {
	q := url.Values{}
	for name, value := range map[string]string{"q": f.Query, "sort": string(f.Sort)} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// active returns the number of active filters: an order is none, but a view can save it.
func (f filter) active() (n int) {
	for _, set := range []bool{f.Query != "", f.Sort != ""} {
		if set {
			n++
		}
	}
	return n
}

// rowsAPage is the number of customers on a page.
const rowsAPage = 50

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	b := board{Filter: filterOf(c)}
	from, _ := c.Number("from")
	err := desk.Together(
		func() (err error) {
			in := agenda.CustomersInput{Query: b.Filter.Query, Sort: b.Filter.Sort, Limit: rowsAPage, Offset: max(0, from)}
			b.CustomersPage, err = s.Agenda.Customers(c.Context(), c.Scope, in)
			if err != nil && c.Refused(err, []string{"q"}) {
				return nil
			}
			return err
		},
		func() (err error) {
			b.Kept, err = c.Kept(business.ScreenCustomers, b.Filter.query())
			return err
		},
	)
	sc := ui.Screen{Title: c.UI.T("Customers"), Area: "customers", Body: listBody(c, b), Lead: c.UI.N(b.Total, "{n} customer", "{n} customers"), Wide: true}
	if b.Filter.Query != "" {
		sc.Lead = c.UI.N(b.Total, "{n} customer matches", "{n} customers match")
	}
	if len(b.Kept.Tabs) > 0 {
		sc.Tabs = append([]ui.Tab{{Text: c.UI.C("customers", "All"), Href: c.To("/customers"), Now: b.Filter.query() == ""}}, b.Kept.Tabs...)
	}
	if c.May("createCustomer") {
		sc.Acts = ui.Go(c.To("/customers/new"), ui.Button{Text: c.UI.T("New customer"), Icon: "plus"})
	}
	return sc, err
}

// turn returns the address of another page of the list; empty when there is none.
func (b board) turn(c *desk.Call, offset int) string {
	switch {
	case offset < 0 && b.Offset > 0:
		offset = 0
	case offset < 0 || offset >= b.Total:
		return ""
	}
	from := ""
	if offset > 0 {
		from = strconv.Itoa(offset)
	}
	return c.To("/customers", "q", b.Filter.Query, "sort", string(b.Filter.Sort), "from", from)
}

// by returns a sortable column: by first, or in reverse order if there is one.
func (b board) by(c *desk.Call, text string, num bool, first, second agenda.CustomerSort, directions ...string) ui.Col {
	col := ui.Col{Text: text, Num: num}
	to := first
	switch now := b.Filter.Sort; now {
	case first:
		col.Dir, to = directions[0], second
	case second:
		col.Dir = directions[1]
	}
	col.Sort = c.To("/customers", "q", b.Filter.Query, "sort", string(to))
	return col
}

// cols returns the columns: bookings and amounts due only with the right to see bookings.
func (b board) cols(c *desk.Call) []ui.Col {
	sh := c.UI
	out := []ui.Col{b.by(c, sh.T("Name"), false, agenda.SortName, "", "ascending", "")}
	if c.May("listBookings") {
		out = append(out,
			b.by(c, sh.T("Next booking"), false, agenda.SortNext, "", "ascending", ""),
			b.by(c, sh.T("Last booking"), false, agenda.SortLast, "", "descending", ""),
			ui.Col{Text: sh.T("Bookings"), Num: true},
			b.by(c, sh.T("Balance due"), true, agenda.SortByBalance, "", "descending", ""),
		)
	}
	return append(out, b.by(c, sh.T("Since"), false, "", agenda.SortOldest, "descending", "ascending"))
}

// sorts returns the orders, for a phone, as it has no headings.
func sorts(c *desk.Call) []ui.Option {
	sh := c.UI
	out := []ui.Option{
		{Text: sh.T("Newest first")}, {Value: string(agenda.SortOldest), Text: sh.T("Oldest first")}, {Value: string(agenda.SortName), Text: sh.T("Name A–Z")},
	}
	if c.May("listBookings") {
		out = append(out, ui.Option{Value: string(agenda.SortNext), Text: sh.T("Next booking")},
			ui.Option{Value: string(agenda.SortLast), Text: sh.T("Last booking")}, ui.Option{Value: string(agenda.SortByBalance), Text: sh.T("Highest balance due")})
	}
	return out
}

// on renders an instant in the time zone of its location; empty for none.
func on(c *desk.Call, at *time.Time, zone string) string {
	if at == nil {
		return ""
	}
	w := c.UI.Words
	w.Zone = civil.ZoneOrUTC(zone)
	return w.ShortWhen(*at)
}

// sums renders a customer's balance due, in each currency.
func sums(sh ui.Shell, list []agenda.AmountDue) string {
	out := ""
	for _, o := range list {
		out = view.Joined(" + ", out, sh.Money(view.Price{Minor: o.Amount, Currency: o.Currency}))
	}
	return out
}
