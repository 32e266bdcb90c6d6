package ui

import (
	"strconv"

	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
)

// SoldAs returns the terms of a customer's membership that renews, as they were sold, in the form of its plan.
func SoldAs(m plan.Membership) plan.Plan {
	return plan.Plan{
		Kind: m.Kind, Name: m.Name, PriceAmount: m.PriceAmount, Currency: m.Currency, Renewal: m.Renewal,
		Validity: plan.Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}, Freeze: m.FreezeRules,
	}
}

// PricePerPeriod renders the price of each billing period of a membership: "$80.00 a month".
func PricePerPeriod(sh Shell, p plan.Plan) string { return perPeriod(sh, p, p.PriceAmount) }

func perPeriod(sh Shell, p plan.Plan, minor int64) string {
	return sh.PerPeriod(sh.Cash(minor, p.Currency), p.Count, p.Unit)
}

// periods renders the length of n billing periods: "6 months".
func periods(sh Shell, p plan.Plan, n int) string { return view.SpanOf(sh.Words, n*p.Count, p.Unit) }

// PriceTerms returns the price of a membership as a sentence.
func PriceTerms(sh Shell, p plan.Plan) string {
	if p.IntroPeriods == 0 {
		return sh.T("The price is {price}.", "price", PricePerPeriod(sh, p))
	}
	return sh.T("The price is {first} for {span}, then {price}.", "first", perPeriod(sh, p, p.IntroAmount),
		"span", periods(sh, p, p.IntroPeriods), "price", PricePerPeriod(sh, p))
}

// RenewalTerms returns sentences about the end of a membership: that it renews, for how long at least, and the notice
// of a cancellation; and its billing day.
func RenewalTerms(sh Shell, p plan.Plan) (out []string) {
	if p.BillingDay > 0 {
		out = append(out, sh.T("Payments are due on day {n} of the month.", "n", strconv.Itoa(p.BillingDay)),
			sh.T("The first one is for the days until then."))
	}
	switch {
	case p.Ends:
		return append(out, sh.T("It ends after {span}.", "span", periods(sh, p, p.MinPeriods)))
	case p.MinPeriods > 0:
		out = append(out, sh.T("It runs for at least {span} and renews until it is cancelled.",
			"span", periods(sh, p, p.MinPeriods)))
	default:
		out = append(out, sh.T("It renews until it is cancelled."))
	}
	if p.NoticeDays > 0 {
		out = append(out, sh.N(p.NoticeDays, "A cancellation needs {n} day of notice.",
			"A cancellation needs {n} days of notice."))
	}
	return out
}

// FreezeTerms returns sentences about the rules by which customers freeze a plan; none if they cannot.
func FreezeTerms(sh Shell, p plan.Plan) (out []string) {
	f := p.Freeze
	if !f.Allowed {
		return nil
	}
	switch {
	case f.MinDays > 0 && f.MaxDays > 0:
		out = append(out, sh.N(f.MaxDays, "Customers can freeze it for {min} to {n} day.",
			"Customers can freeze it for {min} to {n} days.", "min", f.MinDays))
	case f.MinDays > 0:
		out = append(out, sh.N(f.MinDays, "Customers can freeze it for at least {n} day.",
			"Customers can freeze it for at least {n} days."))
	case f.MaxDays > 0:
		out = append(out, sh.N(f.MaxDays, "Customers can freeze it for at most {n} day.",
			"Customers can freeze it for at most {n} days."))
	default:
		out = append(out, sh.T("Customers can freeze it."))
	}
	if f.WholePeriods {
		out = append(out, sh.T("A freeze begins and ends with billing periods."))
	}
	if f.OnFirst {
		out = append(out, sh.T("A freeze begins on the first day of a month."))
	}
	if f.PerYear > 0 {
		out = append(out, sh.N(f.PerYear, "At most {n} freeze in twelve months.", "At most {n} freezes in twelve months."))
	}
	if f.Apart > 0 {
		out = append(out, sh.N(f.Apart, "There is at least {n} day between two freezes.",
			"There are at least {n} days between two freezes."))
	}
	if f.PaidPeriods > 0 {
		out = append(out, sh.N(f.PaidPeriods, "The first freeze needs {n} paid billing period.",
			"The first freeze needs {n} paid billing periods."))
	}
	if f.NoticeDays > 0 {
		out = append(out, sh.N(f.NoticeDays, "A freeze needs {n} day of notice.", "A freeze needs {n} days of notice."))
	}
	return out
}
