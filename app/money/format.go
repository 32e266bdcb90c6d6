package money

import (
	"strconv"
	"strings"

	"github.com/bojanz/currency"
)

// Format formats an amount for people, with the symbol, separators and digits of the locale and all decimals of the
// currency: Format(2200, "USD", "en") is "$22.00", Format(2200, "JPY", "en") is "¥2,200", Format(2200, "EUR", "de")
// is "22,00 €" with a no-break space. An unknown locale is formatted as English. A code that is not a known currency
// follows the bare number, because a receipt with an odd amount beats a page that fails.
func Format(minor int64, cur Currency, locale string) string {
	return format(minor, cur, locale, false)
}

// FormatShort is Format without decimals when they are all zero: "$22", "$22.50". For schedule rows and price lists;
// receipts and totals use Format.
func FormatShort(minor int64, cur Currency, locale string) string {
	return format(minor, cur, locale, true)
}

func format(minor int64, cur Currency, locale string, short bool) string {
	s := styleOf(cur, locale)
	if s == nil {
		return strings.TrimSpace(strconv.FormatInt(minor, 10) + "\u00a0" + string(cur))
	}
	short = short && minor%pow10(s.decimals) == 0
	if !s.learned {
		return s.library(minor, short)
	}
	return s.write(minor, short)
}

// library formats an amount with the library alone.
func (s *style) library(minor int64, short bool) string {
	amount, err := currency.NewAmountFromInt64(minor, string(s.cur))
	if err != nil {
		return ""
	}
	if short {
		return s.formatted(amount, 0)
	}
	return s.formatted(amount, s.decimals)
}

func (s *style) formatted(amount currency.Amount, decimals int) string {
	f := currency.NewFormatter(s.locale)
	f.MinDigits, f.MaxDigits = uint8(decimals), uint8(decimals)
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

// zeros stand in front of an amount that has fewer digits than its decimals.
const zeros = "00000000000000000000"

// write formats an amount; whole leaves the decimals out.
func (s *style) write(minor int64, whole bool) string {
	around, n := s.plus, uint64(minor)
	if minor < 0 {
		around, n = s.minus, -n
	}
	var room [40]byte // 20 digits of an amount behind as many zeros
	digits := strconv.AppendUint(append(room[:0], zeros...), n, 10)
	digits = digits[min(len(zeros), len(digits)-s.decimals-1):]
	units, part := digits[:len(digits)-s.decimals], digits[len(digits)-s.decimals:]
	var b strings.Builder
	b.Grow(len(around.before) + len(around.after) + 2*len(digits))
	b.WriteString(around.before)
	s.writeGroups(&b, units)
	if !whole && len(part) > 0 {
		b.WriteString(s.point)
		s.writeDigits(&b, part)
	}
	b.WriteString(around.after)
	return b.String()
}

// writeGroups writes the digits before the point.
func (s *style) writeGroups(b *strings.Builder, digits []byte) {
	if s.groupedFrom == 0 || len(digits) < s.groupedFrom {
		s.writeDigits(b, digits)
		return
	}
	first := (len(digits) - s.group) % s.groups
	if first == 0 {
		first = s.groups
	}
	for len(digits) > s.group {
		s.writeDigits(b, digits[:first])
		b.WriteString(s.comma)
		digits, first = digits[first:], s.groups
	}
	s.writeDigits(b, digits)
}

func (s *style) writeDigits(b *strings.Builder, digits []byte) {
	for _, d := range digits {
		b.WriteString(s.digits[d-'0'])
	}
}
