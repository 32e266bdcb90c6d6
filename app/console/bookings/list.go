package bookings

import (
	"strings"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/view"
)

// board is the list with what it is cut down to.
type board struct {
	desk.Leaf[booking.StudioBooking]
	Filter    filter
	Offerings []catalog.Brief
	People    []catalog.Named
}

// filter is what the address asks for.
type filter struct {
	Offering, Member, Group uuid.UUID
	State                   booking.State
	From, To                string // first and last day, as dates; empty: none
	Latest                  bool   // the latest start first
	Only                    string // ids of certain bookings, one after the other; empty: all
}

// rowsAPage is how many bookings a page shows.
const rowsAPage = 50

// filterOf reads it. The days are those of the place's calendar.
func filterOf(c *desk.Call) filter {
	f := filter{Offering: c.UUID("offering"), Member: c.UUID("member"), Group: c.UUID("group"), State: booking.State(c.Value("state"))}
	for name, into := range map[string]*string{"from": &f.From, "to": &f.To} {
		if d, err := civil.ParseDate(c.Value(name)); err == nil {
			*into = d.String()
		}
	}
	f.Only = strings.Join(c.Values("booking"), ",")
	if !f.State.Valid() {
		f.State = ""
	}
	f.Latest = c.Value("order") == "latest" || c.Value("order") == "" && f.From == "" && f.State != booking.Requested
	return f
}

// input is what the verb is asked for.
func (f filter) input(c *desk.Call, t desk.Turn[paging.Moment]) booking.ListInput {
	in := booking.ListInput{
		LocationID: c.PlaceID(), OfferingID: f.Offering, MemberID: f.Member, GroupID: f.Group, State: f.State,
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

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	b := board{Filter: filterOf(c)}
	t := desk.TurnOf[paging.Moment](c, "bookings", c.PlaceID(), b.Filter)
	err := desk.Together(
		func() error {
			page, err := s.Booking.List(c.Context(), c.Scope, b.Filter.input(c, t))
			b.Leaf = desk.LeafOf(c, t, page, func(b booking.StudioBooking) paging.Moment { return paging.Moment{At: b.StartsAt, ID: b.ID} })
			return err
		},
		func() (err error) {
			b.Offerings, err = s.Catalog.Briefs(c.Context(), c.Scope, catalog.BriefsInput{LocationID: c.PlaceID(), Limit: paging.Max})
			return err
		},
		func() (err error) {
			b.People, err = s.people(c)
			return err
		},
	)
	return ui.Screen{
		Title: c.UI.T("Bookings"), Area: "bookings", Acts: listActs(c), Tabs: b.Filter.views(c), Body: listBody(c, b), Wide: true,
	}, err
}

// people are those of the team who give something, for a choice.
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

// views are the lists that a studio looks at again and again, each an address.
func (f filter) views(c *desk.Call) []ui.Tab {
	sh := c.UI
	today := civil.LocalDate(c.Desk.Clock.Now(), c.Zone())
	tomorrow := today.AddDays(1)
	end := today.AddDays(6)
	day := func(d civil.Date) string { return d.String() }
	tab := func(text string, now bool, params ...string) ui.Tab {
		return ui.Tab{Text: text, Href: c.To("/bookings", params...), Now: now}
	}
	span := func(from, to civil.Date) bool { return f.State == "" && f.From == from.String() && f.To == to.String() }
	tabs := []ui.Tab{
		tab(sh.C("bookings", "All"), !f.any()),
		tab(sh.T("Today"), span(today, today), "from", day(today), "to", day(today)),
		tab(sh.T("Tomorrow"), span(tomorrow, tomorrow), "from", day(tomorrow), "to", day(tomorrow)),
		tab(sh.T("Next 7 days"), span(today, end), "from", day(today), "to", day(end)),
		tab(sh.T("Requests"), f.State == booking.Requested, "state", string(booking.Requested)),
		tab(sh.T("No-shows"), f.State == booking.NoShow, "state", string(booking.NoShow)),
		tab(sh.T("Cancelled late"), f.State == booking.LateCancelled, "state", string(booking.LateCancelled)),
	}
	if c.May("listPenalties") {
		tabs = append(tabs, ui.Tab{Text: sh.T("Fees in review"), Href: c.To("/bookings/fees")})
	}
	return tabs
}

// any tells whether the list is cut down.
func (f filter) any() bool { return f != filter{Latest: f.Latest} }

// states are the choices of the filter.
func states(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Any state")}}
	for _, s := range booking.State("").All() {
		if s != booking.Held && s != booking.Expired {
			text, _ := ui.State(sh, s)
			out = append(out, ui.Option{Value: string(s), Text: text})
		}
	}
	return out
}

// order is the address of the other order.
func (f filter) order(c *desk.Call) (href, direction string) {
	if f.Latest {
		return c.With("order", "earliest", "after", "", "before", ""), "descending"
	}
	return c.With("order", "latest", "after", "", "before", ""), "ascending"
}

// due is what a row says about money: what a booking costs.
func due(sh ui.Shell, b booking.StudioBooking) string {
	return sh.MoneyShort(view.Price{Minor: b.PriceAmount, Currency: b.Currency})
}

// rowWhen is the time of a row, on its own wall clock.
func rowWhen(c *desk.Call, b booking.StudioBooking) string {
	return wordsAt(c, b.Zone).ShortWhen(b.StartsAt)
}

// ahead tells whether a booking can be ticked: whether it is one that can still be changed.
func ahead(b booking.StudioBooking) bool { return b.State.Live() }
