package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/app/money"
	"foyer/app/words"
)

// Words writes times, dates and money for one place and one reader. All times are shown in Zone, the location's own.
type Words struct {
	Locale string         // "en-US", "de", …: the language, the order of dates, 12 or 24 hours, and how money looks
	Zone   *time.Location // nil means UTC
	Now    time.Time      // decides what reads Today and Tomorrow
}

// Price is an amount in minor units.
type Price struct {
	Minor    int64
	Currency money.Currency
	// What the cart adds to it: only a price of a list says that something is added.
	Tax, Fee bool
}

// Lang is the language that all of it is in.
func (w Words) Lang() *words.Lang { return words.In(w.Locale) }

// T translates a sentence; see words.Lang.
func (w Words) T(text words.Text, values ...any) string { return w.Lang().T(text, values...) }

// C translates a short text by its context; see words.Lang.
func (w Words) C(context string, text words.Text, values ...any) string {
	return w.Lang().C(context, text, values...)
}

// N translates a sentence with a number; see words.Lang.
func (w Words) N(n int, one, many words.Text, values ...any) string {
	return w.Lang().N(n, one, many, values...)
}

// around is a sentence in two, before and after one of its places, where markup stands in for it.
func (w Words) around(text words.Text, place string) (before, after string) {
	before, after, _ = strings.Cut(w.T(text), "{"+place+"}")
	return before, after
}

func (w Words) in(t time.Time) time.Time { return t.In(cmp.Or(w.Zone, time.UTC)) }

// Time is "6:30", or "6:30 am" where people read it so.
func (w Words) Time(t time.Time) string {
	digits, half := w.clock(t)
	return strings.TrimSpace(digits + "\u00a0" + half)
}

// clock is the time of day in two parts: "6:30" and "", or "6:30" and "am".
func (w Words) clock(t time.Time) (digits, half string) { return w.Lang().Clock(w.in(t)) }

// Span is "6:30 to 7:30"; with a half of the day that both share written once: "6:30 to 7:30 am".
func (w Words) Span(start time.Time, minutes int) string {
	end := start.Add(time.Duration(minutes) * time.Minute)
	if minutes <= 0 {
		return w.Time(start)
	}
	from := w.Time(start)
	if digits, half := w.clock(start); half != "" {
		if _, other := w.clock(end); other == half {
			from = digits
		}
	}
	return w.T("{from} to {end}", "from", from, "end", w.Time(end))
}

// daysAhead counts midnights between now and t on the wall calendar of the zone.
func (w Words) daysAhead(t time.Time) int {
	day := func(t time.Time) time.Time {
		y, m, d := w.in(t).Date()
		return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
	}
	return int(day(t).Sub(day(w.Now)).Hours() / 24)
}

// DayName is "Today", "Tomorrow" or the weekday, as it stands alone.
func (w Words) DayName(t time.Time) string {
	switch w.daysAhead(t) {
	case 0:
		return w.T("Today")
	case 1:
		return w.T("Tomorrow")
	}
	return w.Lang().Title(w.Lang().Weekday(w.in(t)))
}

// Day is "20 Nov", with the year when it is not this one.
func (w Words) Day(t time.Time) string { return w.date(t, words.Short) }

// ShortDate is "Fri 20 Nov".
func (w Words) ShortDate(t time.Time) string { return w.date(t, words.ShortDate) }

// Date is "Friday 20 November".
func (w Words) Date(t time.Time) string { return w.date(t, words.FullDate) }

func (w Words) date(t time.Time, f words.Format) string {
	return w.Lang().Date(w.in(t), w.in(w.Now), f)
}

// When is a whole appointment in words: "Friday 20 November, 6:30 to 7:30".
func (w Words) When(start time.Time, minutes int) string {
	return w.T("{day}, {time}", "day", w.Date(start), "time", w.Span(start, minutes))
}

// ShortWhen is "Fri 20 Nov, 6:30".
func (w Words) ShortWhen(start time.Time) string {
	return w.T("{day}, {time}", "day", w.ShortDate(start), "time", w.Time(start))
}

// ZoneCity is the city a zone is named for ("Lisbon" of Europe/Lisbon), empty for zones that are no place.
func (w Words) ZoneCity() string {
	if w.Zone == nil {
		return ""
	}
	_, city, ok := strings.Cut(w.Zone.String(), "/")
	if !ok || strings.HasPrefix(w.Zone.String(), "Etc/") {
		return ""
	}
	if i := strings.LastIndexByte(city, '/'); i >= 0 {
		city = city[i+1:]
	}
	return strings.ReplaceAll(city, "_", " ")
}

// Money is a price with all its decimals: "$22.00".
func (w Words) Money(p Price) string { return w.plus(p, money.Format(p.Minor, p.Currency, w.Locale)) }

// MoneyShort is a price without decimals that are all zero: "$22". Rows and lists use it; totals use Money.
func (w Words) MoneyShort(p Price) string {
	if p.Minor == 0 {
		return w.C("price", "Free")
	}
	return w.plus(p, money.FormatShort(p.Minor, p.Currency, w.Locale))
}

// plus says what is added to a price of a list: "$22 + tax".
func (w Words) plus(p Price, price string) string {
	switch {
	case p.Tax && p.Fee:
		return w.T("{price} + tax and service fee", "price", price)
	case p.Tax:
		return w.T("{price} + tax", "price", price)
	case p.Fee:
		return w.T("{price} + service fee", "price", price)
	}
	return price
}

// TimeLeft is what remains until t as "9:41", never below "0:00".
func (w Words) TimeLeft(t time.Time) string {
	s := w.SecondsLeft(t)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// SecondsLeft is how many seconds there are until a time; 0 when it is over.
func (w Words) SecondsLeft(t time.Time) int {
	return max(0, int((t.Sub(w.Now)+time.Second-1)/time.Second))
}

// Length is "60 min", and from two hours on "2 h" or "2 h 30 min".
func (w Words) Length(minutes int) string {
	if minutes < 120 {
		return w.T("{n} min", "n", minutes)
	}
	if minutes%60 == 0 {
		return w.T("{n} h", "n", minutes/60)
	}
	return w.T("{hours} h {minutes} min", "hours", minutes/60, "minutes", minutes%60)
}

// People is "1 person" or "4 people".
func (w Words) People(n int) string { return w.N(n, "{n} person", "{n} people") }

// Several is "4 people"; empty for one.
func (w Words) Several(n int) string {
	if n < 2 {
		return ""
	}
	return w.People(n)
}

// NonEmpty are the parts that say something. A slice that is handed to it is changed.
func NonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// Joined joins the parts that say something.
func Joined(by string, parts ...string) string { return strings.Join(NonEmpty(parts...), by) }

// FewSpots is from how many free spots on a row says how many are left.
const FewSpots = 5

// SpotsLeft is "4 spots left" when they are few, and empty when there are plenty, none, or no number is kept.
func (w Words) SpotsLeft(n int) string {
	if n <= 0 || n > FewSpots {
		return ""
	}
	return w.N(n, "{n} spot left", "{n} spots left")
}
