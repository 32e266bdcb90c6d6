package view

import (
	"slices"
	"time"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/schedule"
	"foyer/app/words"
)

// Conversions of domain results for pages and embeds: the same rows, figures and words in both.

// WordsAt returns the formatting of a location in a language: times on its own wall clock, dates and money in the
// order of its country.
func WordsAt(language, country string, zone *time.Location, now time.Time) Words {
	return Words{Locale: Joined("-", language, country), Zone: zone, Now: now}
}

// Noon returns an instant inside a date, far from every change of the clock.
func Noon(d civil.Date, zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, zone)
}

// ActionOf returns the action that a date or a time offers the customer. A course is booked as a whole, on its page.
func ActionOf(x schedule.PublicOccurrence) Action {
	switch x.Obstacle {
	case "":
		return ActionBook
	case schedule.ObstacleFull, schedule.ObstacleTooLate, schedule.ObstacleTooEarly:
		if x.Waitlist {
			return ActionWaitlist
		}
		if x.Full() {
			return ActionFull
		}
	}
	return ActionDetails
}

// RowOf returns a date of a timetable without its address. price is its price, as PriceAt returns it.
func RowOf(x schedule.PublicOccurrence, price *Price) Row {
	return Row{
		Start: x.StartsAt, Minutes: x.Minutes(), Name: x.Name, Who: x.Instructor, Where: x.Space,
		Price: price, Spots: x.Spots, Action: ActionOf(x), Course: x.Course,
	}
}

// headings are the default headings.
var headings = []words.Text{"Classes", "Appointments", "Rentals"}

// Heading returns a heading of a studio: its own words as they are, and the default ones translated.
func (w Words) Heading(heading string) string {
	if text := words.Text(heading); slices.Contains(headings, text) {
		return w.T(text)
	}
	return heading
}

// PriceAt returns the price of a date or a time of a location, as lists show it.
func PriceAt(x schedule.PublicOccurrence, p schedule.Location) *Price {
	return new(Shown(x.PriceAmount, x.Party, x.Pricing, p.Currency))
}

// Shown returns a listed price for a number of people. Pages, embeds and mails show prices only through it.
func Shown(minor int64, people int, p catalog.Pricing, cur money.Currency) Price {
	l := order.ListPriceOf(minor, people, p, cur)
	return Price{Minor: l.Amount, Currency: cur, Tax: l.Tax, Fee: l.Fee}
}

// LengthsOf returns "60 min", or "45 to 90 min" with a choice of lengths.
func (w Words) LengthsOf(l catalog.Listing) string { return w.lengthRange(choicesOf(l)) }

// PriceOf returns "$60", "from $45" with a choice of lengths, and "$15 each" where every person pays.
func (w Words) PriceOf(l catalog.Listing) string {
	return w.priceRange(choicesOf(l), l.Pricing, l.Currency, l.PerHead())
}

// choicesOf returns the lengths of a listing with their prices: one at least.
func choicesOf(l catalog.Listing) []catalog.Duration {
	if len(l.Durations) > 0 {
		return l.Durations
	}
	return []catalog.Duration{{Minutes: l.DurationMinutes, PriceAmount: l.PriceAmount}}
}

func (w Words) lengthRange(list []catalog.Duration) string {
	least, most := list[0].Minutes, list[0].Minutes
	for _, d := range list {
		least, most = min(least, d.Minutes), max(most, d.Minutes)
	}
	switch {
	case least == most:
		return w.Length(least)
	case most < 120:
		return w.T("{least} to {most} min", "least", least, "most", most)
	}
	return w.T("{least} to {most}", "least", w.Length(least), "most", w.Length(most))
}

func (w Words) priceRange(list []catalog.Duration, p catalog.Pricing, cur money.Currency, each bool) string {
	least, same := list[0].PriceAmount, true
	for _, d := range list {
		same = same && d.PriceAmount == list[0].PriceAmount
		least = min(least, d.PriceAmount)
	}
	price := w.MoneyShort(Shown(least, 1, p, cur))
	if least == 0 && !same {
		price = money.FormatShort(0, cur, w.Locale)
	}
	each = each && least > 0
	switch {
	case each && !same:
		return w.T("from {price} each", "price", price)
	case each:
		return w.T("{price} each", "price", price)
	case !same:
		return w.T("from {price}", "price", price)
	}
	return price
}

// NextOn returns the next available time: "Next: Today 9:30", "Next: Friday 9:30", and with the date from a week on,
// when the name of a day would be ambiguous.
func (w Words) NextOn(t time.Time) string {
	if w.daysAhead(t) < 7 {
		return w.T("Next: {day} {time}", "day", w.dayWithin(t), "time", w.Time(t))
	}
	return w.T("Next: {when}", "when", w.ShortWhen(t))
}

// Soon returns an instant in words: "9:30" today, "Fri 20 Nov, 9:30" on another day.
func (w Words) Soon(t time.Time) string {
	if w.daysAhead(t) == 0 {
		return w.Time(t)
	}
	return w.ShortWhen(t)
}

// DayTitle returns a day as a heading: "Today", "Tomorrow", "Friday 20 November".
func (w Words) DayTitle(t time.Time) string {
	if n := w.daysAhead(t); n == 0 || n == 1 {
		return w.DayName(t)
	}
	return w.Lang().Title(w.Date(t))
}

// dayWithin is DayName inside a sentence, where most languages write it small.
func (w Words) dayWithin(t time.Time) string {
	switch w.daysAhead(t) {
	case 0:
		return w.C("within a sentence", "Today")
	case 1:
		return w.C("within a sentence", "Tomorrow")
	}
	return w.Lang().Weekday(w.in(t))
}

// shortDayAndTime is "Today 17:30", "Friday 17:30".
func (w Words) shortDayAndTime(t time.Time) string {
	return w.T("{day} {time}", "day", w.dayWithin(t), "time", w.Time(t))
}

// dayAndTime is the text of a time's link: "Today 17:30", "Friday 20 November 17:30".
func (w Words) dayAndTime(t time.Time) string {
	day := w.Date(t)
	if n := w.daysAhead(t); n == 0 || n == 1 {
		day = w.dayWithin(t)
	}
	return w.T("{day} {time}", "day", day, "time", w.Time(t))
}
