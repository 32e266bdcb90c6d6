package money

import (
	"strconv"
	"strings"

	"github.com/bojanz/currency"
)

// Format writes an amount for people, with the symbol, separators and digits of the locale and all decimals of the
// currency: Format(2200, "USD", "en") is "$22.00", Format(2200, "JPY", "en") is "¥2,200", Format(2200, "EUR", "de") is
// "22,00 €" with a no-break space. An unknown locale is written as English. A code that is not a known currency is
// written after the bare number, because a receipt that shows something odd beats a page that fails.
func Format(minor int64, cur Currency, locale string) string {
	return format(minor, cur, locale, false)
}

// FormatShort is Format without decimals when they are all zero: "$22", "$22.50". For schedule rows and price lists;
// receipts and totals use Format.
func FormatShort(minor int64, cur Currency, locale string) string {
	return format(minor, cur, locale, true)
}

func format(minor int64, cur Currency, locale string, short bool) string {
	amount, err := currency.NewAmountFromInt64(minor, string(cur))
	if err != nil {
		return strings.TrimSpace(strconv.FormatInt(minor, 10) + "\u00a0" + string(cur))
	}
	digits, _ := currency.GetDigits(string(cur))
	if short && minor%pow10(int(digits)) == 0 {
		digits = 0
	}
	f := currency.NewFormatter(known(locale))
	f.MinDigits, f.MaxDigits = digits, digits
	return f.Format(amount)
}

// known is the locale, or English when it names no language: the library then finds no format and would write nothing.
func known(id string) currency.Locale {
	l := currency.NewLocale(id)
	if l.Language == "" {
		return currency.Locale{Language: "en"}
	}
	return l
}
