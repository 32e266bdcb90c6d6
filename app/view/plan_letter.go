package view

import (
	"time"

	"foyer/app/plan"
)

// PlanEnd is a plan in the mail to its customer: it ends soon, it renews soon, or it has an end.
type PlanEnd struct {
	Event    plan.Event
	Name     string
	Credits  int       // that are not used; 0: any number
	LastDay  time.Time // noon of it; zero: it renews
	RenewsOn time.Time // noon of the day of the next payment; zero: there is none
	Amount   Price     // of that
	// Of a freeze: noon of its first and its last day; the last one is zero if no end is known.
	FrozenFrom, FrozenLast time.Time
	// Of a change: the new plan, noon of its first day, and the price of a period of it.
	Change      string
	ChangesOn   time.Time
	ChangePrice Price
	Link        string // absolute address of the studio's pages
	Plans       string // absolute address of the customer's plans
}

// PlanEndsLetter is the mail about a plan that ends or renews.
func PlanEndsLetter(f From, p PlanEnd) Letter {
	switch p.Event {
	case plan.RenewsSoon:
		return planRenews(f, p)
	case plan.CanceledFor:
		return planCancelled(f, p)
	case plan.EndedUnpaid:
		return planUnpaid(f, p)
	case plan.FrozenFor:
		return planFrozen(f, p)
	case plan.Unfrozen:
		return planUnfrozen(f, p)
	case plan.ChangesTo:
		return planChanges(f, p)
	}
	subject := f.T("{plan} ends on {date}", "plan", p.Name, "date", f.Date(p.LastDay))
	words := []string{f.T("Your plan at {studio} ends soon. Its last day is {date}.", "studio", f.named(),
		"date", f.Date(p.LastDay))}
	if p.Credits > 0 {
		words = append(words, f.N(p.Credits, "{n} credit is left. It pays for a class on or before that day.",
			"{n} credits are left. They pay for classes on or before that day."))
	}
	return f.notice(subject, words[0], Notice{
		Title: p.Name, Words: words, Button: f.T("Find a class"), Link: p.Link,
	})
}

func planRenews(f From, p PlanEnd) Letter {
	words := []string{
		f.T("Your membership at {studio} renews on {date}. {amount} is due on that day.", "studio", f.named(),
			"date", f.Date(p.RenewsOn), "amount", f.Money(p.Amount)),
		f.T("If you agreed to automatic payment, your saved card is charged. Otherwise you get a link to pay by e-mail."),
		f.T("You can cancel under My plans: choose the plan, then “Cancel membership”."),
	}
	return f.notice(f.T("{plan} renews on {date}", "plan", p.Name, "date", f.Date(p.RenewsOn)), words[0], Notice{
		Title: p.Name, Words: words, Button: f.T("See your plans"), Link: p.Plans,
	})
}

func planCancelled(f From, p PlanEnd) Letter {
	subject := f.T("{plan} is cancelled", "plan", p.Name)
	n := Notice{Title: subject, Button: f.T("See your plans"), Link: p.Plans}
	if p.LastDay.Before(f.Now.Add(-12 * time.Hour)) {
		n.Words = []string{
			f.T("Your membership at {studio} has ended. Its last day was {date}.", "studio", f.named(),
				"date", f.Date(p.LastDay)),
			f.T("Nothing more is charged."),
		}
		return f.notice(subject, n.Words[0], n)
	}
	n.Words = []string{
		f.T("Your membership at {studio} does not renew. Its last day is {date}.", "studio", f.named(),
			"date", f.Date(p.LastDay)),
		f.T("It pays for bookings on or before that day, as before."),
	}
	if p.RenewsOn.IsZero() || p.RenewsOn.After(p.LastDay) {
		n.Words = append(n.Words, f.T("Nothing more is charged."))
	} else {
		n.Words = append(n.Words, f.T("The next payment is {amount}, due on {date}.", "amount", f.Money(p.Amount),
			"date", f.Date(p.RenewsOn)))
	}
	return f.notice(subject, n.Words[0], n)
}

func planUnpaid(f From, p PlanEnd) Letter {
	words := []string{
		f.T("Your membership at {studio} has ended, because its billing period was not paid.", "studio", f.named()),
		f.T("That payment is no longer due, and nothing more is charged."),
		f.T("You can buy a plan again at any time."),
	}
	return f.notice(f.T("{plan} has ended", "plan", p.Name), words[0], Notice{
		Title: f.T("{plan} has ended", "plan", p.Name), Words: words, Button: f.T("See what’s on"), Link: p.Link,
	})
}

// unpaidPeriod reports that a billing period of a membership is not paid, with a link to pay it.
func unpaidPeriod(f From, c FeeCharged) Letter {
	amount := f.Money(c.Amount)
	title, why := f.T("Your card could not be charged"), f.T("The payment of {amount} for {plan} did not go through.",
		"amount", amount, "plan", c.Plan)
	if c.NoCard {
		title = f.T("Your membership payment is due")
		why = f.T("A payment of {amount} for {plan} is due. No saved card is charged for it.", "amount", amount,
			"plan", c.Plan)
	}
	return f.notice(f.T("{amount} is due to {studio}", "amount", amount, "studio", f.named()), why, Notice{
		Title: title, Words: []string{
			why, f.T("{amount} is due to {studio}. Pay it online by card.", "amount", amount, "studio", f.named()),
			f.N(plan.GraceDays, "If it is not paid within {n} day of its due date, {plan} pays for no more bookings.",
				"If it is not paid within {n} days of its due date, {plan} pays for no more bookings.", "plan", c.Plan),
			f.N(plan.LapseDays, "The membership ends {n} day after the due date, or with its billing period if that is earlier.",
				"The membership ends {n} days after the due date, or with its billing period if that is earlier."),
		},
		Button: f.C("button", "Pay {amount}", "amount", amount), Link: c.Link,
		Last: f.T("If you think this is a mistake, contact {studio}.", "studio", f.named()),
	})
}

func planFrozen(f From, p PlanEnd) Letter {
	subject := f.T("{plan} is frozen from {date}", "plan", p.Name, "date", f.Date(p.FrozenFrom))
	if !p.FrozenLast.IsZero() {
		subject = f.T("{plan} is frozen from {from} to {to}", "plan", p.Name, "from", f.Date(p.FrozenFrom),
			"to", f.Date(p.FrozenLast))
	}
	n := Notice{Title: p.Name, Button: f.T("See your plans"), Link: p.Plans, Words: []string{
		f.T("Until the freeze ends, this plan at {studio} pays for no bookings, and nothing is charged for it.", "studio",
			f.named()),
	}}
	if p.FrozenLast.IsZero() {
		n.Words = append(n.Words, f.T("Its dates are postponed by the length of the freeze once it is ended."))
	} else {
		n.Words = append(n.Words, planNext(f, p)...)
	}
	return f.notice(subject, n.Words[0], n)
}

func planUnfrozen(f From, p PlanEnd) Letter {
	n := Notice{Title: p.Name, Button: f.T("See your plans"), Link: p.Plans, Words: append([]string{
		f.T("The freeze of this plan at {studio} has ended. The plan pays for bookings again.", "studio", f.named()),
	}, planNext(f, p)...)}
	return f.notice(f.T("{plan} is not frozen any more", "plan", p.Name), n.Words[0], n)
}

// planNext says when a plan is paid next, and when it ends.
func planNext(f From, p PlanEnd) (words []string) {
	if !p.RenewsOn.IsZero() && (p.LastDay.IsZero() || p.RenewsOn.Before(p.LastDay)) {
		words = append(words, f.T("The next payment is {amount}, due on {date}.", "amount", f.Money(p.Amount),
			"date", f.Date(p.RenewsOn)))
	}
	if !p.LastDay.IsZero() {
		words = append(words, f.T("Its last day is {date}.", "date", f.Date(p.LastDay)))
	}
	return words
}

func planChanges(f From, p PlanEnd) Letter {
	if !p.ChangesOn.After(f.Now) {
		first := f.T("Your membership at {studio} is {plan} now.", "studio", f.named(), "plan", p.Change)
		return f.notice(f.T("Your membership is {plan} now", "plan", p.Change), first, Notice{
			Title: p.Change, Button: f.T("See your plans"), Link: p.Plans, Words: append([]string{first}, planNext(f, p)...),
		})
	}
	first := f.T("On {date}, your membership at {studio} changes from {plan} to {new}.", "date", f.Date(p.ChangesOn),
		"studio", f.named(), "plan", p.Name, "new", p.Change)
	return f.notice(f.T("{plan} changes to {new} on {date}", "plan", p.Name, "new", p.Change, "date", f.Date(p.ChangesOn)),
		first, Notice{Title: p.Name, Button: f.T("See your plans"), Link: p.Plans, Words: []string{
			first,
			f.T("The next payment is {amount}, due on {date}.", "amount", f.Money(p.ChangePrice), "date", f.Date(p.ChangesOn)),
			f.T("Until then you can withdraw the change under My plans."),
		}})
}
