package till

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/view"
)

// fieldPeriod is the billing period of a membership in the address of a sale. It needs the customer.
const fieldPeriod = desk.FieldPeriod

// member reads the membership whose billing period is paid, as far as the caller sees plans of customers.
func (s *screens) member(c *desk.Call, v *selling) error {
	if v.Period == uuid.Nil || !c.MayAt("listCustomerPlans", c.LocationID()) {
		return nil
	}
	list, err := s.Plans.OfCustomer(c.Context(), c.Scope, c.UUID("customer"))
	next := func(m plan.Membership) bool {
		return m.Next != nil && m.Next.ID == v.Period || m.Change != nil && m.Change.ID == v.Period
	}
	if i := slices.IndexFunc(list, next); i >= 0 {
		v.Member = &list[i]
	}
	return err
}

// back returns the address of the customer whose billing period is paid; empty without one, or without the right to
// see the customer.
func (s selling) back(c *desk.Call) string {
	if s.Period == uuid.Nil {
		return ""
	}
	return c.Customer(s.Customer.ID, c.LocationID())
}

// up returns the link from the payment of a billing period: to the customer, or to the cash drawer.
func (s selling) up(c *desk.Call) *view.Link {
	if to := s.back(c); to != "" {
		return &view.Link{Text: ui.Who(c.UI, "", s.Customer.Name, s.Customer.Email), Href: to}
	}
	return &view.Link{Text: c.UI.T("Cash drawer"), Href: c.To("/till")}
}

// withoutPeriod returns the sale without its billing period.
func (s selling) withoutPeriod() selling {
	s.Period, s.Member = uuid.Nil, nil
	return s
}

// periodName renders the membership whose billing period is paid.
func (s selling) periodName(sh ui.Shell) string {
	if s.Member == nil {
		return sh.T("Billing period")
	}
	if s.changes() {
		return sh.T("Change to {plan}", "plan", s.Member.Change.Name)
	}
	return s.Member.Name
}

// changes reports whether a change of plan is paid, not a billing period.
func (s selling) changes() bool {
	return s.Member != nil && s.Member.Change != nil && s.Member.Change.ID == s.Period
}

// periodDates renders the first and the last day of the billing period; of a change of plan, the present one. It is
// empty if they are unknown.
func (s selling) periodDates(sh ui.Shell) string {
	switch {
	case s.Member == nil:
		return ""
	case s.changes():
		return s.Member.Name
	}
	next := s.Member.Next
	return sh.T("{from} to {to}", "from", sh.Day(view.Noon(next.StartsOn, sh.Zone)),
		"to", sh.Day(view.Noon(next.EndsOn.AddDays(-1), sh.Zone)))
}

// periodAmount returns the amount of the billing period of a quoted sale, which follows its plans; empty without one.
func (s selling) periodAmount(sh ui.Shell) string {
	if n := len(s.Sale.Plans); n > len(s.Plans) {
		return sh.Cash(s.Sale.Plans[n-1].Amount, s.Sale.Currency)
	}
	return ""
}

// paidPeriod renders the notice about a paid billing period.
func paidPeriod(c *desk.Call, sale owed.Sale) string {
	return c.UI.T("Recorded a payment of {amount}.", "amount", c.UI.Cash(sale.Amount, sale.Currency))
}

// planPrice renders the price of a plan on sale.
func planPrice(sh ui.Shell, p plan.Plan) string {
	if p.Kind == plan.Renewing {
		return view.Joined(" ", append([]string{ui.PriceTerms(sh, p)}, ui.RenewalTerms(sh, p)...)...)
	}
	return sh.Cash(p.PriceAmount, p.Currency)
}
