package rules

import (
	"cmp"
	"slices"

	"foyer/app/civil"
)

// Freeze are the rules for freezing a membership; the zero value allows none.
type Freeze struct {
	Allowed      bool `json:"allowed"`
	MinDays      int  `json:"minDays"`      // of one; 0: any number
	MaxDays      int  `json:"maxDays"`      // likewise. Without it a freeze can have no end
	WholePeriods bool `json:"wholePeriods"` // it begins and ends with billing periods
	OnFirst      bool `json:"onFirst"`      // it begins on the first of a month
	PerYear      int  `json:"perYear"`      // in twelve months; 0: any number
	Apart        int  `json:"apart"`        // days between two
	PaidPeriods  int  `json:"paidPeriods"`  // that come before the first
	NoticeDays   int  `json:"noticeDays"`   // before it begins
}

// FreezeRequest is a freeze that somebody asks for.
type FreezeRequest struct {
	RequestedOn civil.Date
	From        civil.Date
	Until       civil.Date // the first day after it; zero: no end is known
	Staff       bool       // entered by the studio, which is bound by no notice, number or distance
}

// WhyNot is the reason that a freeze is refused.
type WhyNot string

// The reasons.
const (
	FreezeNotOffered WhyNot = "not_offered"
	FreezeInPast     WhyNot = "in_past"
	FreezeOverlaps   WhyNot = "overlaps"
	FreezeTooShort   WhyNot = "too_short"
	FreezeTooLong    WhyNot = "too_long"
	FreezeNotWhole   WhyNot = "not_whole_periods"
	FreezeNotOnFirst WhyNot = "not_on_first"
	FreezeTooOften   WhyNot = "too_often"
	FreezeTooClose   WhyNot = "too_close"
	FreezeTooEarly   WhyNot = "too_early"
	FreezeTooLate    WhyNot = "too_late" // for the notice
	FreezeTooFar     WhyNot = "too_far"  // after the billing period to come
	FreezeAfterEnd   WhyNot = "after_end"
)

// Refuses returns the first reason that a freeze is refused, in the order of the reasons; empty if it is allowed.
// before are the freezes of the membership, paid is the number of its paid periods.
func (f Freeze) Refuses(t Terms, r FreezeRequest, before []Period, paid int) WhyNot {
	open := r.Until.IsZero()
	days := r.From.DaysUntil(r.Until)
	soon := func(p Period) bool { return !r.From.Before(p.Until) && p.Until.DaysUntil(r.From) < f.Apart }
	clash := func(p Period) bool { return (open || p.From.Before(r.Until)) && r.From.Before(p.Until) }
	switch {
	case !f.Allowed && !r.Staff:
		return FreezeNotOffered
	case r.From.Before(r.RequestedOn) || !open && !r.From.Before(r.Until):
		return FreezeInPast
	case slices.ContainsFunc(before, clash):
		return FreezeOverlaps
	case r.Staff:
		return ""
	case !open && days < f.MinDays:
		return FreezeTooShort
	case f.MaxDays > 0 && (open || days > f.MaxDays):
		return FreezeTooLong
	case f.WholePeriods && !(t.begins(r.From) && (open || t.begins(r.Until))):
		return FreezeNotWhole
	case f.OnFirst && r.From.Day != 1:
		return FreezeNotOnFirst
	case f.PerYear > 0 && f.within(r.From, before) >= f.PerYear:
		return FreezeTooOften
	case slices.ContainsFunc(before, soon):
		return FreezeTooClose
	case paid < f.PaidPeriods:
		return FreezeTooEarly
	case r.RequestedOn.DaysUntil(r.From) < f.NoticeDays:
		return FreezeTooLate
	}
	return ""
}

// within returns the number of freezes that began in the twelve months before a day.
func (f Freeze) within(day civil.Date, before []Period) (n int) {
	for _, p := range before {
		if p.From.After(addMonths(day, -12)) {
			n++
		}
	}
	return n
}

// begins reports whether a billing period begins on a day.
func (t Terms) begins(d civil.Date) bool {
	p, _, found := t.Of(d)
	return found && p.From == d
}

// Late says what happens to a membership whose renewal is not paid, by days after it was due.
type Late struct {
	Tries  []int // days of further charges
	Grace  int   // until this day its benefits stay
	Fee    int64
	FeeOn  int // the day of the fee, if it is not paid by then
	EndsOn int // the day on which the studio ends it; 0: never
}

// LateStep is what is done on a day.
type LateStep struct {
	Day                      int
	Charge, Fee, Stop, Ended bool // Stop: its benefits end until it is paid
}

// Steps returns the steps, by day. There are none after the end.
func (l Late) Steps() (out []LateStep) {
	at := func(day int) *LateStep {
		for i := range out {
			if out[i].Day == day {
				return &out[i]
			}
		}
		out = append(out, LateStep{Day: day})
		return &out[len(out)-1]
	}
	for _, day := range l.Tries {
		at(day).Charge = true
	}
	if l.Fee > 0 {
		at(l.FeeOn).Fee = true
	}
	at(l.Grace).Stop = true
	if l.EndsOn > 0 {
		at(l.EndsOn).Ended = true
	}
	slices.SortFunc(out, func(a, b LateStep) int { return cmp.Compare(a.Day, b.Day) })
	if l.EndsOn > 0 {
		out = slices.DeleteFunc(out, func(s LateStep) bool { return s.Day > l.EndsOn })
	}
	return out
}
