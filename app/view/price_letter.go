package view

import (
	"time"

	"foyer/app/civil"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// PlanPrice is a new price of a membership, in the mail to its customer.
type PlanPrice struct {
	Withdrawn   bool
	Before, New Price
	On, FirstOn time.Time // noon of the days from which periods have it, and of the first payment
	Agreed      bool      // the saved card is charged
	Count       int       // of Unit: the length of a billing period
	Unit        rules.Unit
}

// planPrice is the mail about a new price, or about one that is withdrawn. That of a higher one is the notice that the
// law asks for: the old and the new price, the first day, and the way to end the membership before it.
func planPrice(f From, p PlanEnd) Letter {
	n := p.Price
	before := f.PerPeriod(f.Money(n.Before), n.Count, n.Unit)
	after := f.PerPeriod(f.Money(n.New), n.Count, n.Unit)
	button := Notice{Title: p.Name, Button: f.T("See your plans"), Link: p.Plans}
	if n.Withdrawn {
		first := f.T("The new price of your membership at {studio}, {new} from {date}, is withdrawn.", "studio", f.named(),
			"new", after, "date", f.Date(n.On))
		button.Words = []string{first, f.T("The price stays {price}.", "price", before)}
		return f.notice(f.T("The price of {plan} does not change", "plan", p.Name), first, button)
	}
	first := f.T("From {date}, the price of your membership at {studio} is {new}. Until then it is {old}.",
		"date", f.Date(n.On), "studio", f.named(), "new", after, "old", before)
	button.Words = []string{first, f.T("The first payment at the new price is due on {date}.", "date", f.Date(n.FirstOn))}
	if n.Agreed && n.New.Minor > 0 {
		button.Words = append(button.Words, f.T("Your saved card is charged for it as before."))
	}
	if n.New.Minor > n.Before.Minor {
		button.Words = append(button.Words, f.T(
			"If you do not want to pay it, cancel under My plans by {date}. The membership then ends before that payment, "+
				"without any other notice or minimum term.", "date", f.Date(n.FirstOn.AddDate(0, 0, -1))))
	}
	return f.notice(f.T("The price of {plan} changes on {date}", "plan", p.Name, "date", f.Date(n.On)), first, button)
}

// NewPriceTerm returns the price of later billing periods of a customer's membership, and that they can cancel before a
// higher one; empty without one.
func NewPriceTerm(w Words, m plan.Membership, r Renewing) string {
	p := m.NewPrice()
	if p == nil {
		return ""
	}
	term := w.priceFrom(p.On, r.Shown(p.Amount), r)
	if p.Amount <= m.PriceAmount || m.EndsOn != nil {
		return term
	}
	return term + " " + w.T("You can cancel until {date}: it then ends before you pay that, without any other notice "+
		"or minimum term.", "date", w.Date(Noon(m.NewPriceOn(*p).AddDays(-1), w.Zone)))
}

func (w Words) priceFrom(on civil.Date, p Price, r Renewing) string {
	return w.T("For billing periods that begin on {date} or later, the price is {price}.",
		"date", w.Date(Noon(on, w.Zone)), "price", w.PerPeriod(w.Money(p), r.Count, r.Unit))
}
