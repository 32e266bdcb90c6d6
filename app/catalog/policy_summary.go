package catalog

import (
	"fmt"
	"strings"

	"foyer/app/money"
)

// Summary tells the rules to the people they hold for, one sentence a line, as pages and receipts show them. kind leaves
// out what does not concern it: nobody waits for a free appointment, and a class has no party; "" tells everything.
// Amounts are written in currency, the location's, in the way of locale.
func (r Rules) Summary(kind Kind, currency money.Currency, locale string) []string {
	t := summary{amount: func(minor int64) string { return money.Format(minor, currency, locale) }, first: theStart, next: theStart}
	t.booking(r, kind)
	t.cancelling(r)
	t.moving(r.Reschedule)
	t.absence(r.NoShow)
	t.forgiveness(r)
	if kind == "" || kind == Class {
		t.waiting(r.Waitlist)
	}
	return t.lines
}

// CourseSummary is Summary for a course, which is booked and cancelled with all its dates: the price comes back by the first of
// them, and it is late by the next.
func (r Rules) CourseSummary(currency money.Currency, locale string) []string {
	t := summary{amount: func(minor int64) string { return money.Format(minor, currency, locale) }, first: "the first date", next: "the next date"}
	t.booking(r, Class)
	t.cancelling(r)
	t.say("A course is cancelled as a whole, and not moved.")
	t.absence(r.NoShow)
	t.forgiveness(r)
	return t.lines
}

// FinePrint is what pages tell of the rules before something is chosen: what cancelling costs in one sentence, and then the rest,
// one sentence a line. free is for what has no price.
func (r Rules) FinePrint(kind Kind, course, free bool, currency money.Currency, locale string) []string {
	t := summary{amount: func(minor int64) string { return money.Format(minor, currency, locale) }, first: theStart, next: theStart}
	if course {
		t.first, t.next = "the first date", "each date"
	}
	t.say("%s.", t.cost(r.Cancel, free))
	t.booking(r, kind)
	if course {
		t.say("A course is cancelled as a whole, and not moved.")
	} else {
		t.moving(r.Reschedule)
	}
	t.absence(r.NoShow)
	t.forgiveness(r)
	if kind == Class && !course {
		t.waiting(r.Waitlist)
	}
	return t.lines
}

// cost tells of both windows together, without its full stop.
func (t *summary) cost(c CancelRules, free bool) string {
	loses := !free && c.FreeUntilMinutes > 0
	pays := c.LateFeeAmount > 0 && c.LateFromMinutes > 0
	lose, pay := Span(c.FreeUntilMinutes)+" before "+t.first, Span(c.LateFromMinutes)+" before "+t.next
	fee := t.amount(c.LateFeeAmount)
	back := " and the price comes back; "
	if free {
		back = " for nothing; "
	}
	switch {
	case !c.Allowed:
		return "Bookings cannot be cancelled online"
	case !loses && !pays:
		return "Cancel at any time before " + t.first + strings.TrimSuffix(back, "; ")
	case !pays:
		return "Cancel until " + lose + back + "after that you lose it"
	case free:
		return "Cancel until " + pay + back + "after that you pay " + fee
	case !loses:
		return "Cancel at any time before " + t.first + back + "less than " + pay + " you pay " + fee
	case t.first != t.next:
		return "Cancel until " + lose + back + "after that you lose it, and less than " + pay + " you also pay " + fee
	case c.FreeUntilMinutes == c.LateFromMinutes:
		return "Cancel until " + lose + back + "after that you lose it and pay " + fee
	case c.FreeUntilMinutes > c.LateFromMinutes:
		return "Cancel until " + lose + back + "then you lose it, and less than " + pay + " you also pay " + fee
	}
	return "Cancel until " + pay + back + "then you pay " + fee + ", and less than " + lose + " you also lose the price"
}

// summary gathers the sentences.
type summary struct {
	lines       []string
	amount      func(int64) string
	first, next string // from what deadlines count
}

const theStart = "the start"

func (t *summary) say(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

func (t *summary) booking(r Rules, kind Kind) {
	if r.NoticeMinutes > 0 {
		t.say("Book at least %s before %s.", Span(r.NoticeMinutes), t.first)
	}
	if r.WindowDays > 0 {
		t.say("Bookings open %s ahead.", count(r.WindowDays, "day"))
	}
	if r.PayAtStudio {
		t.say("You can pay at the studio.")
	}
	if kind == Class || r.PartyMin <= 1 && r.PartyMax == 0 {
		return
	}
	switch {
	case r.PartyMax == 0:
		t.say("For %s or more.", people(r.PartyMin))
	case r.PartyMin == r.PartyMax:
		t.say("For %s.", people(r.PartyMax))
	case r.PartyMin <= 1:
		t.say("For up to %s.", people(r.PartyMax))
	default:
		t.say("For %d to %s.", r.PartyMin, people(r.PartyMax))
	}
}

// cancelling tells of the two windows: until when the price comes back, and from when there is a fee.
func (t *summary) cancelling(r Rules) {
	c := r.Cancel
	if !c.Allowed {
		t.say("Bookings cannot be cancelled online.")
		return
	}
	if c.FreeUntilMinutes == 0 {
		t.say("Cancel at any time before %s and the price comes back.", t.first)
	} else {
		t.say("Cancel at least %s before %s and the price comes back; after that it does not.", Span(c.FreeUntilMinutes), t.first)
	}
	if c.LateFeeAmount > 0 && c.LateFromMinutes > 0 {
		t.say("Cancelling less than %s before %s costs a fee of %s.", Span(c.LateFromMinutes), t.next, t.amount(c.LateFeeAmount))
	}
}

func (t *summary) moving(r RescheduleRules) {
	if !r.Allowed {
		t.say("Bookings cannot be moved online.")
		return
	}
	until := theStart
	if r.UntilMinutes > 0 {
		until = Span(r.UntilMinutes) + " before the start"
	}
	if r.Max == 0 {
		t.say("Move a booking to another time until %s.", until)
	} else {
		t.say("Move a booking to another time until %s, at most %s.", until, Times(r.Max))
	}
}

func (t *summary) absence(r NoShowRules) {
	if r.FeeAmount > 0 {
		t.say("Not coming without cancelling costs a fee of %s.", t.amount(r.FeeAmount))
	}
}

// forgiveness is told where there is a fee to forgive.
func (t *summary) forgiveness(r Rules) {
	forgive := func(fee int64, n int, what string) {
		if fee > 0 && n > 0 && r.Forgive.Days > 0 {
			t.say("%s in %s %s free of the fee.", count(n, what), count(r.Forgive.Days, "day"), map[bool]string{true: "is", false: "are"}[n == 1])
		}
	}
	if r.Cancel.Allowed {
		forgive(r.Cancel.LateFeeAmount, r.Forgive.LateCancels, "late cancellation")
	}
	forgive(r.NoShow.FeeAmount, r.Forgive.NoShows, "missed booking")
}

func (t *summary) waiting(r WaitlistRules) {
	switch r.Mode {
	case WaitlistAuto:
		t.say("When it is full there is a waitlist: a place that becomes free books the first person on it.")
	case WaitlistOffer:
		t.say("When it is full there is a waitlist: a place that becomes free is kept %s for each person on it in turn.", Span(r.OfferMinutes))
	case WaitlistRace:
		t.say("When it is full there is a waitlist: a place that becomes free goes to the first person on it who takes it.")
	}
}

// Span writes a length in the largest units that give it exactly: 2880 minutes are 2 days, 90 are 1 hour 30 minutes. One
// day is 24 hours, which is what is meant when the clocks change.
func Span(minutes int) string {
	const hour, day = 60, 24 * 60
	switch {
	case minutes%day == 0 && minutes > day:
		return count(minutes/day, "day")
	case minutes%hour == 0:
		return count(minutes/hour, "hour")
	case minutes < hour:
		return count(minutes, "minute")
	}
	return count(minutes/hour, "hour") + " " + count(minutes%hour, "minute")
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// Times is "once", "twice" or "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
