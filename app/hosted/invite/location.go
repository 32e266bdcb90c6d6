package invite

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/hosted/kit"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/app/words"
)

// The fields of the last step, named as the verb names them, and further fields: the time zone of the owner's browser
// (fieldHere, filled in by the script of the step before), and the country for the time zone and currency on the
// page.
const (
	fieldHere    = "zone"
	fieldAsked   = "country"
	fieldChange  = "change"
	fieldCountry = "location.address.country"
	fieldTeaches = "teaches" // the owner is an instructor: from the step before
)

var placeFields = []string{
	"location.name", fieldCountry, "location.address.street", "location.address.postalCode", "location.address.city",
	"location.address.region", "location.zone", "location.currency", "location.language", "location.taxMode", "slug",
}

// askLocation shows the form of the location, in the country of the browser's clock, or without script in that of its
// language.
func (h *site) askLocation(c *fiber.Ctx, _ identity.Invite) error {
	if c.Query("business") == "" {
		return c.Redirect("/invite/"+c.Params("token")+"/studio", fiber.StatusSeeOther)
	}
	country, _ := civil.CountryOf(c.Query(fieldHere))
	slug, err := h.Business.ProposeSlug(c.UserContext(), c.Query("business"))
	if err != nil {
		return err
	}
	return h.showLocation(c, Location{Slug: slug, Address: business.Address{
		Country: cmp.Or(country, words.Region(c.Get(fiber.HeaderAcceptLanguage)), "US"),
	}})
}

// placeIn reads the form of the last step.
func placeIn(c *fiber.Ctx) Location {
	said := func(name string) string { return strings.TrimSpace(c.FormValue(name)) }
	return Location{
		Slug: said("slug"), Language: said("location.language"), TaxMode: said("location.taxMode"),
		Location: said("location.name"), Zone: said("location.zone"), Currency: said("location.currency"),
		Address: business.Address{
			Street: said("location.address.street"), City: said("location.address.city"), Region: said("location.address.region"),
			PostalCode: said("location.address.postalCode"), Country: said(fieldCountry),
		},
	}
}

// moved shows the form again if the country is not that of the time zone, currency, language and tax on the page: the
// owner changed it, and has not seen those of the new one. Everything else stays as entered.
func (h *site) moved(c *fiber.Ctx, v Location) (again bool, err error) {
	asked := c.FormValue(fieldAsked)
	change := c.FormValue(fieldChange) != ""
	if !change && (asked == "" || asked == v.Address.Country) {
		return false, nil
	}
	if asked != v.Address.Country {
		v.Zone, v.Currency, v.Language, v.TaxMode = "", "", "", ""
	}
	if !change {
		v.Trouble = kit.FieldTrouble("location.zone", h.PlatformShell(c).T("You changed the country. Check its time zone, currency, language and tax."))
	}
	return true, h.invited(h.owner(func(c *fiber.Ctx, _ identity.Invite) error { return h.showLocation(c, v) }))(c)
}

// showLocation shows the last step. Time zone, currency, language and tax are the country's unless the owner has
// chosen others.
func (h *site) showLocation(c *fiber.Ctx, v Location) error {
	sh := h.PlatformShell(c)
	_, here := civil.CountryOf(kit.Carried(c, fieldHere))
	v.Form = kit.FormTo("/invite/"+c.Params("token")+"/location", view.Param{Name: "business", Value: kit.Carried(c, "business")},
		view.Param{Name: fieldTeaches, Value: kit.Carried(c, fieldTeaches)}, view.Param{Name: fieldHere, Value: kit.Carried(c, fieldHere)})
	zones := civil.ZonesOf(v.Address.Country, here)
	v.Current = slices.Contains(zones, here)
	switch {
	case len(zones) == 0: // the country is not in the list
		zones = []string{cmp.Or(v.Zone, "UTC")}
		v.Zone = zones[0]
	case slices.Contains(zones, v.Zone):
	case v.Current:
		v.Zone = here
	default:
		v.Zone = zones[0]
	}
	if own, ok := money.ForCountry(v.Address.Country); v.Currency == "" {
		v.Currency = "USD"
		if ok {
			v.Currency = string(own)
		}
	}
	v.Base, v.Language = h.BaseURL, cmp.Or(v.Language, words.Spoken(v.Address.Country))
	v.TaxMode = cmp.Or(v.TaxMode, string(business.TaxModeIn(v.Address.Country)))
	v.Week = weekAndClock(sh.Words, v.Address.Country)
	for _, l := range words.Languages() {
		v.Languages = append(v.Languages, view.Option{Value: l.Tag, Text: l.Name})
	}
	v.Countries, v.Zones, v.Currencies = countryOptions(sh.Lang()), zoneOptions(sh.Words, v.Address.Country, zones), currencyOptions(sh.Lang())
	return kit.Show(kit.Troubled(c, v.Trouble), sh, LocationPage(sh, v))
}

// weekAndClock describes the first day of the week in a country, and its clocks at half past five in the afternoon.
func weekAndClock(w view.Words, country string) string {
	w.Locale, w.Zone = w.Lang().Base()+"-"+country, time.UTC
	sunday := civil.NewDate(2024, time.September, 1)
	return w.T("Weeks begin on {day}, and clocks show {time}.", "day", w.Lang().Weekday(sunday.AddDays(int(w.Lang().WeekStart())).Utc()),
		"time", w.Time(time.Date(2024, time.September, 1, 17, 30, 0, 0, time.UTC)))
}

// countryOptions are the countries by their names.
func countryOptions(l *words.Lang) []view.Option {
	var list []view.Option
	for _, code := range civil.Countries() {
		list = append(list, view.Option{Value: code, Text: l.Country(code)})
	}
	words.SortBy(l, list, func(o view.Option) string { return o.Text })
	return list
}

// zoneOptions are the zones of a country by their current local times, in its format.
func zoneOptions(w view.Words, country string, zones []string) []view.Option {
	w.Locale = w.Lang().Base() + "-" + country
	var list []view.Option
	for _, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			continue // it came from the form, and the verb has refused it
		}
		w.Zone = zone
		list = append(list, view.Option{Value: name, Text: w.T("{city}, {time} now", "city", w.Lang().City(name), "time", w.Time(w.Now))})
	}
	return list
}

// currencyOptions are the currencies that cards can be charged in, by their names.
func currencyOptions(l *words.Lang) []view.Option {
	var list []view.Option
	for _, info := range money.Currencies() {
		list = append(list, view.Option{Value: string(info.Code), Text: l.Currency(string(info.Code))})
	}
	words.SortBy(l, list, func(o view.Option) string { return o.Text })
	return list
}
