package money_test

import (
	"testing"

	"foyer/app/money"
)

// What is read as an amount is written back as the same amount; nothing else is read.
func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"22.00", "-0.05", "1e9", "9223372036854775807", ".", "1.000"} {
		f.Add(s, "USD")
		f.Add(s, "KWD")
	}
	f.Fuzz(func(t *testing.T, s, code string) {
		i, ok := money.Lookup(money.Currency(code))
		if !ok {
			return
		}
		minor, err := i.ParseDecimal(s)
		if err != nil {
			return
		}
		if again, err := i.ParseDecimal(i.Decimal(minor)); err != nil || again != minor {
			t.Fatalf("%q is %d, written %q, read %d (%v)", s, minor, i.Decimal(minor), again, err)
		}
	})
}
