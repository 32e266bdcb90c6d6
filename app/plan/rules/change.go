package rules

import (
	"foyer/app/money"
)

// share returns the part of an amount for so many of all days, rounded half up.
func share(amount int64, days, all int) int64 {
	return money.RoundHalfUp(amount, int64(days), int64(all))
}

// Held is a plan that was held for a part of a period.
type Held struct {
	Price   int64 // of a whole period, after discounts
	Credits int   // that a whole period includes; 0: none, or unlimited
	ForDays int
}

// Change is a change of plan within a billing period.
type Change struct {
	Whole    int    // days of the whole period
	Left     int    // days of it from the change on
	Held     []Held // in this period, the present plan last
	Paid     int64  // in this period, less refunds and account credit for earlier changes
	Used     int    // credits in this period
	Price    int64  // of the new plan, for a whole period, after discounts
	Included int    // credits of the new plan in a whole period
}

// Unused returns the part of what was paid that the present plan has not used: never more than was paid beyond the use
// of all plans in this period, however often the plan was changed.
func (c Change) Unused() int64 {
	var used int64
	for _, h := range c.Held {
		used += share(h.Price, h.ForDays, c.Whole)
	}
	present := c.Held[len(c.Held)-1]
	return min(share(present.Price, c.Left, c.Whole), max(0, c.Paid-used))
}

// Amount returns what is charged now; less than zero: what the customer gets as account credit, if a downgrade is to
// begin now and not with the next period.
func (c Change) Amount() int64 { return share(c.Price, c.Left, c.Whole) - c.Unused() }

// Credits returns the credits that remain until the end of the period: those that the plans of the period include for
// the days that each is held, less the used ones. A customer who moves to a better plan gets the part of a credit, one
// who moves to a lesser plan does not.
func (c Change) Credits() int {
	n, present := c.Included*c.Left, 0
	for _, h := range c.Held {
		n, present = n+h.Credits*h.ForDays, h.Credits
	}
	all := n / c.Whole
	if c.Included > present && n%c.Whole > 0 {
		all++
	}
	return max(0, all-c.Used)
}
