package view

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"foyer/app/booking"
	"foyer/app/catalog"
)

// CancelTerms says in one sentence until when a booking is free to cancel and what it costs afterwards, as instants on the
// location's wall clock, because a length of time before the start is a riddle. It is made of booking.Costs, and so says what
// cancelling then does. Of a course b is the next date to come; something that is yet to be booked is a booking without an id,
// Requested where the studio answers first. Nothing for one that has begun or does not stand.
func CancelTerms(w Words, b booking.Booking, s booking.Stake) string {
	costs := b.Costs(s, w.Now)
	if len(costs) == 0 {
		return ""
	}
	if b.State == booking.Requested {
		b.State = booking.Confirmed
		then := CancelTerms(w, b, s)
		return "Free to withdraw until the studio answers; once confirmed, " + lowered(then)
	}
	c := costWords{w, b, s}
	if b.Course() {
		return c.course(costs) + "."
	}
	return c.sentence(costs, "free", "it begins") + "."
}

// costWords writes what cancelling one booking costs.
type costWords struct {
	Words
	booking.Booking
	booking.Stake
}

// sentence tells what it costs, one part of the time after the other. free is the word for what costs nothing, and end until when
// there is something to cancel.
func (c costWords) sentence(costs []booking.Cost, free, end string) string {
	costs = lasting(costs)
	first, rest := costs[0], costs[1:]
	switch {
	case len(rest) > 0:
	case first.Free():
		return "Free to cancel any time before " + end
	case first.Refused:
		return "This cannot be cancelled online"
	default:
		return "If you cancel, " + c.phrase(first, booking.Cost{})
	}
	words := "Until " + c.ShortWhen(rest[0].From) + " " + free
	if !first.Free() {
		words = "Until " + c.ShortWhen(rest[0].From) + " " + c.phrase(first, booking.Cost{})
	}
	for i, cost := range rest {
		switch {
		case i > 0:
			words += "; from " + c.ShortWhen(cost.From) + " on "
		case len(rest) > 1:
			words += "; then "
		default:
			words += "; after that "
		}
		words += c.phrase(cost, costs[i])
	}
	return words
}

// lasting leaves out what is so for less than a second: the last instant at which the price comes back and the first at which it is
// late are one to everybody but a clock.
func lasting(costs []booking.Cost) []booking.Cost {
	out := costs[:1:1]
	for i, c := range costs[1:] {
		if next := i + 2; next == len(costs) || costs[next].From.Sub(c.From) >= time.Second {
			out = append(out, c)
		}
	}
	return out
}

// phrase is what it costs in one part of the time, after that of the part before.
func (c costWords) phrase(cost, before booking.Cost) string {
	switch {
	case cost.Refused:
		return "it cannot be cancelled online"
	case cost.Free():
		return "it is free"
	}
	lose := "you lose " + c.money(cost.LostAmount)
	if cost.LostAmount == c.Stake.FeeAmount && c.Stake.PriceAmount > 0 {
		lose = "you lose only the service fee of " + c.money(cost.LostAmount)
	}
	pay, lost, paid := c.money(cost.FeeAmount), before.LostAmount == cost.LostAmount, before.FeeAmount == cost.FeeAmount
	switch {
	case cost.ForgivenAmount > 0:
		forgiven := "the " + c.money(cost.ForgivenAmount) + " fee is forgiven" + c.leniency(cost.Nth)
		if cost.LostAmount == 0 {
			return forgiven
		}
		return lose + ", and " + forgiven
	case cost.FeeAmount == 0:
		return lose
	case cost.LostAmount == 0:
		return "you pay " + pay
	case lost && before.FeeAmount == 0:
		return "you also pay " + pay
	case paid && before.LostAmount == 0:
		return "you also lose " + c.money(cost.LostAmount)
	}
	return lose + " and pay " + pay
}

// leniency is how often the policy forgives, and which time this would be; nothing where it always does.
func (c costWords) leniency(nth int) string {
	f := c.Rules.Forgive
	if f.Days == 0 {
		return ""
	}
	return " (" + catalog.Times(c.Lang(), f.LateCancels) + " in " + Counted(f.Days, "day", "days") + ", and this would be the " + ordinal(nth) + ")"
}

// course tells what cancelling a course costs. Its price comes back by the first date, and there is a fee by the next one, whichever
// that is by then.
func (c costWords) course(costs []booking.Cost) string {
	plain := c.Booking
	plain.Rules.Cancel.LateFeeAmount = 0
	price := plain.Costs(c.Stake, c.Now)
	fee := costs[len(costs)-1]
	if fee.FeeAmount+fee.ForgivenAmount == 0 {
		return c.sentence(price, "free", "its last date begins")
	}
	late := "less than " + catalog.Span(c.Lang(), c.Rules.Cancel.LateFromMinutes) + " before each date "
	if costs[0].FeeAmount+costs[0].ForgivenAmount > 0 {
		late = strings.TrimSuffix(late, " ") + ", as now, "
	}
	before := booking.Cost{LostAmount: fee.LostAmount} // which is told already
	if fee.ForgivenAmount > 0 {
		fee.LostAmount = 0
	}
	late += c.phrase(fee, before)
	switch {
	case price[len(price)-1].Free():
		return "Free to cancel, but " + late
	case c.Rules.Cancel.LateFromMinutes > c.Rules.Cancel.FreeUntilMinutes: // there may be a fee when the price comes back still
		return c.sentence(price, "the price comes back", "") + "; " + late
	}
	return c.sentence(price, "free", "") + "; " + late
}

// lowered is a sentence in the middle of another.
func lowered(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

func (c costWords) money(minor int64) string {
	return c.Money(Price{Minor: minor, Currency: c.Currency})
}

// ordinal is "first" to "tenth", and then "11th".
func ordinal(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n <= len(words) {
		return words[n-1]
	}
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		suffix = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	}
	return strconv.Itoa(n) + cmp.Or(suffix, "th")
}
