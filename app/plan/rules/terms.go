package rules

import (
	"foyer/app/civil"
	"foyer/app/money"
)

// Terms are what a plan that is paid by the period says about its beginning and its end.
type Terms struct {
	Schedule           // Start is the day of joining
	Joining    Joining // with a fixed day of the month
	OnWeekdays bool    // a charge on a weekend is made on the next weekday
	Term       Term
	Notice     Notice
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
	ToAnyDay  To = "any_day"
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
	for t.OnWeekdays && (d.Weekday() == 0 || d.Weekday() == 6) {
		d = d.AddDays(1)
	}
	return d
}

// TermEnds returns the first day after a term, by its number from 0; without a term the start.
func (t Terms) TermEnds(n int) civil.Date {
	if t.Term.Periods == 0 {
		return t.Start
	}
	whole := (n + 1) * t.Term.Periods
	if p := t.Period(0); p.Days() < p.Whole { // a part does not count
		whole++
	}
	return t.Period(whole).From
}

// End returns the first day without the membership if it is canceled on a day: the earliest that its notice and its
// term allow, or that the law does.
func (t Terms) End(asked civil.Date, law Law) civil.Date {
	if t.Term.Then == Ends && t.Term.Periods > 0 {
		return t.TermEnds(0)
	}
	end := t.end(asked)
	if law.AnyDayAfterTerm {
		free := addMonths(asked, law.FreeMonths)
		if own := t.Notice.before(asked); own.Before(free) {
			free = own
		}
		if first := t.TermEnds(0); free.Before(first) {
			free = first
		}
		if free.Before(end) {
			end = free
		}
	}
	return end
}

// end is End without the law.
func (t Terms) end(asked civil.Date) civil.Date {
	earliest := t.Notice.before(asked)
	if t.Term.Periods > 0 && t.Term.Then == RenewsAll {
		for n := 0; ; n++ {
			if end := t.TermEnds(n); !end.Before(earliest) {
				return end
			}
		}
	}
	if least := t.TermEnds(0); earliest.Before(least) {
		earliest = least
	}
	switch t.Notice.To {
	case ToAnyDay:
		return earliest
	case ToQuarter:
		q := civil.NewDate(earliest.Year, (earliest.Month-1)/3*3+1, 1)
		if q.Before(earliest) {
			q = onDay(q, 3, 1)
		}
		return q
	}
	if earliest == t.Start {
		return earliest
	}
	p, _, _ := t.Of(earliest.AddDays(-1))
	return p.Until
}

// before returns the earliest end that the notice allows, for a cancellation on a day.
func (n Notice) before(asked civil.Date) civil.Date {
	switch {
	case n.By == 0:
		return addMonths(asked, n.Months).AddDays(n.Days)
	case asked.Day <= n.By:
		return onDay(asked, 1, 1)
	}
	return onDay(asked, 2, 1)
}

// addMonths returns the same day so many months later, or the last one of a shorter month.
func addMonths(d civil.Date, months int) civil.Date { return onDay(d, months, d.Day) }

// EndCost returns what it costs to end a membership on the first day of a period, by its number, before its term is
// over; possible is false if that cannot be done. After the term it costs nothing.
func (t Terms) EndCost(n int, price int64) (cost int64, possible bool) {
	on, over := t.Period(n).From, t.TermEnds(0)
	if !on.Before(over) {
		return 0, true
	}
	if t.Term.EndFee == 0 && t.Term.EndPPM == 0 {
		return 0, false
	}
	var left int64
	for ; t.Period(n).From.Before(over); n++ {
		left += t.Period(n).Share(price)
	}
	return min(left, t.Term.EndFee+money.RoundHalfUp(left, t.Term.EndPPM, 1_000_000)), true
}
