package rules

import "foyer/app/money"

// PartOf returns the value of number k of n equal parts of an amount, k from 1: of a credit of a pack, or of a day of
// a period. The parts add up to the amount.
func PartOf(amount int64, k, n int) int64 { return UpTo(amount, k, n) - UpTo(amount, k-1, n) }

// UpTo returns the value of the first k of n parts.
func UpTo(amount int64, k, n int) int64 { return share(amount, k, n) }

// Rollover are the rules for credits that are left at the end of a period.
type Rollover struct {
	Most    int // that go on; 0: none
	Balance int // that may be there with those of the new period; 0: any number
}

// Carry returns the number of unused credits that go on into a period that includes so many. Credits that were carried
// before are not carried again.
func (r Rollover) Carry(unused, included int) int {
	n := min(unused, r.Most)
	if r.Balance > 0 {
		n = min(n, r.Balance-included)
	}
	return max(0, n)
}

// Monthly returns what a price for each interval amounts to in a month, rounded half up: a year has 12 months, 52 weeks
// and 365 days.
func (i Interval) Monthly(price int64) int64 {
	in := map[Unit]int64{Day: 365, Week: 52, Month: 12, Year: 1}[i.Unit] // intervals of one in a year
	return money.RoundHalfUp(price, in, 12*int64(i.Count))
}
