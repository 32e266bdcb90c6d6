package today

import (
	"strings"

	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/view"
)

// renewalFigures returns the billing periods that are due today and in the next days, with their amounts. A number with
// nothing due is left out.
func renewalFigures(sh ui.Shell, r plan.Renewals) (out []ui.Figure) {
	var today, coming int
	var todayAmounts, comingAmounts []string
	add := func(list *[]string, amount int64, cur money.Currency) {
		if amount > 0 {
			*list = append(*list, sh.Cash(amount, cur))
		}
	}
	for _, s := range r.Sums {
		today, coming = today+s.Today, coming+s.Coming
		add(&todayAmounts, s.TodayAmount, s.Currency)
		add(&comingAmounts, s.ComingAmount, s.Currency)
	}
	if today > 0 {
		out = append(out, ui.Figure{Number: sh.Lang().Number(today),
			Text: sh.T("due today: {amount}", "amount", strings.Join(todayAmounts, " + "))})
	}
	if coming > 0 {
		out = append(out, ui.Figure{Number: sh.Lang().Number(coming),
			Text: sh.T("due in the next 7 days: {amount}", "amount", strings.Join(comingAmounts, " + "))})
	}
	return out
}

// unpaidAt returns the address of the membership of an unpaid billing period.
func unpaidAt(c *desk.Call, u plan.Unpaid) string {
	return c.To("/customers/" + u.CustomerID.String() + "/plans/" + u.MembershipID.String())
}

// unpaidWho renders the customer of an unpaid billing period.
func unpaidWho(sh ui.Shell, u plan.Unpaid) string { return ui.Who(sh, "", u.Customer, u.CustomerEmail) }

// unpaidWhy renders since when a billing period is due, and why it is not paid.
func unpaidWhy(sh ui.Shell, u plan.Unpaid) string {
	since := sh.T("Due since {date}", "date", sh.Day(view.Noon(u.StartsOn, sh.Zone)))
	why := sh.T("No saved card")
	switch {
	case u.Failed == "" && u.ConsentedAt == nil:
		why = sh.T("Pays by link or at the desk")
	case u.Failed == "insufficient_funds":
		why = sh.T("Card declined: insufficient funds")
	case u.Failed == "expired_card":
		why = sh.T("Card declined: it has expired")
	case u.Failed == "authentication_required":
		why = sh.T("Card declined: the bank requires the customer’s confirmation")
	case u.Failed != "":
		why = sh.T("Card declined")
	}
	return view.Joined(" · ", since, why)
}

// unpaidNext renders what happens next: another attempt, or the end of the membership.
func unpaidNext(sh ui.Shell, u plan.Unpaid) string {
	zone := sh.Words
	zone.Zone = civil.ZoneOrUTC(u.Zone)
	next := owed.NextAttempt(u, sh.Now)
	switch {
	case next.At.IsZero():
		return sh.T("Ends on {date} unless paid", "date", sh.Day(view.Noon(u.LapsesOn(), sh.Zone)))
	case next.Card:
		return sh.T("Next attempt {when}", "when", zone.ShortWhen(next.At))
	}
	return sh.T("Next reminder {when}", "when", zone.ShortWhen(next.At))
}
