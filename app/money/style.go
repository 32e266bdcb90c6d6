package money

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bojanz/currency"
)

// style is how amounts of one currency are written in one locale. The library has the data, but builds its formatter
// anew for every amount, which was a sixth of the cost of a schedule. So the style is read once from what the library
// writes for a few numbers, and amounts are then written from it.
type style struct {
	cur      Currency
	locale   currency.Locale
	decimals int
	learned  bool // the fields below are complete; if not, the library formats every amount

	plus, minus  affixes
	digits       [10]string
	point, comma string // in front of the decimals, and between groups
	group        int    // digits of the last group in front of the decimals
	groups       int    // digits of each group in front of that
	groupedFrom  int    // digits of the shortest number that has groups; 0: none has
}

// affixes are the texts around a number.
type affixes struct{ before, after string }

// styles are the styles in use.
var styles = struct {
	sync.RWMutex
	known map[styleKey]*style
}{known: map[styleKey]*style{}}

type styleKey struct {
	cur    Currency
	locale string
}

// stylesMost bounds the styles: the locales can be made up. When there are more, they are read again.
const stylesMost = 2000

// styleOf returns the style of a currency in a locale; nil for an unknown currency.
func styleOf(cur Currency, locale string) *style {
	key := styleKey{cur, locale}
	styles.RLock()
	s := styles.known[key]
	styles.RUnlock()
	if s != nil {
		return s
	}
	decimals, ok := currency.GetDigits(string(cur))
	if !ok {
		return nil
	}
	s = &style{cur: cur, locale: known(locale), decimals: int(decimals)}
	s.learned = s.learn()
	styles.Lock()
	defer styles.Unlock()
	if len(styles.known) >= stylesMost {
		clear(styles.known)
	}
	styles.known[key] = s
	return s
}

// learn reads the style. It reports false when the library writes something that a style cannot describe.
func (s *style) learn() (ok bool) {
	if s.plus, ok = around(s.probe("0", 0)); !ok {
		return false
	}
	if s.minus, ok = around(s.probe("-1", 0)); !ok {
		return false
	}
	for d := range s.digits {
		s.digits[d], ok = s.plus.inside(s.probe(string(rune('0'+d)), 0))
		if !ok || utf8.RuneCountInString(s.digits[d]) != 1 {
			return false
		}
	}
	half, ok := s.plus.inside(s.probe("1.5", 1))
	s.point = strings.TrimSuffix(strings.TrimPrefix(half, s.digits[1]), s.digits[5])
	return ok && half == s.digits[1]+s.point+s.digits[5] && s.learnGroups()
}

// learnGroups reads how digits are grouped, from the longest number of an int64 and from the shortest with groups.
func (s *style) learnGroups() bool {
	const longest = 19
	ones, ok := s.plus.inside(s.probe(strings.Repeat("1", longest), 0))
	if !ok {
		return false
	}
	if ones == strings.Repeat(s.digits[1], longest) {
		return true
	}
	s.comma = strings.TrimLeft(ones, s.digits[1])
	s.comma = s.comma[:strings.Index(s.comma, s.digits[1])]
	parts := strings.Split(ones, s.comma)
	count := func(part string) int { return len(part) / len(s.digits[1]) }
	s.group, s.groups = count(parts[len(parts)-1]), count(parts[len(parts)-2])
	for s.groupedFrom = s.group + 1; ; s.groupedFrom++ {
		short, ok := s.plus.inside(s.probe(strings.Repeat("1", s.groupedFrom), 0))
		if !ok || s.groupedFrom == longest {
			return false
		}
		if strings.Contains(short, s.comma) {
			return true
		}
	}
}

// probe is a number as the library writes it with so many decimals.
func (s *style) probe(number string, decimals int) string {
	amount, err := currency.NewAmount(number, string(s.cur))
	if err != nil {
		return ""
	}
	return s.formatted(amount, decimals)
}

// around takes the texts around a number of one digit. It reports false when there are other digits.
func around(text string) (affixes, bool) {
	at := strings.IndexFunc(text, unicode.IsDigit)
	if at < 0 {
		return affixes{}, false
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	a := affixes{text[:at], text[at+size:]}
	return a, strings.IndexFunc(a.after, unicode.IsDigit) < 0
}

// inside takes the number from between the texts around it.
func (a affixes) inside(text string) (string, bool) {
	text, before := strings.CutPrefix(text, a.before)
	text, after := strings.CutSuffix(text, a.after)
	return text, before && after
}
