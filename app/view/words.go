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

// Words writes times, dates and money for one location and one reader. All times are shown in Zone, the location's
// own.
type Words struct {
	Locale string         // "en-US", "de", …: the language, the order of dates, 12 or 24 hours, and the format of money
	Zone   *time.Location // nil means UTC
	Now    time.Time      // determines Today and Tomorrow
}

// Price is an amount in minor units.
type Price struct {
	Minor    int64
	Currency money.Currency
	// Additions in the cart. Only a price in a list mentions them.
	Tax, Fee bool
}

// Lang returns the language of the texts.
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

// around splits a sentence at one of its placeholders, for markup in its place.
func (w Words) around(text words.Text, place string) (before, after string) {
	before, after, _ = strings.Cut(w.T(text), "{"+place+"}")
	return before, after
}

func (w Words) in(t time.Time) time.Time { return t.In(cmp.Or(w.Zone, time.UTC)) }

// Time returns "6:30", or "6:30 am" in a 12-hour locale.
func (w Words) Time(t time.Time) string {
	digits, half := w.clock(t)
	return strings.TrimSpace(digits + "\u00a0" + half)
}

// clock returns the time of day in two parts: "6:30" and "", or "6:30" and "am".
func (w Words) clock(t time.Time) (digits, half string) { return w.Lang().Clock(w.in(t)) }

// Span returns "6:30 to 7:30"; a half of the day that both share is written once: "6:30 to 7:30 am".
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

// DayName returns "Today", "Tomorrow" or the weekday, for use alone.
func (w Words) DayName(t time.Time) string {
	switch w.daysAhead(t) {
	case 0:
		return w.T("Today")
	case 1:
		return w.T("Tomorrow")
	}
	return w.Lang().Title(w.Lang().Weekday(w.in(t)))
}

// Day returns "20 Nov", with the year if it is not the current one.
func (w Words) Day(t time.Time) string { return w.date(t, words.Short) }

// ShortDate returns "Fri 20 Nov".
func (w Words) ShortDate(t time.Time) string { return w.date(t, words.ShortDate) }

// Date returns "Friday 20 November".
func (w Words) Date(t time.Time) string { return w.date(t, words.FullDate) }

func (w Words) date(t time.Time, f words.Format) string {
	return w.Lang().Date(w.in(t), w.in(w.Now), f)
}

// When returns a start and an end in words: "Friday 20 November, 6:30 to 7:30".
func (w Words) When(start time.Time, minutes int) string {
	return w.T("{day}, {time}", "day", w.Date(start), "time", w.Span(start, minutes))
}

// ShortWhen returns "Fri 20 Nov, 6:30".
func (w Words) ShortWhen(start time.Time) string {
	return w.T("{day}, {time}", "day", w.ShortDate(start), "time", w.Time(start))
}

// ZoneCity returns the city that a zone is named for ("Lisbon" of Europe/Lisbon); empty for other zones.
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

// Money returns a price with all its decimals: "$22.00".
func (w Words) Money(p Price) string { return w.plus(p, money.Format(p.Minor, p.Currency, w.Locale)) }

// MoneyShort returns a price without decimals that are all zero: "$22". Rows and lists use it; totals use Money.
func (w Words) MoneyShort(p Price) string {
	if p.Minor == 0 {
		return w.C("price", "Free")
	}
	return w.plus(p, money.FormatShort(p.Minor, p.Currency, w.Locale))
}

// plus adds the cart's additions to a price of a list: "$22 + tax".
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

// TimeLeft returns the time until t as "9:41", never below "0:00".
func (w Words) TimeLeft(t time.Time) string {
	s := w.SecondsLeft(t)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// SecondsLeft returns the number of seconds until a time; 0 if it has passed.
func (w Words) SecondsLeft(t time.Time) int {
	return max(0, int((t.Sub(w.Now)+time.Second-1)/time.Second))
}

// Length returns "60 min", and from two hours on "2 h" or "2 h 30 min".
func (w Words) Length(minutes int) string {
	if minutes < 120 {
		return w.T("{n} min", "n", minutes)
	}
	if minutes%60 == 0 {
		return w.T("{n} h", "n", minutes/60)
	}
	return w.T("{hours} h {minutes} min", "hours", minutes/60, "minutes", minutes%60)
}

// People returns "1 person" or "4 people".
func (w Words) People(n int) string { return w.N(n, "{n} person", "{n} people") }

// Several returns "4 people"; empty for one.
func (w Words) Several(n int) string {
	if n < 2 {
		return ""
	}
	return w.People(n)
}

// NonEmpty returns the parts that are not empty. It modifies the slice passed to it.
func NonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// Joined joins the parts that are not empty.
func Joined(by string, parts ...string) string { return strings.Join(NonEmpty(parts...), by) }

// FewSpots is the highest number of free spots that a row shows.
const FewSpots = 5

// SpotsLeft returns "4 spots left" for few spots, and empty for many, none, or an unlimited number.
func (w Words) SpotsLeft(n int) string {
	if n <= 0 || n > FewSpots {
		return ""
	}
	return w.N(n, "{n} spot left", "{n} spots left")
}
