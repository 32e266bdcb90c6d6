package money_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"foyer/app/money"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		minor         int64
		cur           money.Currency
		locale        string
		long, shorter string
	}{
		{2200, "USD", "en", "$22.00", "$22"},
		{2250, "USD", "en", "$22.50", "$22.50"},
		{2205, "USD", "en-US", "$22.05", "$22.05"},
		{0, "USD", "en", "$0.00", "$0"},
		{-500, "USD", "en", "-$5.00", "-$5"},
		{123456789, "USD", "en", "$1,234,567.89", "$1,234,567.89"},
		{2200, "JPY", "en", "¥2,200", "¥2,200"},
		{2200, "EUR", "de", "22,00\u00a0€", "22\u00a0€"},
		{2200, "GBP", "en-GB", "£22.00", "£22"},
		{2200, "USD", "en-CA", "US$22.00", "US$22"},
		{22500, "KWD", "en", "KWD\u00a022.500", "KWD\u00a022.500"},
		{22000, "KWD", "en", "KWD\u00a022.000", "KWD\u00a022"},
		{2200, "USD", "zz-unknown", "$22.00", "$22"},
		{2200, "USD", "", "$22.00", "$22"},
		{2200, "USD", "_US", "$22.00", "$22"}, // no language
		{2200, "AED", "-AE", "AED\u00a022.00", "AED\u00a022"},
		{2200, "US", "en", "2200\u00a0US", "2200\u00a0US"},
		{2200, "", "en", "2200", "2200"},
	} {
		if got := money.Format(c.minor, c.cur, c.locale); got != c.long {
			t.Errorf("Format(%d, %s, %s) = %q, want %q", c.minor, c.cur, c.locale, got, c.long)
		}
		if got := money.FormatShort(c.minor, c.cur, c.locale); got != c.shorter {
			t.Errorf("FormatShort(%d, %s, %s) = %q, want %q", c.minor, c.cur, c.locale, got, c.shorter)
		}
	}
}

// For any locale of a business or a browser, an amount is never an empty string and never loses a digit.
func TestFormatShowsEveryDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.SampledFrom(money.Currencies()).Draw(t, "currency")
		locale := rapid.OneOf(
			rapid.StringMatching(`[a-z]{2,3}([-_][A-Z][a-z]{3})?([-_][A-Z]{2})?`),
			rapid.String(),
		).Draw(t, "locale")
		minor := rapid.Int64Range(0, 1<<53).Draw(t, "minor")
		got := money.Format(minor, i.Code, locale)
		digits := 0
		for _, r := range got {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		if want := len(strings.ReplaceAll(i.Decimal(minor), ".", "")); digits < want {
			t.Fatalf("%d %s in %q is %q", minor, i.Code, locale, got)
		}
	})
}
