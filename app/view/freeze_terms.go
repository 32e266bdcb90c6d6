package view

import (
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// FreezeTerms returns sentences about freezing a plan, for its customer; none if they cannot.
func FreezeTerms(w Words, f rules.Freeze) []string {
	if !f.Allowed {
		return nil
	}
	out := []string{w.T("You can freeze this plan. Until the freeze ends, it pays for no bookings and nothing is " +
		"charged, and its dates are postponed by as many days.")}
	say := func(yes bool, sentence string) {
		if yes {
			out = append(out, sentence)
		}
	}
	say(f.WholePeriods, w.T("A freeze begins and ends with a billing period."))
	say(f.OnFirst, w.T("A freeze begins on the first day of a month."))
	switch {
	case f.MinDays > 0 && f.MinDays == f.MaxDays:
		say(true, w.N(f.MinDays, "It lasts {n} day.", "It lasts {n} days."))
	default:
		say(f.MinDays > 1, w.N(f.MinDays, "It lasts at least {n} day.", "It lasts at least {n} days."))
		say(f.MaxDays > 0, w.N(f.MaxDays, "It lasts at most {n} day.", "It lasts at most {n} days."))
	}
	say(f.PerYear > 0, w.N(f.PerYear, "You can do that {n} time in twelve months.",
		"You can do that {n} times in twelve months."))
	say(f.Apart > 0, w.N(f.Apart, "Between two freezes there is at least {n} day.",
		"Between two freezes there are at least {n} days."))
	say(f.PaidPeriods > 0, w.N(f.PaidPeriods, "Before the first freeze, {n} billing period is paid.",
		"Before the first freeze, {n} billing periods are paid."))
	say(f.NoticeDays > 0, w.N(f.NoticeDays, "Set it at least {n} day before it begins.",
		"Set it at least {n} days before it begins."))
	return out
}

// FreezeRefusal says why a customer cannot freeze a plan.
func FreezeRefusal(w Words, f rules.Freeze, why rules.WhyNot) string {
	switch why {
	case rules.FreezeInPast:
		return w.T("Choose days from today on.")
	case rules.FreezeOverlaps:
		return w.T("The plan is frozen on some of these days already.")
	case rules.FreezeTooShort:
		return w.N(f.MinDays, "It lasts at least {n} day.", "It lasts at least {n} days.")
	case rules.FreezeTooLong:
		return w.N(f.MaxDays, "It lasts at most {n} day.", "It lasts at most {n} days.")
	case rules.FreezeNotWhole:
		return w.T("A freeze begins and ends with a billing period.")
	case rules.FreezeNotOnFirst:
		return w.T("A freeze begins on the first day of a month.")
	case rules.FreezeTooOften:
		return w.N(f.PerYear, "You can do that {n} time in twelve months.", "You can do that {n} times in twelve months.")
	case rules.FreezeTooClose:
		return w.N(f.Apart, "Between two freezes there is at least {n} day.",
			"Between two freezes there are at least {n} days.")
	case rules.FreezeTooEarly:
		return w.N(f.PaidPeriods, "Before the first freeze, {n} billing period is paid.",
			"Before the first freeze, {n} billing periods are paid.")
	case rules.FreezeTooLate:
		return w.N(f.NoticeDays, "Set it at least {n} day before it begins.",
			"Set it at least {n} days before it begins.")
	case rules.FreezeTooFar:
		return w.T("It begins too late. Choose a day before the end of the next billing period.")
	case rules.FreezeAfterEnd:
		return w.T("The plan has ended by then.")
	}
	return w.T("This plan cannot be frozen by its customers. Ask the studio.")
}

// ChangeRefused says why a customer cannot change to a plan.
func ChangeRefused(w Words, m plan.Membership, why plan.ChangeRefusal) string {
	switch why {
	case plan.ChangeTooEarly:
		return w.N(m.Renewal.DowngradePeriods,
			"You can change to a plan with a lower price after {n} billing period is paid.",
			"You can change to a plan with a lower price after {n} billing periods are paid.")
	case plan.ChangeFrozen:
		return w.T("End the freeze of your plan before you change it.")
	case plan.ChangeSame:
		return w.T("You have this plan already.")
	}
	return w.T("You cannot change to this plan. Choose another one, or ask the studio.")
}
