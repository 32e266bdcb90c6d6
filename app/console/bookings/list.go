package bookings

import (
	"net/url"
	"strings"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/view"
)

// board is the list with its filter.
type board struct {
	desk.Leaf[booking.StudioBooking]
	Lacks     map[uuid.UUID][]string // outstanding agreements, by booking
	Filter    filter
	Kept      desk.Kept
	Offerings []catalog.OfferingName
	People    []catalog.Named
}

// filter holds the parameters of the address.
type filter struct {
	Offering, Member, Group, Customer uuid.UUID
	State                             booking.State
	Span                              string // one of spans; empty: any day
	From, To                          string // first and last day, as dates; empty: none
	Latest                            bool   // latest start first
	Only                              string // ids of certain bookings, joined; empty: all
}

// rowsAPage is the number of bookings on a page.
const rowsAPage = 50

// Spans of days relative to today, so that a saved view stays current; dates are fixed days.
const (
	today, tomorrow, week, passed = "today", "tomorrow", "week", "passed"
	dates                         = "dates"
)

// filterOf reads the filter. The days are those of the location's calendar.
func filterOf(c *desk.Call) filter {
	f := filter{
		Offering: c.UUID("offering"), Member: c.UUID("member"), Group: c.UUID("group"), Customer: c.UUID("customer"),
		State: booking.State(c.Value("state")), Span: c.Value("span"),
	}
	now := civil.LocalDate(c.Desk.Clock.Now(), c.Zone())
	days := func(from, to int) { f.From, f.To = now.AddDays(from).String(), now.AddDays(to).String() }
	switch f.Span {
	case today:
		days(0, 0)
	case tomorrow:
		days(1, 1)
	case week:
		days(0, 6)
	case passed:
		days(-6, 0)
	default:
		f.days(c)
	}
	f.Only = strings.Join(c.Values("booking"), ",")
	if !f.State.Valid() {
		f.State = ""
	}
	f.Latest = c.Value("order") == "latest" || c.Value("order") == "" && (f.Span == passed || f.From == "" && f.State != booking.Requested && f.Group == uuid.Nil)
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

// input returns the verb's input.
func (f filter) input(c *desk.Call, t desk.Turn[paging.Moment]) booking.ListInput {
	in := booking.ListInput{
		LocationID: c.LocationID(), OfferingID: f.Offering, MemberID: f.Member, GroupID: f.Group, CustomerID: f.Customer, State: f.State,
		Ascending: f.Latest == t.Back, Page: t.In(rowsAPage),
	}
	if f.Only != "" {
		in.IDs = c.UUIDs("booking")
	}
	if d, err := civil.ParseDate(f.From); err == nil {
		in.From, _ = civil.DayBounds(d, c.Zone())
	}
	if d, err := civil.ParseDate(f.To); err == nil {
		_, in.To = civil.DayBounds(d, c.Zone())
	}
	return in
}

// query returns the filter as a view saves it.
func (f filter) query() string {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("offering", idText(f.Offering))
	set("member", idText(f.Member))
	set("group", idText(f.Group))
	set("customer", idText(f.Customer))
	set("state", string(f.State))
	set("span", f.Span)
	if f.Span == dates {
		set("from", f.From)
		set("to", f.To)
	}
	return q.Encode()
}

// active returns the number of active filters.
func (f filter) active() int {
	n := 0
	for _, set := range []bool{
		f.Offering != uuid.Nil, f.Member != uuid.Nil, f.Group != uuid.Nil, f.Customer != uuid.Nil, f.State != "", f.Span != "" && (f.Span != dates || f.From+f.To != ""),
		f.Only != "",
	} {
		if set {
			n++
		}
	}
	return n
}

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	b := board{Filter: filterOf(c)}
	t := desk.TurnOf[paging.Moment](c, "bookings", c.LocationID(), b.Filter)
	err := desk.Together(
		func() error {
			page, err := s.Booking.List(c.Context(), c.Scope, b.Filter.input(c, t))
			if err != nil && c.Refused(err, []string{"from", "to"}) {
				return nil
			}
			b.Leaf = desk.LeafOf(c, t, page, func(b booking.StudioBooking) paging.Moment { return paging.Moment{At: b.StartsAt, ID: b.ID} })
			if err == nil {
				b.Lacks, err = c.Lacks(b.Items)
			}
			return err
		},
		func() (err error) {
			b.Offerings, err = s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{LocationID: c.LocationID(), Limit: paging.Max})
			return err
		},
		func() (err error) {
			b.People, err = s.people(c)
			return err
		},
		func() (err error) {
			b.Kept, err = c.Kept(business.ScreenBookings, b.Filter.query())
			return err
		},
	)
	return ui.Screen{
		Title: c.UI.T("Bookings"), Area: "bookings", Lead: b.about(c), Acts: listActs(c), Tabs: append(b.Filter.views(c), b.Kept.Tabs...), Body: listBody(c, b),
		Wide: true,
	}, err
}

// about describes the list's customer, if it has one.
func (b board) about(c *desk.Call) string {
	if len(b.Items) == 0 {
		return ""
	}
	switch name := called(c.UI, b.Items[0]); {
	case b.Filter.Group != uuid.Nil:
		return c.UI.T("Recurring booking of {name}", "name", name)
	case b.Filter.Customer != uuid.Nil:
		return c.UI.T("Customer: {name}", "name", name)
	}
	return ""
}

// people returns the instructors, for a choice.
func (s *screens) people(c *desk.Call) ([]catalog.Named, error) {
	page, err := s.Business.Members(c.Context(), c.Scope, paging.In[uuid.UUID]{Limit: paging.Max})
	var out []catalog.Named
	for _, m := range page.Items {
		if m.Bookable && m.Active {
			out = append(out, catalog.Named{ID: m.ID, Name: m.Name})
		}
	}
	return out, err
}

// views returns the standard views of a studio, each an address.
func (f filter) views(c *desk.Call) []ui.Tab {
	sh := c.UI
	tab := func(text, query string) ui.Tab {
		to := c.To("/bookings")
		if query != "" {
			to += "?" + query
		}
		return ui.Tab{Text: text, Href: to, Now: f.query() == query && f.Only == ""}
	}
	in := func(s booking.State) string { return filter{State: s}.query() }
	tabs := []ui.Tab{
		tab(sh.C("bookings", "All"), ""),
		tab(sh.T("Today"), filter{Span: today}.query()),
		tab(sh.T("Tomorrow"), filter{Span: tomorrow}.query()),
		tab(sh.T("Next 7 days"), filter{Span: week}.query()),
		tab(sh.T("Requests"), in(booking.Requested)),
		tab(sh.T("No-shows"), in(booking.NoShow)),
		tab(sh.T("Cancelled late"), in(booking.LateCancelled)),
	}
	if c.May("listFees") {
		tabs = append(tabs, ui.Tab{Text: sh.T("Fees in review"), Href: c.To("/bookings/fees")})
	}
	return tabs
}

// spans returns the choices of days.
func spans(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Text: sh.T("Any day")}, {Value: today, Text: sh.T("Today")}, {Value: tomorrow, Text: sh.T("Tomorrow")}, {Value: week, Text: sh.T("Next 7 days")},
		{Value: passed, Text: sh.T("Last 7 days")}, {Value: dates, Text: sh.T("From … to …")},
	}
}

// states returns the choices of the filter.
func states(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Any status")}}
	for _, s := range booking.State("").All() {
		if s != booking.Held && s != booking.Expired {
			text, _ := ui.State(sh, s)
			out = append(out, ui.Option{Value: string(s), Text: text})
		}
	}
	return out
}

// order returns the address of the other order.
func (f filter) order(c *desk.Call) (href, direction string) {
	if f.Latest {
		return c.With("order", "earliest", "after", "", "before", ""), "descending"
	}
	return c.With("order", "latest", "after", "", "before", ""), "ascending"
}

// due renders the price of a row's booking.
func due(sh ui.Shell, b booking.StudioBooking) string {
	return sh.MoneyShort(view.Price{Minor: b.PriceAmount, Currency: b.Currency})
}

// rowWhen renders the time of a row, in its own time zone.
func rowWhen(c *desk.Call, b booking.StudioBooking) string {
	return wordsAt(c, b.Zone).ShortWhen(b.StartsAt)
}

// ahead reports whether a booking can be selected, as it can still be changed.
func ahead(b booking.StudioBooking) bool { return b.State.Live() }
