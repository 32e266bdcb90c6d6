package money_test

import (
	"testing"

	"foyer/app/money"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		cur  money.Currency
		want int64
		ok   bool
	}{
		{"22", "USD", 2200, true}, {" 22.5 ", "USD", 2250, true}, {"22,50", "EUR", 2250, true}, {"0", "USD", 0, true}, {".5", "USD", 50, true},
		{"1500", "JPY", 1500, true}, {"1.250", "KWD", 1250, true},
		{"", "USD", 0, false}, {".", "USD", 0, false}, {"-1", "USD", 0, false}, {"$5", "USD", 0, false}, {"1,000", "USD", 0, false},
		{"1.5", "JPY", 0, false}, {"1.2.3", "USD", 0, false}, {"9999999999999", "USD", 0, false},
	} {
		info, _ := money.Lookup(c.cur)
		got, err := info.Parse(c.text)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q %s = %d, %v", c.text, c.cur, got, err)
		}
	}
}
