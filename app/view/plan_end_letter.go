package view

// planResumed reports that a membership that was cancelled goes on.
func planResumed(f From, p PlanEnd) Letter {
	first := f.T("Your membership at {studio} is no longer cancelled.", "studio", f.named())
	return f.notice(f.T("{plan} continues", "plan", p.Name), first, Notice{
		Title: f.T("{plan} continues", "plan", p.Name), Button: f.T("See your plans"), Link: p.Plans,
		Words: append([]string{first}, planNext(f, p)...),
	})
}

// unpaidEnd reports that the fee of an early end of a membership is not paid, with a link to pay it. The name of the
// plan says what it is.
func unpaidEnd(f From, c FeeCharged) Letter {
	amount := f.Money(c.Amount)
	title, why := f.T("Your card could not be charged"), f.T("The payment of {amount} for {plan} did not go through.",
		"amount", amount, "plan", c.Plan)
	if c.NoCard {
		title = f.T("Pay the fee to end your membership early")
		why = f.T("A payment of {amount} for {plan} is due. No saved card is charged for it.", "amount", amount,
			"plan", c.Plan)
	}
	return f.notice(f.T("{amount} is due to {studio}", "amount", amount, "studio", f.named()), why, Notice{
		Title: title, Words: []string{
			why, f.T("The membership ends with its present billing period once this is paid."),
			f.T("If it is not paid before the next billing period begins, the membership continues, and this payment is no " +
				"longer due."),
		},
		Button: f.C("button", "Pay {amount}", "amount", amount), Link: c.Link,
		Last: f.T("If you think this is a mistake, contact {studio}.", "studio", f.named()),
	})
}
