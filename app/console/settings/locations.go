package settings

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/app/words"
)

// places mounts the list of locations, and the form of a new one.
func (s *screens) places() {
	s.Page("listLocations", "/settings/places", func(c *desk.Call) (ui.Screen, error) {
		screen := ui.Screen{Title: c.UI.T("Locations"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: placesBody(c)}
		if c.May("createLocation") {
			screen.Acts = ui.Go(c.To("/settings/places/new"), ui.Button{Text: c.UI.T("New location")})
		}
		return screen, nil
	})
	s.Page("createLocation", "/settings/places/new", s.showNewPlace)
	s.Form("createLocation", "/settings/places/new", desk.Form{Do: s.openPlace, Show: s.showNewPlace, Inputs: []string{
		"name", "slug", "zone", "currency", "taxMode", "address.street", "address.city", "address.region", "address.postalCode", "address.country", "language",
	}})
}

func (s *screens) showNewPlace(c *desk.Call) (ui.Screen, error) {
	b := c.Workspace.Business
	like := business.Location{Zone: b.Zone, Currency: b.Currency, TaxMode: business.TaxExclusive, Speech: business.Speech{Language: words.English}}
	if len(c.Workspace.Locations) > 0 { // most are in one country
		first := c.Workspace.Locations[0]
		like.TaxMode, like.Language, like.Address.Country = first.TaxMode, first.Language, first.Address.Country
	}
	return ui.Screen{
		Title: c.UI.T("New location"), Area: area, Up: up(c, c.UI.T("Locations"), "/settings/places"), Body: newPlaceBody(c, like),
	}, nil
}

func (s *screens) openPlace(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, err := s.Business.CreateLocation(ctx, c.Scope, business.LocationInput{
		Name: c.Value("name"), Slug: c.Value("slug"), SlugFrom: business.LocationLabel(c.Workspace.Business.Name, c.Value("name")), Zone: c.Value("zone"), Currency: money.Currency(c.Value("currency")),
		TaxMode: business.TaxMode(c.Value("taxMode")), Address: addressOf(c), Language: c.Value("language"),
	})
	return desk.Done{To: c.To("/settings/places/" + l.ID.String() + "/hours"), Said: c.UI.T("Added {name}. Set its opening hours.", "name", l.Name)}, err
}

// place reads the location of the address.
func (s *screens) place(c *desk.Call) (business.Location, error) {
	id, err := c.ID("location")
	if err != nil {
		return business.Location{}, err
	}
	return s.Business.Location(c.Context(), c.Scope, id)
}

// of returns the address of a screen about a location.
func of(c *desk.Call, place uuid.UUID, rest string, params ...string) string {
	return c.To("/settings/places/"+place.String()+rest, params...)
}

// aPlace returns a screen about a location, under its tabs. now is the end of the tab's address.
func aPlace(c *desk.Call, l business.Location, now string) ui.Screen {
	screen := ui.Screen{Title: l.Name, Area: area, Up: up(c, c.UI.T("Locations"), "/settings/places")}
	if l.ArchivedAt != nil {
		screen.Lead = c.UI.T("Archived {when}.", "when", c.UI.ShortDate(*l.ArchivedAt))
	}
	for _, t := range []struct {
		text words.Text
		path string
		op   string
	}{
		{"Details", "", "getLocation"}, {"Hours", "/hours", "getHours"}, {"Closures", "/closures", "listClosures"}, {"Rooms", "/rooms", "listSpaces"},
		{"Branding", "/look", "getTheme"}, {"Website", "/website", "getLocation"},
	} {
		if c.May(t.op) {
			screen.Tabs = append(screen.Tabs, ui.Tab{Text: c.UI.T(t.text), Href: of(c, l.ID, t.path), Now: t.path == now})
		}
	}
	return screen
}

// clockOf returns the words of a location, in its time zone.
func clockOf(c *desk.Call, l business.Location) view.Words {
	return view.WordsAt(words.English, l.Address.Country, zoneOf(l), c.UI.Now)
}

// addressOf reads an address.
func addressOf(c *desk.Call) business.Address {
	return business.Address{
		Street: c.Value("address.street"), City: c.Value("address.city"), Region: c.Value("address.region"),
		PostalCode: c.Value("address.postalCode"), Country: c.Value("address.country"),
	}
}

func where(a business.Address) string {
	return view.Joined(", ", a.Street, strings.TrimSpace(a.PostalCode+" "+a.City), a.Region, a.Country)
}

func taxModes(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Value: string(business.TaxExclusive), Text: sh.T("Tax is added to prices")},
		{Value: string(business.TaxInclusive), Text: sh.T("Prices include tax")},
	}
}

// displays returns the choices of the price display; the first is the default of the country.
func displays(sh ui.Shell, country string, cur money.Currency) []ui.Option {
	full, plus := sh.T("With tax and fees, $23.95"), sh.T("Before tax, $22 + tax")
	usual := plus
	if business.DisplayIn(country, cur) == business.PricesFull {
		usual = full
	}
	return []ui.Option{
		{Value: "", Text: sh.T("Default for the country: {way}", "way", usual)},
		{Value: string(business.PricesFull), Text: full},
		{Value: string(business.PricesPlusTax), Text: plus},
	}
}

// displayText returns the value of a location's field.
func displayText(l business.Location) string {
	if l.PriceDisplay == nil {
		return ""
	}
	return string(*l.PriceDisplay)
}

// displayOf reads the choice; nil: the default.
func displayOf(c *desk.Call) *business.PriceDisplay {
	if c.Value("priceDisplay") == "" {
		return nil
	}
	return new(business.PriceDisplay(c.Value("priceDisplay")))
}

func languages() []ui.Option {
	var out []ui.Option
	for _, l := range words.Languages() {
		out = append(out, ui.Option{Value: l.Tag, Text: l.Name})
	}
	return out
}
