package rules

import (
	"time"

	"foyer/app/civil"
)

// Terms are what a plan that is paid by the period says about its beginning and its end.
type Terms struct {
	Schedule           // Start is the day of joining
	Joining    Joining // with a fixed day of the month
	OnWeekdays bool    // a charge on a weekend is made on the next weekday
	Term       Term
	Notice     Notice
	// Unpaid are the billing periods that are not paid, by their numbers from 0, of a membership that was joined before;
	// Held is the number of whole ones before them. nil: those of the schedule.
	Unpaid func(n int) Period
	Held   int
}

// Joining says what is paid at the start if the first period is a part of a whole one.
type Joining string

// The ways.
const (
	PartNow      Joining = "part"       // the part
	PartAndWhole Joining = "part_whole" // and the first whole period
)

// Term is the time for which a membership is held at least. It counts whole periods.
type Term struct {
	Periods int // 0: none
	Then    Then
	// What it costs to end it before that: an amount, or a share of the prices of the periods that remain, in parts per
	// million. Neither: it cannot be ended before.
	EndFee int64
	EndPPM int64
}

// Then says what follows a term.
type Then string

// What follows.
const (
	Renews    Then = "renews"     // by the period
	RenewsAll Then = "renews_all" // for another term
	Ends      Then = "ends"
)

// Notice is the time between a cancellation and the end of a membership, and the days on which it can end.
type Notice struct {
	Days, Months int // both can be 0
	// By is the last day of a month for an end with the beginning of the next one, instead; 0: Days and Months count.
	By int
	To To
}

// To says on which days a membership can end.
type To string

// The days.
const (
	ToPeriod  To = "period"  // with a billing period
	ToQuarter To = "quarter" // with a quarter of the year
)

// Law is what the law of a place allows at most, whatever a plan says. The zero value allows everything.
type Law struct {
	// AnyDayAfterTerm lets a customer end a membership on any day once its first term is over, and FreeMonths is the
	// longest notice for that.
	AnyDayAfterTerm bool
	FreeMonths      int
}

// Charge is an amount that is charged on a day, for a period.
type Charge struct {
	On     civil.Date
	Amount int64
	For    Period
}

// First returns the charge at the start, for all periods until the end of For.
func (t Terms) First(price int64) Charge {
	p := t.Period(0)
	c := Charge{On: p.From, Amount: p.Share(price), For: p}
	if t.Joining == PartAndWhole && p.Days() < p.Whole {
		next := t.Period(1)
		c.Amount, c.For = c.Amount+price, Period{p.From, next.Until, p.Days() + next.Days()}
	}
	return c
}

// Renewal returns the charge for a period by its number, after the first charge; none if that has paid it.
func (t Terms) Renewal(n int, price int64) (c Charge, due bool) {
	p := t.Period(n)
	if n == 0 || p.From.Before(t.First(price).For.Until) {
		return Charge{}, false
	}
	return Charge{On: t.chargeDay(p.From), Amount: price, For: p}, true
}

// chargeDay returns the day on which a period is charged that begins on a day.
func (t Terms) chargeDay(d civil.Date) civil.Date {
	if t.OnWeekdays {
		return Weekday(d)
	}
	return d
}

// Weekday returns a day from Monday to Friday: the given one, or the next one after its weekend.
func Weekday(d civil.Date) civil.Date {
	for d.Weekday() == time.Sunday || d.Weekday() == time.Saturday {
		d = d.AddDays(1)
	}
	return d
}
