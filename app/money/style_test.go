package money_test

import (
	"math"
	"testing"

	"github.com/bojanz/currency"
	"pgregory.net/rapid"

	"foyer/app/money"
)

// amounts have every digit, every length of a group and both signs.
var amounts = []int64{
	0, 1, 5, 9, 10, 99, 100, 999, 1000, 2200, 2250, 9999, 10_000, 99_999, 100_000, 123_456, 999_999, 1_000_000, 12_345_678,
	100_000_000, 1_234_567_890, 123_456_789_012_345, math.MaxInt64, -1, -5, -2200, -2250, -1_234_567,
	math.MinInt64 + 1, math.MinInt64,
}

// TestFormatIsTheLibrarys: in the seven languages of the product, in every country, every currency is written as the
// library writes it.
func TestFormatIsTheLibrarys(t *testing.T) {
	countries := []string{""}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if _, ok := currency.ForCountryCode(code); ok {
				countries = append(countries, "-"+code)
			}
		}
	}
	if len(countries) < 200 {
		t.Fatalf("only %d countries", len(countries))
	}
	for _, language := range []string{"en", "de", "es", "fr", "it", "nl", "pt"} {
		for i, country := range countries {
			for k, info := range money.Currencies() {
				if country != "" && (i+k)%25 != 0 { // all of them in the language alone, some in each country
					continue
				}
				for _, minor := range amounts {
					same(t, minor, info.Code, language+country)
				}
			}
		}
	}
}

// TestFormatElsewhere is the same for locales that a browser could name.
func TestFormatElsewhere(t *testing.T) {
	for _, locale := range []string{
		"ar", "ar-EG", "fa", "bn", "hi", "my", "de-CH", "es-419", "en-IN", "pl", "sr-Latn-RS", "he", "_US", "",
	} {
		for _, info := range money.Currencies() {
			for _, minor := range amounts {
				same(t, minor, info.Code, locale)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		info := rapid.SampledFrom(money.Currencies()).Draw(t, "currency")
		locale := rapid.StringMatching(`[a-z]{2,3}([-_][A-Z][a-z]{3})?([-_][A-Z]{2})?`).Draw(t, "locale")
		same(t, rapid.Int64().Draw(t, "minor"), info.Code, locale)
	})
}

func same(t interface{ Errorf(string, ...any) }, minor int64, cur money.Currency, locale string) {
	if !money.Learned(cur, locale) {
		t.Errorf("%s in %q is left to the library", cur, locale)
	}
	if got, want := money.Format(minor, cur, locale), money.ByLibrary(minor, cur, locale, false); got != want {
		t.Errorf("Format(%d, %s, %q) = %q, the library writes %q", minor, cur, locale, got, want)
	}
	if got, want := money.FormatShort(minor, cur, locale), money.ByLibrary(minor, cur, locale, true); got != want {
		t.Errorf("FormatShort(%d, %s, %q) = %q, the library writes %q", minor, cur, locale, got, want)
	}
}

// TestFormatBuildsNothing: an amount costs its own text and nothing else, in every size.
func TestFormatBuildsNothing(t *testing.T) {
	for _, minor := range []int64{0, 5, 2250, -123_456_789} {
		money.Format(minor, "EUR", "de-AT")
		if n := testing.AllocsPerRun(100, func() { money.Format(minor, "EUR", "de-AT") }); n > 1 {
			t.Errorf("Format(%d) makes %v allocations, want 1", minor, n)
		}
	}
}

func BenchmarkFormatShort(b *testing.B) {
	for b.Loop() {
		money.FormatShort(2200, "USD", "en-US")
	}
}
