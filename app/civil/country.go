package civil

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

//go:embed zones.json
var zonesJSON []byte

// countryZones are the time zones of countries, made by tools/cldr from the tz database.
type countryZones struct {
	Of      map[string][]string          // by country, that of most people first; one of those whose clocks agree
	Same    map[string]map[string]string // of a country: a zone that is left out, and the one that stands for it
	Aliases map[string]string            // names of before that browsers still say
	country map[string]string            // of each zone
}

var zonesData = sync.OnceValue(func() *countryZones {
	z := &countryZones{country: map[string]string{}}
	if err := json.Unmarshal(zonesJSON, z); err != nil {
		panic(err)
	}
	for country, list := range z.Of {
		for _, zone := range list {
			z.country[zone] = country
		}
	}
	for country, same := range z.Same {
		for zone := range same {
			z.country[zone] = country
		}
	}
	return z
})

// Countries are the codes of the countries that have a time zone, in alphabetical order.
func Countries() []string { return slices.Sorted(maps.Keys(zonesData().Of)) }

// ZonesOf are the time zones that the clocks of a country need, that of most people first: of zones whose clocks agree there is
// one. here is a zone that stands for its own clock, like the one of somebody's browser; empty for none. Nothing for a country
// that there is none of.
func ZonesOf(country, here string) []string {
	z := zonesData()
	list := slices.Clone(z.Of[country])
	if at := slices.Index(list, z.Same[country][here]); at >= 0 {
		list[at] = here
	}
	return list
}

// CountryOf is the country that a time zone is of, and the zone's name of today: browsers still say Asia/Calcutta. Empty for a
// zone that is no country's.
func CountryOf(zone string) (country, today string) {
	z := zonesData()
	if name := z.Aliases[zone]; name != "" {
		zone = name
	}
	return z.country[zone], zone
}
