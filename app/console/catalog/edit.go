package catalog

import (
	"context"
	"strings"

	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/media"
)

// sheetOf is the data of an offering's screen.
type sheetOf struct {
	catalog.Offering
	Choices choices
	Lacks   []fault.Field // of a draft: fields to complete before publishing
	May     bool          // the caller may change it
	Public  string        // its public address
	Photos  ui.PhotoList
}

// found reads the offering of the address, and sets the time zone of its location.
func (s *screens) found(c *desk.Call) (catalog.Offering, error) {
	id, err := c.ID("offering")
	if err != nil {
		return catalog.Offering{}, err
	}
	o, err := s.Catalog.Get(c.Context(), c.Scope, id)
	at(c, o.LocationID)
	return o, err
}

func (s *screens) edit(c *desk.Call) (ui.Screen, error) {
	o, err := s.found(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := sheetOf{Offering: o, May: may(c, o.LocationID)}
	place := placeOf(c, o.LocationID)
	if place == nil { // its location is archived: it cannot change
		v.May = false
	} else if v.Public = "/" + place.Slug + "/" + o.Slug; v.May {
		if v.Choices, err = s.choices(c, *place, o); err == nil && o.State == catalog.Draft {
			v.Lacks, err = s.Catalog.Missing(c.Context(), c.Scope, o.ID)
		}
	} else {
		v.Choices.Standing, err = s.Catalog.LocationPolicy(c.Context(), c.Scope, place.ID)
	}
	if err == nil {
		v.Photos, err = c.Photos(media.OfOffering, o.ID, v.May && o.State != catalog.Archived)
	}
	if len(v.Lacks) > 0 && strings.HasSuffix(c.Path(), "/publish") && !c.UI.Stale {
		c.UI.Trouble = nil // each missing field is shown once, beside its link
	}
	screen := s.about(c, o, "")
	screen.Body, screen.Acts, screen.Script, screen.Step = editBody(c, v), editActs(c, v), "catalog.js", "offering"
	return screen, err
}

// about returns the common part of an offering's screens. tab is "" or "series".
func (s *screens) about(c *desk.Call, o catalog.Offering, tab string) ui.Screen {
	path := "/catalog/" + o.ID.String()
	up := view.Link{Text: c.UI.T("Catalog"), Href: c.To("/catalog")}
	screen := ui.Screen{Title: o.Name, Area: "catalog", Up: &up}
	if place := placeOf(c, o.LocationID); place != nil && len(c.Workspace.Locations) > 1 {
		screen.Lead = place.Name
	}
	if o.Kind == catalog.Class {
		screen.Tabs = []ui.Tab{
			{Text: c.UI.T("Details"), Href: c.To(path), Now: tab == ""},
			{Text: c.UI.T("Dates"), Href: c.To(path + "/series"), Now: tab == "series"},
		}
	}
	return screen
}

// save changes the offering, and then its instructors and spaces.
func (s *screens) save(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if c.Value("then") == "preview" {
		return s.typed(c, ctx)
	}
	o, err := s.found(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := read(c, o.Kind, o.Currency)
	wants, wantsErr := readAsks(c, o.LocationID)
	if err := both(err, wantsErr); err != nil {
		return desk.Done{}, err
	}
	if o, err = s.Catalog.Update(ctx, c.Scope, changed(in, o, c.Version())); err != nil {
		return desk.Done{}, err
	}
	to, err := s.setUp(c, o, wants)
	if err != nil {
		return desk.Done{}, err
	}
	if o, err = s.link(c, ctx, o, to); err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To("/catalog/" + o.ID.String()), Said: c.UI.T("Saved {name}.", "name", o.Name)}, nil
}

// mend returns the address and the label of the link to complete a missing field.
func mend(c *desk.Call, v sheetOf, field string) (href, text string) {
	o := v.Offering
	switch field {
	case "price":
		if o.PriceAmount != nil && o.Chargeable() == nil { // it has a price without a payment method
			return c.To("/settings/payments"), c.UI.T("Payments")
		}
	case "dates":
		return c.To("/catalog/" + o.ID.String() + "/series/new"), c.UI.T("Add dates")
	case "hours":
		if v.Choices.Setup.Hours {
			return "#f-hours", c.UI.T("Set hours")
		}
		return c.To("/settings/places/"+o.LocationID.String()) + "/hours", c.UI.T("Opening hours")
	case "staff":
		if v.Choices.Setup.Teach {
			return "#f-" + setupTeach, c.UI.T("Choose an instructor")
		}
		return "#f-memberIds-0", c.UI.T("Choose an instructor")
	case "spaces":
		if len(v.Choices.Spaces) == 0 {
			return "#f-" + setupRoom, c.UI.T("Add a room")
		}
		return "#f-spaceIds-0", c.UI.T("Choose a room")
	}
	return "#f-" + field, c.UI.T("Fill in")
}

// preview is an offering's text for customers before they book.
type preview struct {
	Name, Price, Length string
	Rules               []string
}

func (v sheetOf) preview(sh ui.Shell) preview {
	l := listing(v.Offering)
	rules := v.Choices.rules(v.PolicyID)
	p := preview{
		Name: v.Name, Length: sh.LengthsOf(l), Price: price(sh, v.PriceAmount, v.Currency),
		Rules: rules.FinePrint(v.Kind, v.Enrolment == catalog.BySeries, l.Free(), v.Currency, sh.Lang()),
	}
	if v.PriceAmount != nil {
		p.Price = sh.PriceOf(l)
	}
	if v.Approval {
		p.Rules = append(p.Rules, sh.T("You approve each booking."))
	}
	return p
}

// asked returns the record with the typed values, for the preview; invalid ones are ignored.
func asked(c *desk.Call, o catalog.Offering) catalog.Offering {
	in, err := read(c, o.Kind, o.Currency)
	if err != nil {
		return o
	}
	o.Name, o.DurationMinutes, o.PriceAmount, o.Durations = in.Name, in.DurationMinutes, in.PriceAmount, in.Durations
	o.PolicyID, o.Approval = in.PolicyID, in.Approval
	if in.Description != "" {
		o.Description = in.Description
	}
	if in.SoldAs != "" {
		o.SoldAs = in.SoldAs
	}
	if in.Enrolment != "" {
		o.Enrolment = in.Enrolment
	}
	if in.Heading != "" {
		o.Word = in.Heading
	}
	return o
}
