package money

import (
	"cmp"
	"slices"
	"strings"
)

// The currencies that Stripe can charge and that still circulate. Source: docs.stripe.com/currencies (zero-decimal
// list, special cases, minimum charge amounts).
const (
	twoDecimals = `
	AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP
	CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS
	KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
	PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SZL THB TJS TOP TRY TTD TWD TZS
	UAH USD UYU UZS WST XCD YER ZAR ZMW`
	noDecimals    = `BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF`
	threeDecimals = `BHD JOD KWD OMR TND` // their amounts must end in 0
)

// Sent as if they had other decimals than they have.
var special = []Info{
	{"ISK", 0, 2, 1, 0},
	{"MGA", 2, 0, 100, 0},
	{"UGX", 0, 2, 1, 0},
}

// minimums are the minimum charges published by Stripe, for an account that settles in the same currency; a business
// can be connected only in that case.
var minimums = map[Currency]int64{
	"AED": 200, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "CZK": 1500, "DKK": 250,
	"EUR": 50, "GBP": 30, "HKD": 400, "HUF": 17500, "INR": 50, "JPY": 50, "MXN": 1000, "MYR": 200,
	"NOK": 300, "NZD": 50, "PLN": 200, "RON": 200, "SEK": 300, "SGD": 50, "THB": 1000, "USD": 50,
}

var table = func() []Info {
	out := slices.Clone(special)
	for _, group := range []struct {
		codes            string
		digits, multiple int
	}{{twoDecimals, 2, 1}, {noDecimals, 0, 1}, {threeDecimals, 3, 10}} {
		for code := range strings.FieldsSeq(group.codes) {
			out = append(out, Info{Currency(code), group.digits, group.digits, int64(group.multiple), minimums[Currency(code)]})
		}
	}
	slices.SortFunc(out, func(a, b Info) int { return cmp.Compare(a.Code, b.Code) })
	return out
}()
