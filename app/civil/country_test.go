package civil_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/civil"
)

// TestZonesOfCountries: every country has zones in the database of zones, few of them, and each leads back to its
// country.
func TestZonesOfCountries(t *testing.T) {
	all := civil.Countries()
	if len(all) < 240 || !slices.IsSorted(all) {
		t.Fatalf("%d countries", len(all))
	}
	for _, country := range all {
		list := civil.ZonesOf(country, "")
		if len(list) == 0 || len(list) > 12 {
			t.Errorf("%s has %d zones", country, len(list))
		}
		for _, zone := range list {
			if _, err := time.LoadLocation(zone); err != nil {
				t.Error(err)
			}
			if of, today := civil.CountryOf(zone); of != country || today != zone {
				t.Errorf("%s of %s is of %s as %s", zone, country, of, today)
			}
		}
	}
	if list := civil.ZonesOf("XX", "Europe/Lisbon"); list != nil {
		t.Errorf("a country that there is none of has %v", list)
	}
}

// TestZonesOneLivesIn: of zones with the same clock the best known represents all, unless the browser is in another
// of them.
func TestZonesOneLivesIn(t *testing.T) {
	for _, of := range []struct {
		country, here, first string
		n                    int
	}{
		{"US", "", "America/New_York", 8},
		{"US", "America/Detroit", "America/Detroit", 8},
		{"US", "Europe/Lisbon", "America/New_York", 8},
		{"US", "Mars/Olympus", "America/New_York", 8},
		{"AU", "", "Australia/Sydney", 7},
		{"BR", "", "America/Sao_Paulo", 4},
		{"PT", "", "Europe/Lisbon", 2},
		{"DE", "", "Europe/Berlin", 1},
		{"IN", "", "Asia/Kolkata", 1},
	} {
		if list := civil.ZonesOf(of.country, of.here); len(list) != of.n || list[0] != of.first {
			t.Errorf("%s with %q: %v", of.country, of.here, list)
		}
	}
	for zone, want := range map[string][2]string{
		"Asia/Calcutta": {"IN", "Asia/Kolkata"}, "Europe/Kiev": {"UA", "Europe/Kyiv"}, "America/Detroit": {"US", "America/Detroit"},
		"UTC": {"", "UTC"}, "Mars/Olympus": {"", "Mars/Olympus"},
	} {
		if country, today := civil.CountryOf(zone); country != want[0] || today != want[1] {
			t.Errorf("%s is %s of %q", zone, today, country)
		}
	}
}
