package view

import (
	"strings"

	"foyer/app/business"
)

// InviteStudio asks for "business" (the studio's name) and "name" (the owner's).
type InviteStudio struct {
	Form     Form
	Business string
	Name     string
	Trouble  *Trouble
}

// InviteLocation asks for the first location: "location.name", the parts of "location.address", "location.zone" (an IANA name) and
// "location.currency" (an ISO code). Zones and currency follow from the country, and Here says that the zone is the browser's own.
type InviteLocation struct {
	Form       Form
	Location   string
	Address    business.Address
	Countries  []Option
	Zone       string
	Zones      []Option // what is read on the clocks of the country
	Here       bool
	Currency   string
	Currencies []Option
	Trouble    *Trouble
}

// stated are the countries whose addresses name a state or province.
const stated = "US CA AU BR MX IN"

func (v InviteLocation) stated() bool {
	return v.Address.Country != "" && strings.Contains(stated, v.Address.Country)
}

// clock is what is read on the clock that was chosen.
func (v InviteLocation) clock() string {
	for _, o := range v.Zones {
		if o.Value == v.Zone {
			return o.Text
		}
	}
	return v.Zone
}
