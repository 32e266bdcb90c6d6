package catalog

import (
	"context"
	"time"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
)

// shown returns the offering with the typed values, its location and choices; the record is that of the address.
func (s *screens) shown(c *desk.Call) (v sheetOf, place business.Location, err error) {
	o, err := s.found(c)
	if err != nil {
		return v, place, err
	}
	at := placeOf(c, o.LocationID)
	if at == nil || !may(c, o.LocationID) {
		return v, place, fault.Missing()
	}
	v = sheetOf{Offering: o}
	if c.Request().URI().QueryArgs().Has("name") { // otherwise no input yet
		v.Offering = asked(c, o)
	}
	v.Choices, err = s.choices(c, *at, o)
	return v, *at, err
}

// page previews the booking page, for the frame beside the form.
func (s *screens) page(c *desk.Call) error {
	v, place, err := s.shown(c)
	if err != nil {
		return err
	}
	days, err := s.days(c, v.Offering)
	if err != nil {
		return err
	}
	sh := c.Shopfront(place, view.Branding(place.Branding).Href(place.Slug))
	about := view.AboutOf(sh.Words, catalog.Page{Listing: listing(v.Offering), Capacity: v.Capacity, Rules: v.Choices.rules(v.PolicyID)})
	if v.Kind != catalog.Class {
		return c.Picture(view.ServicePage(sh, view.Service{About: about, Party: 1, Sum: *about.Price, Times: view.Times{Days: days}}))
	}
	return c.Picture(view.ListingPage(sh, view.Listing{About: about, First: true, Times: view.Times{Days: days}}))
}

// picturedDates is the number of dates in the frame, and picturedSpan the time in which they are searched.
const (
	picturedDates = 6
	picturedSpan  = 21 * 24 * time.Hour
)

// days returns the next dates of a class, as its page lists them.
func (s *screens) days(c *desk.Call, o catalog.Offering) ([]view.TimesDay, error) {
	if o.Kind != catalog.Class || !c.May("listBookings") {
		return nil, nil
	}
	now := s.Clock.Now()
	list, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: now, To: now.Add(picturedSpan), OfferingID: o.ID})
	var out []view.TimesDay
	for _, d := range list[:min(len(list), picturedDates)] {
		day := d.StartsAt.In(c.UI.Zone)
		if len(out) == 0 || out[len(out)-1].Date.In(c.UI.Zone).YearDay() != day.YearDay() {
			out = append(out, view.TimesDay{Date: d.StartsAt})
		}
		last := &out[len(out)-1]
		last.Times = append(last.Times, view.Time{Start: d.StartsAt, Spots: max(0, d.Capacity-d.Taken), Action: view.ActionBook})
	}
	return out, err
}

// typed shows the form as typed, with the preview: a browser without script requests it by a button.
func (s *screens) typed(c *desk.Call, _ context.Context) (desk.Done, error) {
	c.UI.Posted = c.Inputs()
	screen, err := s.edit(c)
	return desk.Done{Once: &screen}, err
}

// previewOffering renders the texts for customers from the typed values, for the script.
func (s *screens) previewOffering(c *desk.Call) (ui.Screen, error) {
	v, _, err := s.shown(c)
	return ui.Screen{Title: v.Name, Area: "catalog", Sheet: true, Body: previewPart(c, v, false)}, err
}
