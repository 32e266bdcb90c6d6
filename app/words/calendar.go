package words

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

//go:embed cldr.json
var cldr []byte

// calendar has the date formats of a language; a country has only its differences from the language.
type calendar struct {
	Days        []string          // from Sunday on
	ShortDays   []string          // the same
	Months      []string          // from January on
	ShortMonths []string          // the same
	Halves      []string          // of the day: am and pm
	Patterns    map[string]string // by skeleton, CLDR's names
	halfDays    bool              // clocks have twelve hours
	weekStart   time.Weekday      // the first day of a week
	clock       string            // pattern of a time of day, without its half
}

var unicodeData = sync.OnceValue(func() (data struct {
	HalfDays   []string
	WeekStarts map[string]time.Weekday // of regions where that is not Monday
	Locales    map[string]calendar
}) {
	if err := json.Unmarshal(cldr, &data); err != nil {
		panic(err)
	}
	return data
})

// Format is a way to write a date. A date of another year has its year with all of them.
type Format int

// The formats.
const (
	Short     Format = iota // "20 Nov"
	ShortDate               // "Fri 20 Nov"
	FullDate                // "Friday 20 November"
	MonthYear               // "November 2026"
)

// skeletons are CLDR's names for the formats, without a year and with it.
var skeletons = map[Format][2]string{
	Short: {"MMMd", "yMMMd"}, ShortDate: {"MMMEd", "yMMMEd"}, FullDate: {"MMMMEd", "full"}, MonthYear: {"yMMMM", "yMMMM"},
}

// calendarOf is how a language's dates are written in a country.
func calendarOf(base, region string) calendar {
	data := unicodeData()
	c := data.Locales[base]
	c.Patterns = maps.Clone(c.Patterns)
	own, ok := data.Locales[base+"-"+region]
	if !ok && base == English && region != "US" { // CLDR's en is that of the United States
		own = data.Locales["en-001"]
	}
	for _, list := range []struct{ to, own *[]string }{
		{&c.Days, &own.Days}, {&c.ShortDays, &own.ShortDays}, {&c.Months, &own.Months}, {&c.ShortMonths, &own.ShortMonths}, {&c.Halves, &own.Halves},
	} {
		if len(*list.own) > 0 {
			*list.to = *list.own
		}
	}
	maps.Copy(c.Patterns, own.Patterns)
	if c.Patterns["MMMMEd"] == "" { // as CLDR's rule for a pattern that is not there: the next one, with its fields made longer
		c.Patterns["MMMMEd"] = strings.NewReplacer("E", "EEEE", "MMM", "MMMM").Replace(c.Patterns["MMMEd"])
	} else {
		c.Patterns["MMMMEd"] = strings.NewReplacer("ccc", "EEEE", "E", "EEEE").Replace(c.Patterns["MMMMEd"])
	}
	c.halfDays, c.weekStart = halfDays(base, region, ok), time.Monday
	if day, ok := data.WeekStarts[region]; ok {
		c.weekStart = day
	}
	if base == English {
		c.plainEnglish()
	}
	if c.clock = c.Patterns["Hm"]; c.halfDays {
		c.clock = strings.TrimFunc(strings.ReplaceAll(c.Patterns["hm"], "a", ""), unicode.IsSpace)
	}
	return c
}

// halfDays reports whether the clock has twelve hours for readers of a language in a country. English has it if the
// country does. Any other language has its own clock, unless CLDR lists it for the country: a German reader in New
// York gets 18:30, and a Spanish one 6:30 p.m.
func halfDays(base, region string, home bool) bool {
	const quebec = "fr-CA" // of all languages at home in a country of twelve hours the one that counts to 24
	return slices.Contains(unicodeData().HalfDays, region) && (home || base == English) && base+"-"+region != quebec
}

// plainEnglish is how a printed timetable writes English: no comma after a weekday where the day comes first, months
// of three letters, am and pm in small letters, hours without a leading zero. CLDR's English is that of a letter.
func (c *calendar) plainEnglish() {
	c.Halves = []string{"am", "pm"}
	c.ShortMonths = unicodeData().Locales[English].ShortMonths
	c.Patterns["Hm"] = "H:mm"
	if strings.HasPrefix(c.Patterns["MMMd"], "d") {
		for skeleton, pattern := range c.Patterns {
			c.Patterns[skeleton] = strings.Replace(pattern, ",", "", 1)
		}
	}
}

// Date writes the date of t, with its year when it is another one than now's. Both have the wall clock that counts.
func (l *Lang) Date(t, now time.Time, f Format) string {
	skeleton := skeletons[f][0]
	if t.Year() != now.Year() {
		skeleton = skeletons[f][1]
	}
	return l.days.write(t, l.days.Patterns[skeleton])
}

// Weekday returns the name of a weekday: "Friday".
func (l *Lang) Weekday(t time.Time) string { return l.days.Days[t.Weekday()] }

// ShortWeekday returns the abbreviated name of a weekday: "Fri".
func (l *Lang) ShortWeekday(t time.Time) string { return l.days.ShortDays[t.Weekday()] }

// WeekStart returns the first day of the week in the language's country: Monday, unless CLDR has another one.
func (l *Lang) WeekStart() time.Weekday { return l.days.weekStart }

// HalfDays reports whether clocks have twelve hours in the language's country.
func (l *Lang) HalfDays() bool { return l.days.halfDays }

// Week returns the days of a week in the order of the language's country.
func (l *Lang) Week() []time.Weekday {
	days := make([]time.Weekday, 7)
	for i := range days {
		days[i] = (l.days.weekStart + time.Weekday(i)) % 7
	}
	return days
}

// Clock is the time of day in two parts: "18:30" and "", or "6:30" and "pm" where clocks have twelve hours.
func (l *Lang) Clock(t time.Time) (digits, half string) {
	if digits = l.days.write(t, l.days.clock); l.days.halfDays {
		half = l.days.Halves[t.Hour()/12]
	}
	return digits, half
}

// write fills a pattern of CLDR: letters are fields, as many of them as the field is long; quoted text is copied.
func (c *calendar) write(t time.Time, pattern string) string {
	var b strings.Builder
	for len(pattern) > 0 {
		r := pattern[0]
		if r == '\'' {
			quoted, rest, _ := strings.Cut(pattern[1:], "'")
			b.WriteString(quoted)
			pattern = rest
			continue
		}
		n := 1
		if r >= utf8.RuneSelf {
			_, n = utf8.DecodeRuneInString(pattern)
		}
		for r < utf8.RuneSelf && n < len(pattern) && pattern[n] == r {
			n++
		}
		b.WriteString(c.field(t, pattern[:n]))
		pattern = pattern[n:]
	}
	return b.String()
}

func (c *calendar) field(t time.Time, field string) string {
	number := func(n int) string {
		if s := strconv.Itoa(n); len(s) >= len(field) {
			return s
		}
		return "0" + strconv.Itoa(n)
	}
	switch field[0] {
	case 'y':
		return strconv.Itoa(t.Year())
	case 'M', 'L':
		switch len(field) {
		case 4:
			return c.Months[t.Month()-1]
		case 3:
			return c.ShortMonths[t.Month()-1]
		}
		return number(int(t.Month()))
	case 'd':
		return number(t.Day())
	case 'E', 'c':
		if len(field) == 4 {
			return c.Days[t.Weekday()]
		}
		return c.ShortDays[t.Weekday()]
	case 'H':
		return number(t.Hour())
	case 'h':
		return number((t.Hour()+11)%12 + 1)
	case 'm':
		return number(t.Minute())
	case 'a':
		return c.Halves[t.Hour()/12]
	}
	return field
}

// Title returns words as a heading: most languages write weekdays in lower case, but not there.
func (l *Lang) Title(s string) string { return title(s) }

func title(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
