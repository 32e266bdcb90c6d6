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
	Of      map[string][]string          // by country, the most populous first; one of those with the same clock
	Same    map[string]map[string]string // of a country: a zone that is left out, and its representative
	Aliases map[string]string            // former names that browsers still use
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

// Countries returns the codes of the countries that have a time zone, in alphabetical order.
func Countries() []string { return slices.Sorted(maps.Keys(zonesData().Of)) }

// ZonesOf returns the time zones that cover the clocks of a country, the most populous first: of zones with the same
// clock there is one. here is a zone that represents its own clock, like the one of a browser; empty for none. It
// returns nothing for an unknown country.
func ZonesOf(country, here string) []string {
	z := zonesData()
	list := slices.Clone(z.Of[country])
	if at := slices.Index(list, z.Same[country][here]); at >= 0 {
		list[at] = here
	}
	return list
}

// CountryOf returns the country of a time zone, and the zone's present name: browsers still use Asia/Calcutta. It
// returns empty strings for a zone without a country.
func CountryOf(zone string) (country, today string) {
	z := zonesData()
	if name := z.Aliases[zone]; name != "" {
		zone = name
	}
	return z.country[zone], zone
}
