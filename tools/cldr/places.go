package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// zones are the time zones of countries, for app/civil.
type zones struct {
	// Of is those of a country in the tz database's own order, that of most people first. Of zones whose clocks agree from now on
	// there is one, the best known.
	Of      map[string][]string          `json:"of"`
	Same    map[string]map[string]string `json:"same"`    // of a country: a zone that is left out, and the one that stands for it
	Aliases map[string]string            `json:"aliases"` // names that browsers still say, and the zone's name of today
}

// names are what cities of zones and currencies are called, by language, for app/words.
type names struct {
	Version    string                       `json:"version"`
	Cities     map[string]map[string]string `json:"cities"` // where the zone's own name says something else
	Currencies map[string]map[string]string `json:"currencies"`
}

// zonesAgree is how long two clocks must show the same for their zones to be one.
const zonesAgree = 3 * 365 * 24 * time.Hour

func placesOf(dir, version string) (*zones, *names, error) {
	z := &zones{Of: map[string][]string{}, Same: map[string]map[string]string{}, Aliases: map[string]string{}}
	all, err := z.read(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := z.readAliases(dir, all); err != nil {
		return nil, nil, err
	}
	current, err := tender(dir)
	if err != nil {
		return nil, nil, err
	}
	n := &names{Version: version, Cities: map[string]map[string]string{}, Currencies: map[string]map[string]string{}}
	for _, language := range languages {
		if n.Cities[language], err = citiesOf(dir, language, all); err != nil {
			return nil, nil, err
		}
		if n.Currencies[language], err = currenciesOf(dir, language, current); err != nil {
			return nil, nil, err
		}
	}
	return z, n, nil
}

// mostPeople are the zones of most people in countries whose list begins elsewhere: zone.tab goes from east to west there.
var mostPeople = []string{"Australia/Sydney", "America/Sao_Paulo", "America/Toronto", "America/Nuuk", "Europe/Moscow", "Europe/Kyiv"}

// read reads the tz database's zone.tab and returns every zone of it.
func (z *zones) read(dir string) ([]string, error) {
	file, err := os.Open(filepath.Join(dir, "zone.tab"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known, err := wellKnown(dir)
	if err != nil {
		return nil, err
	}
	var all []string
	alike := map[string][]string{} // by country and what its clocks show
	var order []string
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		parts := strings.Split(lines.Text(), "\t")
		country, zone := parts[0], parts[2]
		shows, err := clock(zone)
		if err != nil {
			return nil, err
		}
		all = append(all, zone)
		if alike[country+shows] == nil {
			order = append(order, country+shows)
		}
		alike[country+shows] = append(alike[country+shows], zone)
	}
	for _, key := range order {
		country, list := key[:2], alike[key]
		stands := list[0]
		for _, best := range []func(zone string) bool{
			func(zone string) bool { return slices.Contains(mostPeople, zone) },
			func(zone string) bool { return known[country+zone] || known["001"+zone] },
		} {
			if i := slices.IndexFunc(list, best); i >= 0 {
				stands = list[i]
				break
			}
		}
		if slices.Contains(mostPeople, stands) {
			z.Of[country] = slices.Insert(z.Of[country], 0, stands)
		} else {
			z.Of[country] = append(z.Of[country], stands)
		}
		for _, zone := range list {
			if zone == stands {
				continue
			}
			if z.Same[country] == nil {
				z.Same[country] = map[string]string{}
			}
			z.Same[country][zone] = stands
		}
	}
	return all, lines.Err()
}

// wellKnown are the zones that CLDR names a part of the world by, each behind the country or world that does.
func wellKnown(dir string) (map[string]bool, error) {
	var file struct {
		Supplemental struct {
			MetaZones struct {
				Metazones []struct {
					MapZone map[string]string
				}
			}
		}
	}
	if err := read(&file, dir, "core", "supplemental", "metaZones.json"); err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, z := range file.Supplemental.MetaZones.Metazones {
		out[z.MapZone["_territory"]+z.MapZone["_type"]] = true
	}
	return out, nil
}

// clock is what a zone's clock shows from now on.
func clock(zone string) (string, error) {
	place, err := time.LoadLocation(zone)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	now := time.Now().Truncate(time.Hour)
	for at := now; at.Before(now.Add(zonesAgree)); at = at.Add(time.Hour) {
		_, offset := at.In(place).Zone()
		fmt.Fprint(&b, offset, " ")
	}
	return b.String(), nil
}

// readAliases keeps the other names of the zones, the links of the tz database.
func (z *zones) readAliases(dir string, all []string) error {
	text, err := os.ReadFile(filepath.Join(dir, "tzdata.zi"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.Fields(line)
		if len(parts) != 3 || parts[0] != "L" || !strings.Contains(parts[2], "/") {
			continue
		}
		if slices.Contains(all, parts[1]) && !slices.Contains(all, parts[2]) {
			z.Aliases[parts[2]] = parts[1]
		}
	}
	return nil
}

// tender are the currencies that are in use somewhere today.
func tender(dir string) (map[string]bool, error) {
	var file struct {
		Supplemental struct {
			CurrencyData struct {
				Region map[string][]map[string]map[string]string
			}
		}
	}
	if err := read(&file, dir, "core", "supplemental", "currencyData.json"); err != nil {
		return nil, err
	}
	current := map[string]bool{}
	for _, list := range file.Supplemental.CurrencyData.Region {
		for _, entry := range list {
			for code, of := range entry {
				if of["_to"] == "" && of["_tender"] != "false" {
					current[code] = true
				}
			}
		}
	}
	return current, nil
}

// citiesOf are the names of the zones' cities where they are not the last part of the zone's own name.
func citiesOf(dir, language string, all []string) (map[string]string, error) {
	var file struct {
		Main map[string]struct {
			Dates struct {
				TimeZoneNames struct{ Zone map[string]any }
			}
		}
	}
	if err := read(&file, dir, "dates", "main", language, "timeZoneNames.json"); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, zone := range all {
		var at any = file.Main[language].Dates.TimeZoneNames.Zone
		parts := strings.Split(zone, "/")
		for _, part := range parts {
			if m, ok := at.(map[string]any); ok {
				at = m[part]
			}
		}
		m, _ := at.(map[string]any)
		city, _ := m["exemplarCity"].(string)
		if plain := strings.ReplaceAll(parts[len(parts)-1], "_", " "); city != "" && city != plain {
			out[zone] = city
		}
	}
	return out, nil
}

func currenciesOf(dir, language string, current map[string]bool) (map[string]string, error) {
	var file struct {
		Main map[string]struct {
			Numbers struct {
				Currencies map[string]struct{ DisplayName string }
			}
		}
	}
	if err := read(&file, dir, "numbers", "main", language, "currencies.json"); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for code, of := range file.Main[language].Numbers.Currencies {
		if current[code] && of.DisplayName != "" {
			out[code] = of.DisplayName
		}
	}
	return out, nil
}
