package invite

import (
	"strings"

	"foyer/app/business"
	"foyer/app/view"
)

// Studio is the page with "business" (the studio's name), "name" (the owner's) and "teaches" (1: the owner is an
// instructor).
type Studio struct {
	Form     view.Form
	Business string
	Name     string
	Teaches  bool
	Trouble  *view.Trouble
}

// Location is the page of the first location: "location.name", the parts of "location.address", "location.zone" (an
// IANA name), "location.currency" (an ISO code), "location.language" and "location.taxMode", and the "slug" of the
// studio. All but the name and the slug follow from the country; Here means that the zone is the browser's own.
type Location struct {
	Base       string // of addresses: "https://book.example.com"
	Slug       string // proposed from the studio's name
	Language   string
	Languages  []view.Option
	TaxMode    string
	Week       string // the first day of the week, and the 12- or 24-hour clock
	Form       view.Form
	Location   string
	Address    business.Address
	Countries  []view.Option
	Zone       string
	Zones      []view.Option // the current times in the zones of the country
	Current    bool
	Currency   string
	Currencies []view.Option
	Trouble    *view.Trouble
}

// stated are the countries with a state or province in their addresses.
const stated = "US CA AU BR MX IN"

func (v Location) stated() bool {
	return v.Address.Country != "" && strings.Contains(stated, v.Address.Country)
}

// clock is the current time in the chosen zone.
func (v Location) clock() string {
	for _, o := range v.Zones {
		if o.Value == v.Zone {
			return o.Text
		}
	}
	return v.Zone
}

func (v Location) taxModes(w view.Words) []view.Option {
	return []view.Option{
		{Value: string(business.TaxInclusive), Text: w.T("Prices include tax")},
		{Value: string(business.TaxExclusive), Text: w.T("Tax is added to prices")},
	}
}
