// Package plans is the screens of plans: the list, and the editor with its benefits.
package plans

import (
	"strconv"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/plan"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/policy"
)

// at is the path of the list; area is the entry of the rail.
const (
	at   = desk.PlansAt
	area = "plans"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	const one = at + "/:plan"
	d.Page("listPlans", at, s.list)
	d.Page("createPlan", at+"/new", s.newPage)
	d.Form("createPlan", at+"/new", desk.Form{Do: s.create, Show: s.newPage, Inputs: inputs})
	d.Page("getPlan", one, s.edit)
	d.Form("updatePlan", one, desk.Form{Do: s.save, Show: s.edit, Inputs: inputs})
	d.Form("publishPlan", one+"/publish", desk.Form{Do: s.publish, Show: s.edit, Inputs: inputs})
	d.Form("updatePlan", one+"/unpublish", desk.Form{Do: s.unpublish})
	d.Form("updatePlan", one+"/restore", desk.Form{Do: s.restore})
	d.Page("archivePlan", one+"/archive", s.askArchive)
	d.Form("archivePlan", one+"/archive", desk.Form{Do: s.archive, Show: s.askArchive})
}

// may reports whether the caller may change plans. Locations share them, so it needs catalog.manage in the whole
// business.
func may(c *desk.Call) bool { return policy.Require(c.Scope, policy.CatalogManage) == nil }

// of returns the address of a plan's page.
func of(c *desk.Call, id uuid.UUID, below string) string { return c.To(at + "/" + id.String() + below) }

// badge renders the state of a plan.
func badge(sh ui.Shell, s plan.State) (string, ui.Tone) {
	switch s {
	case plan.Published:
		return sh.T("Published"), "ok"
	case plan.Archived:
		return sh.T("Archived"), ""
	}
	return sh.T("Draft"), "warn"
}

// kinds are the names of the kinds, and what each is for.
var kinds = map[plan.Kind]struct{ Name, About words.Text }{
	plan.Pack: {"Pack", "A number of credits, such as a 10-class pack."},
	plan.Pass: {"Pass", "Unlimited bookings, or credits, for a time such as 30 days."},
	plan.Renewing: {
		"Membership", "Renews with a payment for each billing period, such as a month, until it is cancelled or ends.",
	},
	plan.Intro: {"Intro offer", "A pack or pass for new customers, once per customer."},
	plan.Comp:  {"Complimentary", "Given by the studio without a payment, and not for sale."},
}

// kindName renders the name of a kind.
func kindName(sh ui.Shell, k plan.Kind) string { return sh.T(kinds[k].Name) }

// plan reads the one of the address.
func (s *screens) plan(c *desk.Call) (plan.Plan, error) {
	id, err := c.ID("plan")
	if err != nil {
		return plan.Plan{}, err
	}
	return s.Plans.Get(c.Context(), c.Scope, id)
}

// price renders the price of a plan.
func price(sh ui.Shell, p plan.Plan) string {
	if p.Kind == plan.Comp {
		return sh.T("Not for sale")
	}
	if p.Kind == plan.Renewing {
		return ui.PricePerPeriod(sh, p)
	}
	return sh.MoneyShort(view.Price{Minor: p.PriceAmount, Currency: p.Currency})
}

func version(n int64) view.Param { return view.Param{Name: "version", Value: strconv.FormatInt(n, 10)} }

func idText(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

func idTexts(ids []uuid.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// some renders a number; empty for 0.
func some(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
