package view_test

import (
	"testing"

	"foyer/app/view"
)

// A price of a list mentions the additions in the cart; a full one mentions none.
func TestPricesSayWhatIsAdded(t *testing.T) {
	t.Parallel()
	w := view.Words{Locale: "en-US"}
	for want, p := range map[string]view.Price{
		"$22":                       {Minor: 2200, Currency: "USD"},
		"$22 + tax":                 {Minor: 2200, Currency: "USD", Tax: true},
		"$22 + service fee":         {Minor: 2200, Currency: "USD", Fee: true},
		"$22 + tax and service fee": {Minor: 2200, Currency: "USD", Tax: true, Fee: true},
		"Free":                      {Currency: "USD", Tax: true},
	} {
		if got := w.MoneyShort(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
