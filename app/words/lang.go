package words

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Text is an English sentence that has translations. Names in braces are places for values.
type Text string

// Console is a Text that only the console uses: its translations are in the console's catalogues.
type Console Text

// Lang writes in one language, in the way of one country. It is safe for concurrent use.
type Lang struct {
	tag     string // "de-AT"
	book    *catalogue
	days    calendar
	numbers *message.Printer
}

// langs are the languages in use, by locale. There are at most as many as languages times countries.
var langs sync.Map

// In is the language of a locale, "de" or "de-AT". One that has no catalogue is written in English, with the dates and
// clocks of its country.
func In(locale string) *Lang {
	if l, ok := langs.Load(locale); ok {
		return l.(*Lang)
	}
	base, region := split(locale)
	book := catalogues()[base]
	if book == nil {
		base = English
	}
	tag := base
	if region != "" {
		tag += "-" + region
	}
	numbers, err := language.Parse(tag)
	if err != nil { // a country that does not exist
		numbers = language.Make(base)
	}
	l := &Lang{tag: tag, book: book, days: calendarOf(base, region), numbers: message.NewPrinter(numbers)}
	if len(tag) <= len("en-US") {
		langs.Store(locale, l)
	}
	return l
}

// split is the language and the country of a locale; the country is empty when there is none.
func split(locale string) (base, region string) {
	base, rest, _ := strings.Cut(strings.ReplaceAll(locale, "_", "-"), "-")
	if i := strings.LastIndexByte(rest, '-'); i >= 0 {
		rest = rest[i+1:]
	}
	if len(rest) != 2 {
		rest = ""
	}
	return strings.ToLower(base), strings.ToUpper(rest)
}

// Tag is the locale as `lang` has it in HTML: "de-AT".
func (l *Lang) Tag() string { return l.tag }

// Base is the language alone: "de".
func (l *Lang) Base() string { base, _, _ := strings.Cut(l.tag, "-"); return base }

// T returns a sentence in the language. values are alternating names and values of its placeholders; an integer is
// formatted in the language, any other value as it is.
func (l *Lang) T(text Text, values ...any) string {
	return l.fill(l.book.text("", text), values)
}

// C is T for a word that other languages translate in more than one way; context names the meaning for the
// translator.
func (l *Lang) C(context string, text Text, values ...any) string {
	return l.fill(l.book.text(context, text), values)
}

// N returns a sentence about n things, in the plural form of the language for that number. {n} is the number.
func (l *Lang) N(n int, one, many Text, values ...any) string {
	return l.fill(l.book.plural(n, one, many), append([]any{"n", n}, values...))
}

// Number is a whole number with the language's separators: "1,480". Below a thousand there are none, and the printer,
// which sets up a formatter for each number, has nothing to add.
func (l *Lang) Number(n int) string {
	if 0 <= n && n < 1000 {
		return strconv.Itoa(n)
	}
	return l.numbers.Sprint(n)
}

// Percent writes parts per million: 82500 is "8.25%", in German "8,25\u00a0%".
func (l *Lang) Percent(ppm int64) string {
	return l.numbers.Sprint(number.Percent(float64(ppm)/1e6, number.MaxFractionDigits(4)))
}

// fill writes the values into their placeholders. A name without a value is left as it is, and tests find it. A page
// calls it a thousand times: it is one pass.
func (l *Lang) fill(text string, values []any) string {
	if len(values) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, opened := strings.Cut(text, "{")
		b.WriteString(before)
		if !opened {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		value, given := l.valueOf(name, values)
		if !closed || !given {
			b.WriteByte('{')
			text = rest
			continue
		}
		b.WriteString(value)
		text = after
	}
}

// valueOf is the value that values have of a name: they are names and values by turns.
func (l *Lang) valueOf(name string, values []any) (value string, given bool) {
	for i := 0; i+1 < len(values); i += 2 {
		if values[i] == name {
			return l.written(values[i+1]), true
		}
	}
	return "", false
}

func (l *Lang) written(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return l.Number(v)
	case int64:
		return l.Number(int(v))
	}
	return fmt.Sprint(v)
}
