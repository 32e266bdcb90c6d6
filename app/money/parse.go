package money

import (
	"errors"
	"strconv"
	"strings"
)

// ErrAmount is returned for text that is not an amount of a currency.
var ErrAmount = errors.New("money: not an amount")

// Parse parses an amount as people type it: "22", "22.5" or "22,50", with at most the digits of the currency. A comma
// and a dot mean the same, and there is no grouping: "1,000" is ambiguous, so it is refused for three digits after
// the comma in a currency of two. A sign, a symbol and more than twelve digits before the comma are refused with
// ErrAmount.
func (i Info) Parse(text string) (int64, error) {
	whole, part, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(text), ",", "."), ".")
	if len(whole)+len(part) == 0 || len(whole) > 12 || len(part) > i.Digits {
		return 0, ErrAmount
	}
	for _, r := range whole + part {
		if r < '0' || r > '9' {
			return 0, ErrAmount
		}
	}
	minor, err := strconv.ParseInt(whole+part+strings.Repeat("0", i.Digits-len(part)), 10, 64)
	if err != nil {
		return 0, ErrAmount
	}
	return minor, nil
}
