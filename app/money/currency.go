package money

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bojanz/currency"
)

// Currency is an ISO 4217 code in upper case: "USD".
type Currency string

// Info describes a currency that can be charged.
type Info struct {
	Code           Currency
	Digits         int   // ISO exponent: one unit of ours is 10^-Digits of the currency
	StripeDigits   int   // exponent of the unit of Stripe's API; ISK and UGX are sent as if they had two, MGA as if none
	ChargeMultiple int64 // a card amount, in our units, is a multiple of this
	MinCharge      int64 // least card amount in our units; 0 where Stripe publishes none and decides by conversion
}

// MaxStripeAmount is the largest amount of one card payment, in Stripe's units: eight digits.
const MaxStripeAmount = 99_999_999

// Lookup finds a currency by its upper-case code. A business can only be set to a currency that is found.
func Lookup(code Currency) (Info, bool) {
	at, ok := slices.BinarySearchFunc(table, code, func(i Info, code Currency) int { return cmp.Compare(i.Code, code) })
	if !ok {
		return Info{}, false
	}
	return table[at], true
}

// Currencies lists every currency of the table, in alphabetical order. The caller owns the slice.
func Currencies() []Info {
	return slices.Clone(table)
}

// ForCountry is the currency of a country by its two-letter upper-case code, when the product can charge it.
func ForCountry(country string) (Currency, bool) {
	code, ok := currency.ForCountryCode(country)
	if !ok {
		return "", false
	}
	_, ok = Lookup(Currency(code))
	return Currency(code), ok
}

// ToStripe converts minor units of ours, positive or negative, to the unit of Stripe's API. It refuses an amount that
// cannot be charged in this currency: not a multiple of ChargeMultiple, or out of range.
func (i Info) ToStripe(minor int64) (int64, error) {
	if minor%i.ChargeMultiple != 0 {
		return 0, fmt.Errorf("money: %d %s is not a multiple of %d", minor, i.Code, i.ChargeMultiple)
	}
	return scale(minor, i.StripeDigits-i.Digits, i.Code)
}

// FromStripe converts an amount in Stripe's unit to minor units of ours. It refuses an amount that has no exact value.
func (i Info) FromStripe(amount int64) (int64, error) {
	return scale(amount, i.Digits-i.StripeDigits, i.Code)
}

// scale multiplies by 10^power, exactly.
func scale(n int64, power int, code Currency) (int64, error) {
	factor := pow10(max(power, -power))
	if power < 0 {
		if n%factor != 0 {
			return 0, fmt.Errorf("money: %d %s has no exact value in the other unit", n, code)
		}
		return n / factor, nil
	}
	if n > math.MaxInt64/factor || n < math.MinInt64/factor {
		return 0, fmt.Errorf("money: %d %s is out of range", n, code)
	}
	return n * factor, nil
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// Decimal writes an amount for machines: a plain decimal with all digits of the currency and a dot, no symbol and no
// grouping. Decimal(-2205, USD) is "-22.05", Decimal(2200, JPY) is "2200". For exports, accounting and structured data.
func (i Info) Decimal(minor int64) string {
	s := strconv.FormatInt(minor, 10)
	sign := ""
	if minor < 0 {
		sign, s = "-", s[1:]
	}
	if i.Digits == 0 {
		return sign + s
	}
	if len(s) <= i.Digits {
		s = strings.Repeat("0", i.Digits-len(s)+1) + s
	}
	cut := len(s) - i.Digits
	return sign + s[:cut] + "." + s[cut:]
}
