package plans

import (
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/plan"
	"foyer/app/view"
)

// shelf is a page of the list with its filter.
type shelf struct {
	desk.Leaf[plan.Plan]
	State plan.State // empty: drafts and published ones
}

// active returns the number of active filters.
func (v shelf) active() int {
	if v.State == "" {
		return 0
	}
	return 1
}

// rowsAPage is the number of plans on a page.
const rowsAPage = 50

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	v := shelf{State: plan.State(c.Value("state"))}
	if !v.State.Valid() {
		v.State = ""
	}
	t := desk.TurnOnward[plan.Key](c, "plans", v.State)
	page, err := s.Plans.List(c.Context(), c.Scope, plan.ListInput{In: t.In(rowsAPage), State: v.State})
	v.Leaf = desk.LeafOf(c, t, page, func(p plan.Plan) plan.Key {
		return plan.Key{Position: p.Position, Name: p.Name, ID: p.ID}
	})
	return ui.Screen{Title: c.UI.T("Plans"), Area: area, Acts: listActs(c), Body: listBody(c, v)}, err
}

// validity renders the time for which a plan is valid, without a full stop; of a membership its terms, as sentences.
func validity(sh ui.Shell, p plan.Plan) string {
	if p.Kind == plan.Renewing {
		terms := ui.RenewalTerms(sh, p)
		if p.IntroPeriods > 0 {
			terms = append([]string{ui.PriceTerms(sh, p)}, terms...)
		}
		return view.Joined(" ", terms...)
	}
	if p.Count == 0 {
		return sh.T("No end date")
	}
	return view.SpanOf(sh.Words, p.Count, p.Unit)
}

func states(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Not archived")}}
	for _, s := range plan.State("").All() {
		text, _ := badge(sh, s)
		out = append(out, ui.Option{Value: string(s), Text: text})
	}
	return out
}
