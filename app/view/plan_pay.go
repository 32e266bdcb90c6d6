package view

import (
	"foyer/app/booking"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/words"
)

// Covered returns that a plan pays for a seat: "Paid with 10-class pack: 1 credit"; empty without a plan.
func (w Words) Covered(c *order.Cover) string {
	if c == nil {
		return ""
	}
	return w.PaidByPlan(c.Paid())
}

// PaidByPlan is Covered for the name of a plan and the credits that it pays; 0: it is unlimited.
func (w Words) PaidByPlan(name string, credits int) string {
	if credits == 0 {
		return w.T("Paid with {card}", "card", name)
	}
	return w.T("Paid with {plan}: {credits}", "plan", name, "credits", w.Credits(credits))
}

// Credits returns "1 credit" or "4 credits".
func (w Words) Credits(n int) string { return w.N(n, "{n} credit", "{n} credits") }

// CreditsBack returns that a cancelled booking returns its credits to the plan that paid for it; of an unlimited plan
// that it does not count any more.
func (w Words) CreditsBack(name string, credits int) string {
	if credits == 0 {
		return w.T("This booking no longer counts for {plan}.", "plan", name)
	}
	return w.N(credits, "{n} credit is returned to {plan}.", "{n} credits are returned to {plan}.", "plan", name)
}

// CreditsLost returns that a booking, cancelled late, does not return its credits; of an unlimited plan that it still
// counts.
func (w Words) CreditsLost(name string, credits int) string {
	if credits == 0 {
		return w.T("It still counts for {plan}.", "plan", name)
	}
	return w.N(credits, "{n} credit of {plan} is not returned.", "{n} credits of {plan} are not returned.", "plan", name)
}

// creditTerms returns until when cancelling a booking returns the credits of the plan that paid for it.
func (w Words) creditTerms(b booking.Booking, s booking.CostBasis) string {
	until := b.Rules.FreeUntil(b.StartsAt)
	if b.GraceUntil != nil && b.GraceUntil.After(until) {
		until = *b.GraceUntil
	}
	n, to := s.PlanCredits, []any{"plan", s.Plan}
	switch {
	case w.Now.After(until):
		return w.N(n, "If you cancel, {n} credit of {plan} is not returned.",
			"If you cancel, {n} credits of {plan} are not returned.", to...)
	case b.StartsAt.Sub(until).Seconds() < 1:
		return w.N(n, "If you cancel before it begins, {n} credit is returned to {plan}.",
			"If you cancel before it begins, {n} credits are returned to {plan}.", to...)
	}
	return w.N(n, "If you cancel until {when}, {n} credit is returned to {plan}.",
		"If you cancel until {when}, {n} credits are returned to {plan}.", append(to, "when", w.ShortWhen(until))...)
}

// soldUntil returns until when a plan is valid that was sold; empty for anything else.
func (w Words) soldUntil(e *order.PlanEnd) string {
	if e == nil {
		return ""
	}
	return MembershipEnd(w, plan.Membership{
		State: plan.Active, EndsOn: e.EndsOn, FromFirstUse: e.FirstUse, Count: e.Count, Unit: e.Unit,
	})
}

// WhyNot returns the reason that a plan of the customer does not pay for a seat; empty for one that another plan pays.
func (w Words) WhyNot(why rules.Why) string { return w.T(whyNot[why]) }

var whyNot = map[rules.Why]words.Text{
	rules.NotCovered:    "Does not cover this booking",
	rules.NotAtLocation: "Not valid at this location",
	rules.NotStarted:    "Begins after this booking",
	rules.Ended:         "Ends before this booking",
	rules.OnFreeze:      "Frozen on this day",
	rules.PastDue:       "Has a payment that is overdue",
	rules.Suspended:     "Suspended by the studio",
	rules.NoCredits:     "Not enough credits left",
	rules.DayFull:       "Already used on this day",
	rules.WeekFull:      "Limit of this week reached",
	rules.UpcomingFull:  "Limit of upcoming bookings reached",
	rules.NoGuestPass:   "Not for other people",
	rules.GuestsOnly:    "Only for guests",
}
