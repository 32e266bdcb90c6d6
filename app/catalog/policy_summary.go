package catalog

import (
	"foyer/app/money"
	"foyer/app/words"
)

// Summary renders the rules for customers, one sentence a line, for pages and receipts. kind leaves out sentences
// without meaning for it: there is no waitlist for a free appointment, and a class has no party; "" renders
// everything. Amounts are in currency, the location's, and the text is in l.
func (r Rules) Summary(kind Kind, currency money.Currency, l *words.Lang) []string {
	t := summary{Lang: l, currency: currency, first: theStart, next: theStart}
	t.booking(r, kind)
	t.cancelling(r)
	t.moving(r.Reschedule)
	t.absence(r.NoShow)
	t.grace(r)
	if kind == "" || kind == Class {
		t.waiting(r.Waitlist)
	}
	return t.lines
}

// CourseSummary is Summary for a course, which is booked and cancelled with all its dates: the refund depends on the
// first of them, and lateness on the next.
func (r Rules) CourseSummary(currency money.Currency, l *words.Lang) []string {
	t := summary{Lang: l, currency: currency, first: firstDate, next: nextDate}
	t.booking(r, Class)
	t.cancelling(r)
	t.whole()
	t.absence(r.NoShow)
	t.grace(r)
	return t.lines
}

// FinePrint renders the rules for pages before a choice: the cost of a cancellation in one sentence, and then the
// other rules, one sentence a line. free is for offerings without a price.
func (r Rules) FinePrint(kind Kind, course, free bool, currency money.Currency, l *words.Lang) []string {
	t := summary{Lang: l, currency: currency, first: theStart, next: theStart}
	if course {
		t.first, t.next = firstDate, eachDate
	}
	t.say(t.cost(r.Cancel, free))
	if free {
		r.Deposit = DepositRules{}
	}
	t.booking(r, kind)
	if course {
		t.whole()
	} else {
		t.moving(r.Reschedule)
	}
	t.absence(r.NoShow)
	t.grace(r)
	if kind == Class && !course {
		t.waiting(r.Waitlist)
	}
	return t.lines
}

// summary gathers the sentences.
type summary struct {
	*words.Lang
	currency    money.Currency
	lines       []string
	first, next anchor // references of deadlines
}

// anchor is the reference of a deadline.
type anchor int

const (
	theStart anchor = iota
	firstDate
	nextDate
	eachDate
)

func (t *summary) say(sentence string) { t.lines = append(t.lines, sentence) }

func (t *summary) amount(minor int64) string { return money.Format(minor, t.currency, t.Tag()) }

// before is "2 days before the start".
func (t *summary) before(minutes int, a anchor) string {
	span := Span(t.Lang, minutes)
	switch a {
	case firstDate:
		return t.T("{span} before the first date", "span", span)
	case nextDate:
		return t.T("{span} before the next date", "span", span)
	case eachDate:
		return t.T("{span} before each date", "span", span)
	}
	return t.T("{span} before the start", "span", span)
}

// cost renders both windows together.
func (t *summary) cost(c CancelRules, free bool) string {
	loses := !free && c.FreeUntilMinutes > 0
	amount := t.currency.Floor(c.LateFeeAmount)
	pays := amount > 0 && c.LateFromMinutes > 0
	lose, pay := t.before(c.FreeUntilMinutes, t.first), t.before(c.LateFromMinutes, t.next)
	fee, course := t.amount(amount), t.first == firstDate
	switch {
	case !c.Allowed:
		return t.T("Bookings cannot be cancelled online.")
	case !loses && !pays && free && course:
		return t.T("Cancel free of charge at any time before the first date.")
	case !loses && !pays && free:
		return t.T("Cancel free of charge at any time before the start.")
	case !loses && !pays:
		return t.anyTime()
	case !pays:
		return t.T("Cancel until {deadline} and the price is refunded. After that there is no refund.", "deadline", lose)
	case free:
		return t.T("Cancel free of charge until {deadline}. After that you pay a late-cancellation fee of {fee}.", "deadline", pay, "fee", fee)
	case !loses && course:
		return t.T("Cancel at any time before the first date and the price is refunded. If you cancel less than {deadline}, you pay a late-cancellation fee of {fee}.", "deadline", pay, "fee", fee)
	case !loses:
		return t.T("Cancel at any time before the start and the price is refunded. If you cancel less than {deadline}, you pay a late-cancellation fee of {fee}.", "deadline", pay, "fee", fee)
	case course:
		return t.T("Cancel until {deadline} and the price is refunded. After that there is no refund, and less than {late} you also pay a late-cancellation fee of {fee}.",
			"deadline", lose, "late", pay, "fee", fee)
	case c.FreeUntilMinutes == c.LateFromMinutes:
		return t.T("Cancel until {deadline} and the price is refunded. After that there is no refund, and you pay a late-cancellation fee of {fee}.", "deadline", lose, "fee", fee)
	case c.FreeUntilMinutes > c.LateFromMinutes:
		return t.T("Cancel until {deadline} and the price is refunded. After that there is no refund, and less than {late} you also pay a late-cancellation fee of {fee}.",
			"deadline", lose, "late", pay, "fee", fee)
	}
	return t.T("Cancel until {deadline} and the price is refunded. After that you pay a late-cancellation fee of {fee}, and less than {late} there is also no refund.",
		"deadline", pay, "fee", fee, "late", lose)
}

func (t *summary) anyTime() string {
	if t.first == firstDate {
		return t.T("Cancel at any time before the first date and the price is refunded.")
	}
	return t.T("Cancel at any time before the start and the price is refunded.")
}

func (t *summary) booking(r Rules, kind Kind) {
	if r.NoticeMinutes > 0 {
		t.say(t.T("Book at least {deadline}.", "deadline", t.before(r.NoticeMinutes, t.first)))
	}
	if r.WindowDays > 0 {
		t.say(t.N(r.WindowDays, "Bookings open {n} day ahead.", "Bookings open {n} days ahead."))
	}
	if r.PayAtStudio {
		t.say(t.T("You can pay at the studio."))
	}
	t.deposit(r.Deposit)
	if kind == Class || r.PartyMin <= 1 && r.PartyMax == 0 {
		return
	}
	switch {
	case r.PartyMax == 0:
		t.say(t.N(r.PartyMin, "For {n} person or more.", "For {n} people or more."))
	case r.PartyMin == r.PartyMax:
		t.say(t.N(r.PartyMax, "For {n} person.", "For {n} people."))
	case r.PartyMin <= 1:
		t.say(t.N(r.PartyMax, "For up to {n} person.", "For up to {n} people."))
	default:
		t.say(t.T("For {least} to {most} people.", "least", r.PartyMin, "most", r.PartyMax))
	}
}

// deposit renders the deposit, and time and refund of the balance due.
func (t *summary) deposit(d DepositRules) {
	switch {
	case d.Percent > 0:
		t.say(t.T("You pay {percent} of the price as a deposit when you book, and the remaining balance at the studio. If you cancel, the remaining balance is not due.",
			"percent", t.Percent(int64(d.Percent)*10_000)))
	case d.Amount > 0:
		t.say(t.T("You pay a deposit of {amount} per person when you book, and the remaining balance at the studio. If you cancel, the remaining balance is not due.",
			"amount", t.amount(d.Amount)))
	}
	if d.Required() && d.NonRefundable {
		t.say(t.T("The deposit is non-refundable, however early you cancel."))
	}
	if d.Required() && d.BalanceMinutes > 0 {
		t.say(t.T("If you have a saved card with the studio, the balance due is charged to it {deadline}.", "deadline", t.before(d.BalanceMinutes, t.first)))
	}
}

// cancelling renders the two windows: the deadline of a refund, and the beginning of the fee.
func (t *summary) cancelling(r Rules) {
	c := r.Cancel
	if !c.Allowed {
		t.say(t.T("Bookings cannot be cancelled online."))
		return
	}
	if c.FreeUntilMinutes == 0 {
		t.say(t.anyTime())
	} else {
		t.say(t.T("Cancel at least {deadline} and the price is refunded. After that there is no refund.", "deadline", t.before(c.FreeUntilMinutes, t.first)))
	}
	if fee := r.LateFee(t.currency); fee > 0 && c.LateFromMinutes > 0 {
		t.say(t.T("Cancelling less than {deadline} costs a late-cancellation fee of {fee}.",
			"deadline", t.before(c.LateFromMinutes, t.next), "fee", t.amount(fee)))
	}
}

// whole is for courses.
func (t *summary) whole() { t.say(t.T("A course is cancelled as a whole, and cannot be rescheduled.")) }

func (t *summary) moving(r RescheduleRules) {
	until, most := t.before(r.UntilMinutes, theStart), Times(t.Lang, r.Max)
	switch {
	case !r.Allowed:
		t.say(t.T("Bookings cannot be rescheduled online."))
	case r.UntilMinutes > 0 && r.Max > 0:
		t.say(t.T("Reschedule a booking until {deadline}, at most {times}.", "deadline", until, "times", most))
	case r.UntilMinutes > 0:
		t.say(t.T("Reschedule a booking until {deadline}.", "deadline", until))
	case r.Max > 0:
		t.say(t.T("Reschedule a booking until the start, at most {times}.", "times", most))
	default:
		t.say(t.T("Reschedule a booking until the start."))
	}
}

func (t *summary) absence(r NoShowRules) {
	if fee := t.currency.Floor(r.FeeAmount); fee > 0 {
		t.say(t.T("If you miss a booking that you did not cancel, you pay a no-show fee of {fee}.", "fee", t.amount(fee)))
	}
}

// grace renders the grace rule, if there is a fee to waive.
func (t *summary) grace(r Rules) {
	f, days := r.Grace, r.Grace.Days
	if days == 0 {
		return
	}
	if n := f.LateCancels; n > 0 && r.Cancel.Allowed && r.Cancel.LateFeeAmount > 0 {
		if days == 1 {
			t.say(t.N(n, "No fee for {n} late cancellation in 1 day.", "No fee for {n} late cancellations in 1 day."))
		} else {
			t.say(t.N(n, "No fee for {n} late cancellation in {days} days.", "No fee for {n} late cancellations in {days} days.", "days", days))
		}
	}
	if n := f.NoShows; n > 0 && r.NoShow.FeeAmount > 0 {
		if days == 1 {
			t.say(t.N(n, "No fee for {n} no-show in 1 day.", "No fee for {n} no-shows in 1 day."))
		} else {
			t.say(t.N(n, "No fee for {n} no-show in {days} days.", "No fee for {n} no-shows in {days} days.", "days", days))
		}
	}
}

func (t *summary) waiting(r WaitlistRules) {
	switch r.Mode {
	case WaitlistAuto:
		t.say(t.T("When it is full, there is a waitlist. When a spot opens, the first person in line is booked."))
	case WaitlistOffer:
		t.say(t.T("When it is full, there is a waitlist. When a spot opens, it is held for {span} for each person in turn.", "span", Span(t.Lang, r.OfferMinutes)))
	case WaitlistRace:
		t.say(t.T("When it is full, there is a waitlist. When a spot opens, the first person on the waitlist to accept it gets it."))
	}
}

// Span renders a length in the largest exact units: 2880 minutes are 2 days, 90 are 1 hour 30 minutes. One day is 24
// hours, also when the clocks change.
func Span(l *words.Lang, minutes int) string {
	const hour, day = 60, 24 * 60
	hours := func(n int) string { return l.N(n, "{n} hour", "{n} hours") }
	rest := func(n int) string { return l.N(n, "{n} minute", "{n} minutes") }
	switch {
	case minutes%day == 0 && minutes > day:
		return l.N(minutes/day, "{n} day", "{n} days")
	case minutes%hour == 0:
		return hours(minutes / hour)
	case minutes < hour:
		return rest(minutes)
	}
	return l.T("{hours} {minutes}", "hours", hours(minutes/hour), "minutes", rest(minutes%hour))
}

// Times returns "once", "twice" or "3 times".
func Times(l *words.Lang, n int) string {
	switch n {
	case 1:
		return l.T("once")
	case 2:
		return l.T("twice")
	}
	return l.N(n, "{n} time", "{n} times")
}
