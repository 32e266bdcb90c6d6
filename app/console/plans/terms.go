package plans

import (
	"slices"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// The fields of the rules for a freeze, by their names in the domain's errors.
const (
	freezeAllowed = "freeze.allowed"
	freezeMinDays = "freeze.minDays"
	freezeMaxDays = "freeze.maxDays"
	freezeWhole   = "freeze.wholePeriods"
	freezeOnFirst = "freeze.onFirst"
	freezePerYear = "freeze.perYear"
	freezeApart   = "freeze.apart"
	freezePaid    = "freeze.paidPeriods"
	freezeNotice  = "freeze.noticeDays"
)

// freeze returns the rules for a freeze.
func (f *reader) freeze() rules.Freeze {
	return rules.Freeze{
		Allowed: f.Ticked(freezeAllowed), MinDays: f.number(freezeMinDays), MaxDays: f.number(freezeMaxDays),
		WholePeriods: f.Ticked(freezeWhole), OnFirst: f.Ticked(freezeOnFirst), PerYear: f.number(freezePerYear),
		Apart: f.number(freezeApart), PaidPeriods: f.number(freezePaid), NoticeDays: f.number(freezeNotice),
	}
}

// others reads the other memberships of a plan's currency that are not archived, and the archived ones that its members
// can change to once they are restored; none for another kind.
func (s *screens) others(c *desk.Call, p plan.Plan) (out []plan.Plan, err error) {
	if p.Kind != plan.Renewing {
		return nil, nil
	}
	in := plan.ListInput{In: paging.In[plan.Key]{Limit: paging.Max}}
	for {
		page, err := s.Plans.List(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		for _, o := range page.Items {
			if o.Kind == plan.Renewing && o.Currency == p.Currency && o.ID != p.ID {
				out = append(out, o)
			}
		}
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	for _, id := range p.ChangeIDs {
		if slices.ContainsFunc(out, func(o plan.Plan) bool { return o.ID == id }) {
			continue
		}
		o, err := s.Plans.Get(c.Context(), c.Scope, id)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// changeOptions returns the plans that members can change to.
func (v sheet) changeOptions(sh ui.Shell) (out []ui.Option) {
	for _, o := range v.Others {
		text, _ := badge(sh, o.State)
		if o.State == plan.Published {
			text = price(sh, o)
		}
		out = append(out, ui.Option{Value: o.ID.String(), Text: o.Name, Hint: text})
	}
	return out
}

// changeTerms returns sentences about the plans that members can change to; none without any.
func (v sheet) changeTerms(sh ui.Shell) (out []string) {
	var names []string
	for _, o := range v.Others {
		if slices.Contains(v.Typed.ChangeIDs, o.ID) {
			names = append(names, o.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	out = append(out, sh.T("Customers can change to {plans}.", "plans", sh.And(names)))
	if n := v.Typed.DowngradePeriods; n > 0 {
		out = append(out, sh.N(n, "A change to a lower price needs {n} paid billing period.",
			"A change to a lower price needs {n} paid billing periods."))
	}
	return out
}
