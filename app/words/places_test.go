package words_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/words"
)

// TestPlaces: countries, cities and currencies have the names of the reader's language.
func TestPlaces(t *testing.T) {
	for _, of := range []struct{ lang, country, city, currency string }{
		{"en", "Switzerland", "Zurich", "US Dollar (USD)"},
		{"de", "Schweiz", "Zürich", "US-Dollar (USD)"},
		{"es", "Suiza", "Zúrich", "Dólar estadounidense (USD)"},
		{"fr", "Suisse", "Zurich", "Dollar des États-Unis (USD)"},
		{"it", "Svizzera", "Zurigo", "Dollaro statunitense (USD)"},
		{"nl", "Zwitserland", "Zürich", "Amerikaanse dollar (USD)"},
		{"pt", "Suíça", "Zurique", "Dólar americano (USD)"},
	} {
		l := words.In(of.lang)
		if country, city, currency := l.Country("CH"), l.City("Europe/Zurich"), l.Currency("USD"); country != of.country || city != of.city || currency != of.currency {
			t.Errorf("%s: %q, %q, %q", of.lang, country, city, currency)
		}
	}
	l := words.In("en")
	if city, currency := l.City("America/Argentina/Buenos_Aires"), l.Currency("XXQ"); city != "Buenos Aires" || currency != "XXQ" {
		t.Errorf("without a name: %q, %q", city, currency)
	}
}

// TestRegion: a browser's languages say where its reader is, or hint at it.
func TestRegion(t *testing.T) {
	for accept, want := range map[string]string{
		"de-CH,de;q=0.9,en;q=0.8": "CH", "en-US,en;q=0.5": "US", "en": "US", "pt": "BR", "pt-PT": "PT", "fr": "FR", "es-419": "", "": "", "*": "", ";;;": "",
	} {
		if got := words.Region(accept); got != want {
			t.Errorf("Region(%q) = %q, not %q", accept, got, want)
		}
	}
}

// TestSortBy: letters sort as readers of the language expect.
func TestSortBy(t *testing.T) {
	list := []string{"Zypern", "Österreich", "Ägypten", "Polen", "Albanien"}
	words.SortBy(words.In("de"), list, func(s string) string { return s })
	if got := strings.Join(list, " "); got != "Ägypten Albanien Österreich Polen Zypern" {
		t.Error(got)
	}
}

// TestOfACountry: facts of a country: the language that most people speak there, the first day of a week, the clock.
func TestOfACountry(t *testing.T) {
	for country, want := range map[string]struct {
		language string
		week     time.Weekday
		half     bool
	}{
		"US": {"en", time.Sunday, true}, "DE": {"de", time.Monday, false}, "AT": {"de", time.Monday, false}, "BR": {"pt", time.Sunday, false},
		"PT": {"pt", time.Sunday, false}, "MX": {"es", time.Sunday, true}, "EG": {"en", time.Saturday, true}, "GB": {"en", time.Monday, false},
		"NL": {"nl", time.Monday, false}, "": {"en", time.Monday, false}, "XX": {"en", time.Monday, false},
	} {
		l := words.In("en-" + country)
		if got := words.Spoken(country); got != want.language || l.WeekStart() != want.week || l.HalfDays() != want.half {
			t.Errorf("%s: %s, %s, %t", country, got, l.WeekStart(), l.HalfDays())
		}
	}
	if week := words.In("en-US").Week(); len(week) != 7 || week[0] != time.Sunday || week[6] != time.Saturday {
		t.Errorf("%v", week)
	}
}
