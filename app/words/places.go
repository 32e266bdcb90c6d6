package words

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

//go:embed places.json
var places []byte

// placeNames are the names of cities of time zones and of currencies, by language, made by tools/cldr.
var placeNames = sync.OnceValue(func() (names struct {
	Cities     map[string]map[string]string // if it differs from the zone's own name
	Currencies map[string]map[string]string
}) {
	if err := json.Unmarshal(places, &names); err != nil {
		panic(err)
	}
	return names
})

// Country is the name of a country in the language: "Portugal". The code itself where it has none.
func (l *Lang) Country(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	if name := display.Regions(language.Make(l.Base())).Name(region); name != "" {
		return name
	}
	return code
}

// City is the name of a time zone's city in the language: "New York", in German "Zürich" for Europe/Zurich.
func (l *Lang) City(zone string) string {
	if name := placeNames().Cities[l.Base()][zone]; name != "" {
		return name
	}
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

// Currency is the name of a currency in the language, as it begins a line, with its code: "US Dollar (USD)". The code
// alone where it has none.
func (l *Lang) Currency(code string) string {
	if name := placeNames().Currencies[l.Base()][code]; name != "" {
		return title(name) + " (" + code + ")"
	}
	return code
}

// Region returns the country of the first language in an Accept-Language header, or the country with most of its
// speakers: "US" for "en". It is empty if the header names none.
func Region(accept string) string {
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil || len(tags) == 0 {
		return ""
	}
	region, sure := tags[0].Region()
	if sure == language.No || !region.IsCountry() {
		return ""
	}
	return region.String()
}

// Spoken returns the supported language that most people of a country speak, or else English.
func Spoken(country string) string {
	region, err := language.ParseRegion(country)
	if err != nil {
		return English
	}
	tag, err := language.Compose(language.Und, region)
	if err != nil {
		return English
	}
	base, _ := tag.Base()
	for _, l := range Languages() {
		if spoken, _ := language.Make(l.Tag).Base(); spoken == base {
			return l.Tag
		}
	}
	return English
}
