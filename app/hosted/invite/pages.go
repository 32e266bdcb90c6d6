package invite

import (
	"strings"

	"foyer/app/business"
	"foyer/app/view"
)

// Studio asks for "business" (the studio's name), "name" (the owner's) and "teaches" (1: the owner is an instructor).
type Studio struct {
	Form     view.Form
	Business string
	Name     string
	Teaches  bool
	Trouble  *view.Trouble
}

// Location asks for the first location: "location.name", the parts of "location.address", "location.zone" (an IANA name),
// "location.currency" (an ISO code), "location.language" and "location.taxMode", and for the "slug" of the studio. All but the name and
// the slug follow from the country; Here says that the zone is the browser's own.
type Location struct {
	Base       string // of addresses: "https://book.example.com"
	Slug       string // proposed from the studio's name
	Language   string
	Languages  []view.Option
	TaxMode    string
	Week       string // on which day weeks begin, and how clocks are read
	Form       view.Form
	Location   string
	Address    business.Address
	Countries  []view.Option
	Zone       string
	Zones      []view.Option // what is read on the clocks of the country
	Here       bool
	Currency   string
	Currencies []view.Option
	Trouble    *view.Trouble
}

// stated are the countries whose addresses name a state or province.
const stated = "US CA AU BR MX IN"

func (v Location) stated() bool {
	return v.Address.Country != "" && strings.Contains(stated, v.Address.Country)
}

// clock is what is read on the clock that was chosen.
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
