package view

import "foyer/app/plan"

// planPerson is the mail to a customer who can book with the plan of another one, or about a transfer.
func planPerson(f From, p PlanEnd) Letter {
	var subject string
	var words []string
	switch p.Event {
	case plan.SharedWith:
		subject = f.T("You can book with {plan}", "plan", p.Name)
		words = []string{f.T("You can book with a plan at {studio}: {plan}.", "studio", f.named(), "plan", p.Name)}
		if p.Holder != "" {
			words = []string{f.T("You can book with the plan of {name} at {studio}: {plan}.", "name", p.Holder,
				"studio", f.named(), "plan", p.Name)}
		}
		words = append(words, f.T("Its credits and limits are shared by everyone on the plan."))
	case plan.GivenAway:
		subject = f.T("{plan} was transferred", "plan", p.Name)
		words = []string{f.T("{studio} transferred your plan {plan} to another customer.", "studio", f.named(),
			"plan", p.Name)}
		if p.Holder != "" {
			words = []string{f.T("{studio} transferred your plan {plan} to {name}.", "studio", f.named(), "plan", p.Name,
				"name", p.Holder)}
		}
		return f.notice(subject, words[0], Notice{
			Title: subject, Words: words, Button: f.T("See your plans"), Link: p.Plans,
			Last: f.T("If you think this is a mistake, contact {studio}.", "studio", f.named()),
		})
	default:
		subject = f.T("{plan} is yours now", "plan", p.Name)
		words = []string{f.T("{studio} transferred a plan to you: {plan}. You can book with it now.", "studio", f.named(),
			"plan", p.Name)}
	}
	if p.Credits > 0 && p.Event == plan.Received {
		words = append(words, f.N(p.Credits, "{n} credit is left.", "{n} credits are left."))
	}
	if !p.LastDay.IsZero() {
		words = append(words, f.T("Its last day is {date}.", "date", f.Date(p.LastDay)))
	}
	return f.notice(subject, words[0], Notice{
		Title: subject, Words: words, Button: f.T("See your plans"), Link: p.Plans,
	})
}
