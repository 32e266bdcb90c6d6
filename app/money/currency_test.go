package money_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bojanz/currency"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/money"
)

func TestTableAgreesWithISO(t *testing.T) {
	var last money.Currency
	for _, i := range money.Currencies() {
		digits, ok := currency.GetDigits(string(i.Code))
		if !ok {
			t.Errorf("%s cannot be formatted", i.Code)
		}
		if int(digits) != i.Digits {
			t.Errorf("%s has %d digits in the table, %d in ISO 4217", i.Code, i.Digits, digits)
		}
		if i.Code <= last {
			t.Errorf("%s is out of order", i.Code)
		}
		if i.MinCharge%i.ChargeMultiple != 0 {
			t.Errorf("%s: the least charge %d is not chargeable", i.Code, i.MinCharge)
		}
		last = i.Code
	}
}

func TestStripeUnits(t *testing.T) {
	for _, c := range []struct {
		code          money.Currency
		minor, stripe int64
	}{
		{"USD", 2200, 2200},
		{"JPY", 2200, 2200},
		{"ISK", 5, 500},
		{"UGX", 5, 500},
		{"KWD", 5120, 5120},
		{"MGA", 500, 5},
		{"HUF", 17500, 17500},
		{"USD", -2200, -2200},
		{"ISK", -5, -500},
	} {
		i := lookup(t, c.code)
		if got, err := i.ToStripe(c.minor); err != nil || got != c.stripe {
			t.Errorf("%d %s to Stripe = %d, %v; want %d", c.minor, c.code, got, err, c.stripe)
		}
		if got, err := i.FromStripe(c.stripe); err != nil || got != c.minor {
			t.Errorf("%d %s from Stripe = %d, %v; want %d", c.stripe, c.code, got, err, c.minor)
		}
	}
}

func TestStripeUnitsRefuse(t *testing.T) {
	for code, minor := range map[money.Currency]int64{"KWD": 5124, "MGA": 550, "ISK": 1 << 62} {
		if got, err := lookup(t, code).ToStripe(minor); err == nil {
			t.Errorf("%d %s was converted to %d", minor, code, got)
		}
	}
	if got, err := lookup(t, "ISK").FromStripe(550); err == nil {
		t.Errorf("5.50 ISK was converted to %d", got)
	}
}

// Every chargeable amount of every currency survives minor unit -> Stripe unit -> minor unit -> decimal string and
// back.
func TestRoundTripOverTheTable(t *testing.T) {
	for _, i := range money.Currencies() {
		t.Run(string(i.Code), func(t *testing.T) {
			property := func(t *rapid.T) {
				minor := rapid.Int64Range(-money.MaxStripeAmount, money.MaxStripeAmount).Draw(t, "units") * i.ChargeMultiple
				stripe, err := i.ToStripe(minor)
				if err != nil {
					t.Fatal(err)
				}
				back, err := i.FromStripe(stripe)
				if err != nil || back != minor {
					t.Fatalf("%d became %d, then %d (%v)", minor, stripe, back, err)
				}
				written := i.Decimal(minor)
				_, fraction, _ := strings.Cut(written, ".")
				parsed, err := strconv.ParseInt(strings.Replace(written, ".", "", 1), 10, 64)
				if err != nil || parsed != minor || len(fraction) != i.Digits {
					t.Fatalf("%d became %q, then %d (%v)", minor, written, parsed, err)
				}
			}
			for range walks.Steps(1, 500) { // of a hundred cases each
				rapid.Check(t, property)
			}
		})
	}
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		code  money.Currency
		minor int64
		want  string
	}{
		{"USD", 2205, "22.05"},
		{"USD", -5, "-0.05"},
		{"USD", 0, "0.00"},
		{"USD", -100, "-1.00"},
		{"JPY", 2200, "2200"},
		{"KWD", 1, "0.001"},
		{"USD", -9223372036854775808, "-92233720368547758.08"},
	} {
		if got := lookup(t, c.code).Decimal(c.minor); got != c.want {
			t.Errorf("Decimal(%d %s) = %q, want %q", c.minor, c.code, got, c.want)
		}
	}
}

func TestForCountry(t *testing.T) {
	for country, want := range map[string]money.Currency{"US": "USD", "GB": "GBP", "DE": "EUR", "JP": "JPY"} {
		if got, ok := money.ForCountry(country); !ok || got != want {
			t.Errorf("ForCountry(%s) = %s, %v", country, got, ok)
		}
	}
	for _, country := range []string{"", "us", "XX", "IR"} { // Iran has a currency, but not one that can be charged
		if got, ok := money.ForCountry(country); ok {
			t.Errorf("ForCountry(%q) = %s", country, got)
		}
	}
}

func TestCurrenciesIsACopy(t *testing.T) {
	list := money.Currencies()
	list[0].Digits = 9
	if slices.Equal(list, money.Currencies()) {
		t.Error("a caller can change the table")
	}
}

func lookup(t interface{ Fatalf(string, ...any) }, code money.Currency) money.Info {
	i, ok := money.Lookup(code)
	if !ok {
		t.Fatalf("%s is not in the table", code)
	}
	return i
}
