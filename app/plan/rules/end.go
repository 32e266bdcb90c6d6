package rules

import (
	"foyer/app/civil"
	"foyer/app/money"
)

// unpaid returns a period that is not paid, by its number from 0.
func (t Terms) unpaid(n int) Period {
	if t.Unpaid != nil {
		return t.Unpaid(n)
	}
	return t.Period(n)
}

// termIn returns how many periods are not paid of the terms until the end of one, by its number from 0; less than zero
// if that is over.
func (t Terms) termIn(n int) int {
	left := (n+1)*t.Term.Periods - t.Held
	if p := t.unpaid(0); t.Term.Periods > 0 && p.Days() < p.Whole { // a part does not count
		left++
	}
	return left
}

// TermEnds returns the first day after the first term, or of the periods that are not paid, if it is over.
func (t Terms) TermEnds() civil.Date { return t.unpaid(max(0, t.termIn(0))).From }

// End returns the first day without the membership if it is canceled on a day: the earliest that its notice and its
// term allow, or that the law does. What is paid stays.
func (t Terms) End(asked civil.Date, law Law) civil.Date {
	first := t.TermEnds()
	if t.Term.Then == Ends && t.Term.Periods > 0 {
		return first
	}
	end := t.end(t.Notice.before(asked))
	if law.AnyDayAfterTerm {
		free := earlier(addMonths(asked, law.FreeMonths), t.Notice.before(asked))
		end = earlier(end, later(free, first))
	}
	return end
}

// end is End without the law, with the earliest day that the notice allows.
func (t Terms) end(earliest civil.Date) civil.Date {
	earliest = later(earliest, t.unpaid(0).From)
	if t.Term.Periods > 0 && t.Term.Then == RenewsAll {
		for n := 0; ; n++ {
			if left := t.termIn(n); left >= 0 && !t.unpaid(left).From.Before(earliest) {
				return t.unpaid(left).From
			}
		}
	}
	earliest = later(earliest, t.TermEnds())
	if t.Notice.To == ToQuarter {
		q := civil.NewDate(earliest.Year, (earliest.Month-1)/3*3+1, 1)
		if q.Before(earliest) {
			q = onDay(q, 3, 1)
		}
		return q
	}
	for n := 0; ; n++ {
		if from := t.unpaid(n).From; !from.Before(earliest) {
			return from
		}
	}
}

// AtOnce reports whether a cancellation for an end ends the membership on its day instead: the first period that is not
// paid has begun, and nothing but it is before the end. It is not owed, unless a term has it.
func (t Terms) AtOnce(asked, end civil.Date, law Law) bool {
	p := t.unpaid(0)
	switch {
	case asked.Before(p.From):
		return false
	case !end.After(p.From):
		return true
	case t.Term.Then == RenewsAll && !law.AnyDayAfterTerm:
		return false
	}
	return !p.From.Before(t.TermEnds()) && !end.After(p.Until)
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

func earlier(a, b civil.Date) civil.Date {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b civil.Date) civil.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// EndCost returns what it costs to end a membership with what is paid of it, before its term is over, if it is asked
// for on a day, and the prices of the periods that are not paid then; price returns one of them. possible is false if
// that cannot be done, or needs no cost: the term is over.
func (t Terms) EndCost(asked civil.Date, law Law, price func(n int) int64) (cost, left int64, possible bool) {
	over := t.TermEnds()
	if t.Term.Then == RenewsAll && !law.AnyDayAfterTerm {
		over = t.end(t.Notice.before(asked))
	}
	if t.Term.EndFee == 0 && t.Term.EndPPM == 0 || !t.unpaid(0).From.Before(over) {
		return 0, 0, false
	}
	for n := 0; t.unpaid(n).From.Before(over); n++ {
		left += price(n)
	}
	return min(left, t.Term.EndFee+money.RoundHalfUp(left, t.Term.EndPPM, 1_000_000)), left, true
}
