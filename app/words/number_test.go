package words_test

import (
	"strconv"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"foyer/app/words"
)

// TestNumberIsThePrinters: in every language and country, numbers are written as the printer writes them.
func TestNumberIsThePrinters(t *testing.T) {
	countries := []string{""}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if r, err := language.ParseRegion(code); err == nil && r.IsCountry() {
				countries = append(countries, "-"+code)
			}
		}
	}
	if len(countries) < 200 {
		t.Fatalf("only %d countries", len(countries))
	}
	for _, l := range words.Languages() {
		for _, country := range countries {
			printer := message.NewPrinter(language.MustParse(l.Tag + country))
			for _, n := range []int{0, 1, 7, 10, 60, 99, 100, 365, 999, 1000, 1001, 9999, 10_000, 1_234_567, -1, -999, -1000} {
				if got, want := words.In(l.Tag+country).Number(n), printer.Sprint(n); got != want {
					t.Errorf("%d in %s%s is %q, want %q", n, l.Tag, country, got, want)
				}
			}
		}
		for n := range 1000 {
			if got := words.In(l.Tag).Number(n); got != strconv.Itoa(n) {
				t.Errorf("%d in %s is %q", n, l.Tag, got)
			}
		}
	}
}
