package catalog

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/app/words"
)

// shelf is a tab of the list.
type shelf struct {
	Key  string
	Text words.Text
	Has  func(o agenda.OfferingRow) bool
}

// shelves are the tabs. Archived offerings are in the last one only.
var shelves = []shelf{
	{"", "Classes", func(o agenda.OfferingRow) bool { return o.Kind == catalog.Class && !o.Course() }},
	{"courses", "Courses", func(o agenda.OfferingRow) bool { return o.Kind == catalog.Class && o.Course() }},
	{"appointments", "Appointments", func(o agenda.OfferingRow) bool { return o.Kind == catalog.Appointment }},
	{"rentals", "Rentals", func(o agenda.OfferingRow) bool { return o.Kind == catalog.Rental }},
	{"archived", "Archived", nil},
}

func (f shelf) has(o agenda.OfferingRow) bool {
	if f.Has == nil {
		return o.State == catalog.Archived
	}
	return o.State != catalog.Archived && f.Has(o)
}

// offers are the rows of a tab, with the next available time of those without dates.
type offers struct {
	Tab       shelf
	Rows      []agenda.OfferingRow
	Next      map[uuid.UUID]time.Time
	Query     string
	Any       bool // another tab has rows
	Locations bool // rows are of several locations
}

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	all, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: c.LocationID(), Query: c.Value("q")})
	if err != nil {
		return ui.Screen{}, err
	}
	v := offers{Tab: shelves[0], Query: c.Value("q"), Any: len(all) > 0, Locations: c.Location == nil && len(c.Workspace.Locations) > 1}
	for _, f := range shelves {
		if f.Key == c.Value("tab") {
			v.Tab = f
		}
	}
	for _, o := range all {
		if v.Tab.has(o) {
			v.Rows = append(v.Rows, o)
		}
	}
	if v.Next, err = s.free(c, v.Rows); err != nil {
		return ui.Screen{}, err
	}
	screen := ui.Screen{Title: c.UI.T("Catalog"), Area: "catalog", Tabs: tabs(c, all, v.Query, "/catalog"), Body: listBody(c, v), Acts: listActs(c)}
	return screen, nil
}

// tabs returns the tabs of the catalog, with their numbers of rows. at is the address of their screen.
func tabs(c *desk.Call, all []agenda.OfferingRow, query, at string) []ui.Tab {
	var out []ui.Tab
	for _, f := range shelves {
		n := 0
		for _, o := range all {
			if f.has(o) {
				n++
			}
		}
		now := at == "/catalog" && f.Key == c.Value("tab")
		out = append(out, ui.Tab{Text: c.UI.T(f.Text), Href: c.To("/catalog", "tab", f.Key, "q", query), Now: now, Count: n})
	}
	if c.May("listDiscounts") {
		out = append(out, ui.Tab{Text: c.UI.T("Discounts"), Href: c.To(discountsAt), Now: at == discountsAt})
	}
	if c.May("listAgreements") {
		out = append(out, ui.Tab{Text: c.UI.T("Agreements"), Href: c.To(agreementsAt), Now: at == agreementsAt})
	}
	if c.May("listAssets") {
		out = append(out, ui.Tab{Text: c.UI.T("Photos"), Href: c.To(PhotosAt), Now: at == PhotosAt})
	}
	return out
}

// free returns the next available time of a list's appointments and rentals: one read for each location.
func (s *screens) free(c *desk.Call, rows []agenda.OfferingRow) (map[uuid.UUID]time.Time, error) {
	at := map[uuid.UUID][]uuid.UUID{}
	for _, o := range rows {
		if o.Kind != catalog.Class && o.State == catalog.Published {
			at[o.LocationID] = append(at[o.LocationID], o.ID)
		}
	}
	out := map[uuid.UUID]time.Time{}
	for _, ids := range at {
		next, err := s.Availability.NextFree(c.Context(), c.Scope.Tenant, ids)
		if err != nil {
			return nil, err
		}
		for id, t := range next {
			out[id] = t
		}
	}
	return out, nil
}

// next renders the next date or available time, in the location's time zone.
func (v offers) next(sh ui.Shell, o agenda.OfferingRow) string {
	t, ok := v.Next[o.ID]
	if o.NextAt != nil && o.Kind == catalog.Class {
		t, ok = *o.NextAt, true
	}
	if !ok {
		return ""
	}
	w := sh.Words
	w.Zone = civil.ZoneOrUTC(o.Zone)
	return w.ShortWhen(t)
}

// costs and lasts render price and length as customers see them.
func costs(sh ui.Shell, o agenda.OfferingRow) string {
	if o.PriceAmount == nil {
		return sh.T("No price yet")
	}
	return sh.PriceOf(offerListing(o))
}

func lasts(sh ui.Shell, o agenda.OfferingRow) string { return sh.LengthsOf(offerListing(o)) }

func offerListing(o agenda.OfferingRow) catalog.Listing {
	l := catalog.Listing{Kind: o.Kind, SoldAs: o.SoldAs, DurationMinutes: o.DurationMinutes, Currency: o.Currency, Durations: o.Durations}
	if o.PriceAmount != nil {
		l.PriceAmount = *o.PriceAmount
	}
	return l
}

// about renders the line under a name: location, number of dates.
func (v offers) about(sh ui.Shell, o agenda.OfferingRow) string {
	place, dates := "", ""
	if v.Locations {
		place = o.LocationName
	}
	if o.Kind == catalog.Class && o.State != catalog.Archived {
		dates = sh.N(o.Dates, "{n} upcoming date", "{n} upcoming dates")
	}
	return view.Joined(" · ", place, dates)
}
