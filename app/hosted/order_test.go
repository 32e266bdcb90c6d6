package hosted

import (
	"strings"
	"testing"
	"unicode/utf8"

	"foyer/app/business"
	"foyer/app/identity"
)

func TestWordsOfOrdersAndPlaces(t *testing.T) {
	for ppm, want := range map[int64]string{0: "0%", 82_500: "8.25%", 88_750: "8.875%", 230_000: "23%", 1: "0.0001%", 1_000_000: "100%"} {
		if got := percent(ppm); got != want {
			t.Errorf("%d ppm is %s, want %s", ppm, got, want)
		}
	}
	for _, c := range []struct {
		a    business.Address
		want string
	}{
		{business.Address{}, ""},
		{business.Address{City: "Lisbon", Country: "PT"}, "Lisbon"},
		{business.Address{Street: "12 Pier Street", City: "Brooklyn", Region: "NY", PostalCode: "11201", Country: "US"}, "12 Pier Street, Brooklyn, NY 11201"},
		{business.Address{Street: "Torstr. 1", City: "Berlin", PostalCode: "10115", Country: "DE"}, "Torstr. 1, 10115 Berlin"},
		{business.Address{Street: "3 Castle Road", City: "Leeds", PostalCode: "LS1 4AP", Country: "GB"}, "3 Castle Road, Leeds, LS1 4AP"},
		{business.Address{Street: "Somewhere", PostalCode: "1234"}, "Somewhere, 1234"},
	} {
		if got := addressLine(c.a); got != c.want {
			t.Errorf("%+v is %q, want %q", c.a, got, c.want)
		}
	}
	for brand, want := range map[string]string{"visa": "Visa", "amex": "American Express", "": "Card", "cartes_bancaires": "Cartes bancaires"} {
		if got := cardName(brand); got != want {
			t.Errorf("%q is %q", brand, got)
		}
	}
	for _, c := range []struct{ space, who, want string }{{"", "", ""}, {"Studio A", "", "Studio A"}, {"", "Ana", "With Ana"}, {"Studio A", "Ana", "Studio A, with Ana"}} {
		if got := whereWith(c.space, c.who); got != c.want {
			t.Errorf("%q", got)
		}
	}
}

// TestZonesExist: each zone an owner can choose is one that the program knows.
func TestZonesExist(t *testing.T) {
	list := zoneOptions()
	if len(list) < 400 || list[0].Value != "UTC" {
		t.Fatalf("%d zones, the first is %q", len(list), list[0].Value)
	}
	seen := map[string]bool{}
	for _, o := range list {
		if seen[o.Value] {
			t.Errorf("%s is there twice", o.Value)
		}
		seen[o.Value] = true
		if !identity.KnownZone(o.Value) {
			t.Errorf("%s is not known", o.Value)
		}
	}
	if !seen["Europe/Lisbon"] || !seen["America/Argentina/Buenos_Aires"] || len(currencyOptions()) < 100 {
		t.Error("the lists are short")
	}
}

// TestCalendarLines are folded after 75 bytes, and never inside a character.
func TestCalendarLines(t *testing.T) {
	got := fold("SUMMARY:" + strings.Repeat("é", 60))
	lines := strings.Split(strings.TrimSuffix(got, "\r\n"), "\r\n ")
	if len(lines) != 2 || strings.Join(lines, "") != "SUMMARY:"+strings.Repeat("é", 60) {
		t.Errorf("%d lines: %q", len(lines), got)
	}
	for _, line := range lines {
		if len(line) > 75 || !utf8.ValidString(line) {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	if got := escape("a,b;c\\d\r\ne\nf"); got != `a\,b\;c\\d\ne\nf` {
		t.Errorf("escaped: %s", got)
	}
}
