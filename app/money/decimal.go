package money

import (
	"strconv"
	"strings"
)

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
