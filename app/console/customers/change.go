package customers

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/view"
)

// The fields of a change of plan. fieldAmount is the amount in minor units that the page has shown.
const (
	fieldPlan   = "planId"
	fieldAtEnd  = "atPeriodEnd"
	fieldAmount = "amount"
)

// changeable reports whether the caller may change a membership that can change to another plan now.
func changeable(c *desk.Call, m plan.Membership) bool {
	return m.Kind == plan.Renewing && m.State == plan.Active && m.EndsOn == nil && !m.Renewal.Ends &&
		!due(c.UI, m) && freezeOf(c.UI, m) == nil && c.MayAt("changePlan", m.LocationID)
}

// changing is a customer's membership with a change in the form, and its effects.
type changing struct {
	holding
	plan.Changing
	Plans   []plan.Plan // to choose from
	AtEnd   bool        // it begins with the next billing period in any case
	Chosen  bool        // it has effects
	Refused string
}

// changeInput reads the change in the form.
func changeInput(c *desk.Call) (in plan.ChangeInput, err error) {
	in.CustomerID, in.MembershipID, err = ids(c)
	in.PlanID, in.AtPeriodEnd, in.Version = c.UUID(fieldPlan), c.Ticked(fieldAtEnd), c.Version()
	return in, err
}

// changesTo reads the memberships that the location of a customer's one sells, except the present one.
func (s *screens) changesTo(c *desk.Call, m plan.Membership) (out []plan.Plan, err error) {
	if !c.MayAt("listPlans", m.LocationID) {
		return nil, nil
	}
	in := plan.ListInput{In: paging.In[plan.Key]{Limit: paging.Max}, State: plan.Published}
	for {
		page, err := s.Plans.List(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		out = append(out, slices.DeleteFunc(page.Items, func(p plan.Plan) bool {
			return p.Kind != plan.Renewing || p.Ends || p.ID == m.PlanID || !p.SoldAt(m.LocationID, m.Currency)
		})...)
		if in.After = page.Next; in.After == nil {
			return out, nil
		}
	}
}

// options returns the plans to choose from, with their prices.
func (v changing) options(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Choose a plan")}}
	for _, p := range v.Plans {
		out = append(out, ui.Option{
			Value: p.ID.String(), Text: view.Joined(" · ", p.Name, ui.PricePerPeriod(sh, p)),
		})
	}
	return out
}

// askChange asks for the new plan of a membership, and shows the effects of the change.
func (s *screens) askChange(c *desk.Call) (ui.Screen, error) {
	h, err := s.managed(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := changing{holding: h, AtEnd: c.Ticked(fieldAtEnd)}
	if v.Plans, err = s.changesTo(c, h.Membership); err != nil {
		return ui.Screen{}, err
	}
	in, err := changeInput(c)
	if err != nil {
		return ui.Screen{}, err
	}
	chosen := in.PlanID != uuid.Nil
	if !chosen {
		in.PlanID = h.PlanID // what is refused for any plan is known
	}
	_, v.Changing, err = plan.ChangingOf(c.Context(), s.DB.View(c.Scope.Tenant), in, true)
	v.Chosen = err == nil && chosen
	why, _ := detailsOf(err)["why"].(string)
	if errors.Is(err, plan.ErrChange) {
		if chosen || why != string(plan.ChangeSame) {
			v.Refused, err = c.Cannot(inWords(c.UI, err))
		} else {
			err = nil
		}
	}
	return ui.Screen{
		Title: c.UI.T("Change plan"), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email), Area: "customers",
		Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: changeBody(c, v), Sheet: true,
	}, err
}

func detailsOf(err error) map[string]any {
	if f := fault.From(err); f != nil {
		return f.Details
	}
	return nil
}

// outcomes are the effects of the change.
func (v changing) outcomes(sh ui.Shell) (out []ui.Outcome) {
	say := func(text, amount string) { out = append(out, ui.Outcome{Text: text, Amount: amount}) }
	switch {
	case v.Now && v.Changing.Amount > 0:
		say(sh.T("{plan} begins today, once it is paid.", "plan", v.To.Name), "")
		if v.ConsentedAt != nil {
			say(sh.T("The saved card is charged now. If that fails, the customer gets a payment link."),
				sh.Cash(v.Changing.Amount, v.Currency))
		} else {
			say(sh.T("The customer gets a payment link now. You can take the payment at the desk as well."),
				sh.Cash(v.Changing.Amount, v.Currency))
		}
	case v.Now:
		say(sh.T("{plan} begins today.", "plan", v.To.Name), "")
		say(sh.T("There is no payment now."), "")
	default:
		say(sh.T("{plan} begins on {date}, with the next billing period.", "plan", v.To.Name, "date", day(sh, v.On)), "")
		say(sh.T("There is no payment now."), "")
	}
	if credits := v.credits(sh); v.Now && credits != "" {
		say(sh.T("Until the next payment: {credits}.", "credits", credits), "")
	}
	say(sh.T("The next payment is on {date}.", "date", day(sh, v.Changing.RenewsOn)), sh.Cash(v.NextAmount, v.Currency))
	if v.ConsentedAt != nil && v.NextAmount > v.PriceAmount {
		say(sh.T("The saved card is charged for the new price once the customer agrees to it."), "")
	}
	if v.Change != nil {
		say(sh.T("The change to {plan} is withdrawn.", "plan", v.Change.Name), "")
	}
	return out
}

// credits renders the credits of the new plan until the next payment.
func (v changing) credits(sh ui.Shell) string {
	var out []string
	for i, n := range v.Credits {
		left := 0
		if n != nil {
			left = *n
		}
		out = append(out, view.RemainingCredits(sh.Words, v.To.Benefits[i], left))
	}
	return view.Joined(" · ", out...)
}

// fields are the hidden fields of the form that makes the change.
func (v changing) fields() []view.Param {
	atEnd := ""
	if v.AtEnd {
		atEnd = "1"
	}
	return []view.Param{
		versionOf(v.Membership), {Name: fieldPlan, Value: v.To.ID.String()}, {Name: fieldAtEnd, Value: atEnd},
		{Name: fieldAmount, Value: strconv.FormatInt(v.Changing.Amount, 10)},
	}
}

func (s *screens) change(c *desk.Call, ctx context.Context) (desk.Done, error) {
	in, err := changeInput(c)
	if err != nil {
		return desk.Done{}, err
	}
	shown, err := strconv.ParseInt(c.Value(fieldAmount), 10, 64)
	if err != nil || in.Version == 0 { // the page has both
		return desk.Done{}, fault.ErrStale
	}
	in.Amount = &shown
	m, err := s.Owed.ChangePlan(ctx, c.Scope, in)
	said := c.UI.T("Changed to {plan}.", "plan", m.Name)
	if m.Change != nil {
		said = changeText(c.UI, m)
	}
	return desk.Done{To: address(c, in.CustomerID, in.MembershipID), Said: said}, inWords(c.UI, err)
}

// changeText renders the change of a membership that is due or to come, as a sentence.
func changeText(sh ui.Shell, m plan.Membership) string {
	h := m.Change
	if h.Due {
		return sh.T("The change to {plan} waits for its payment of {amount}.",
			"plan", h.Name, "amount", sh.Cash(h.Amount, m.Currency))
	}
	return sh.T("It changes to {plan} on {date}.", "plan", h.Name, "date", day(sh, h.On))
}

// changeFailed renders the reason that the saved card was not charged for a change; empty if it was not tried, or not
// declined.
func changeFailed(sh ui.Shell, m plan.Membership) string {
	if m.Change.Failed == "" {
		return ""
	}
	return sh.T("The card could not be charged: {why} The customer has a payment link.",
		"why", view.FeeTrouble(sh.Words, m.Change.Failed).Text)
}

// payChange returns the address of the payment of a change at the desk; empty if it is not due, or without the right to
// take payments there.
func payChange(c *desk.Call, m plan.Membership) string {
	if m.State != plan.Active || !m.Change.Due {
		return ""
	}
	return payAt(c, m, m.Change.ID)
}

func (s *screens) withdraw(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	if c.Version() == 0 { // the page has it
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Owed.WithdrawChange(ctx, c.Scope, customer, membership, c.Version())
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("Withdrew the change of {plan}.", "plan", m.Name),
	}, err
}
