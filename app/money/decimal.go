package money

import (
	"fmt"
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

// ParseDecimal reads what Decimal writes, and shorter forms of it ("22", "22.5"), into minor units. It refuses more
// digits than the currency has, signs other than a leading "-", exponents, spaces and grouping: a price that is read
// wrongly is worse than one that is refused.
func (i Info) ParseDecimal(s string) (int64, error) {
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !digitsOnly(whole) || (dotted && !digitsOnly(fraction)) || len(fraction) > i.Digits {
		return 0, fmt.Errorf("money: %q is not an amount in %s", s, i.Code)
	}
	minor, err := strconv.ParseInt(sign(s)+whole+fraction+strings.Repeat("0", i.Digits-len(fraction)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("money: %q is out of range", s)
	}
	return minor, nil
}

func sign(s string) string {
	if strings.HasPrefix(s, "-") {
		return "-"
	}
	return ""
}

func digitsOnly(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}
