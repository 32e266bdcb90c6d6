package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/policy"
)

// policies mounts the booking policies.
func (s *screens) policies(d *desk.Desk) {
	const path = "/settings/policies"
	d.Page("listPolicies", path, s.listPolicies)
	d.Page("createPolicy", path+"/new", s.newPolicy)
	d.Form("createPolicy", path+"/new", desk.Form{Do: s.makePolicy, Show: s.newPolicy, Inputs: ruleInputs})
	d.Page("listPolicies", path+"/preview", s.previewPolicy)
	d.Form("replaceLocationPolicy", path+"/places/:location", desk.Form{Do: s.placePolicy})
	d.Page("getPolicy", path+"/:policy", s.editPolicy)
	d.Form("updatePolicy", path+"/:policy", desk.Form{Do: s.savePolicy, Show: s.editPolicy, Inputs: ruleInputs})
	d.Form("archivePolicy", path+"/:policy/archive", desk.Form{Do: s.archivePolicy})
}

// mayRule reports whether the caller may change policies. They are shared, so it needs catalog.manage in the whole
// business.
func mayRule(c *desk.Call) bool { return policy.Require(c.Scope, policy.CatalogManage) == nil }

// rulesOf are the policies with their locations.
type rulesOf struct {
	Policies  []catalog.Policy
	Locations []catalog.LocationPolicy // in the order of the business
}

func (s *screens) listPolicies(c *desk.Call) (ui.Screen, error) {
	var v rulesOf
	page, err := s.Catalog.Policies(c.Context(), c.Scope, paging.In[uuid.UUID]{Limit: paging.Max})
	if err != nil {
		return ui.Screen{}, err
	}
	v.Policies = page.Items
	for _, l := range c.Workspace.Locations {
		p, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, l.ID)
		if err != nil {
			return ui.Screen{}, err
		}
		v.Locations = append(v.Locations, p)
	}
	screen := ui.Screen{
		Title: c.UI.T("Booking policy"), Area: "settings", Up: &view.Link{Text: c.UI.T("Settings"), Href: c.To("/settings")},
		Body: policiesBody(c, v),
	}
	if mayRule(c) {
		screen.Acts = ui.Go(c.To("/settings/policies/new"), ui.Button{Text: c.UI.T("New policy"), Icon: "plus"})
	}
	return screen, nil
}

func (s *screens) newPolicy(c *desk.Call) (ui.Screen, error) {
	p := catalog.Policy{Rules: catalog.StandardRules(), Currency: c.Workspace.Business.Currency}
	up := view.Link{Text: c.UI.T("Booking policy"), Href: c.To("/settings/policies")}
	return ui.Screen{
		Title: c.UI.T("New policy"), Area: "settings", Up: &up, Script: "catalog.js", Body: policyBody(c, p, c.To("/settings/policies/new")),
	}, nil
}

func (s *screens) makePolicy(c *desk.Call, ctx context.Context) (desk.Done, error) {
	rules, err := readRules(c, catalog.StandardRules(), c.Workspace.Business.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Catalog.CreatePolicy(ctx, c.Scope, catalog.CreatePolicyInput{Name: c.Value("name"), Rules: rules})
	return desk.Done{To: c.To("/settings/policies"), Said: c.UI.T("Added {name}. Assign it to a location or an offering to apply it.", "name", p.Name)}, ruleFault(err)
}

func (s *screens) thePolicy(c *desk.Call) (catalog.Policy, error) {
	id, err := c.ID("policy")
	if err != nil {
		return catalog.Policy{}, err
	}
	return s.Catalog.Policy(c.Context(), c.Scope, id)
}

func (s *screens) editPolicy(c *desk.Call) (ui.Screen, error) {
	p, err := s.thePolicy(c)
	if err != nil {
		return ui.Screen{}, err
	}
	up := view.Link{Text: c.UI.T("Booking policy"), Href: c.To("/settings/policies")}
	screen := ui.Screen{Title: p.Name, Area: "settings", Up: &up}
	if p.ArchivedAt != nil || !mayRule(c) {
		screen.Body = sentences(c.UI, p.Rules, p.Currency)
		return screen, nil
	}
	screen.Body, screen.Script = policyBody(c, p, c.To("/settings/policies/"+p.ID.String())), "catalog.js"
	screen.Acts = ui.Press(c.UI, c.To("/settings/policies/"+p.ID.String()+"/archive"), ui.Button{Text: c.UI.T("Archive"), Kind: "quiet", Small: true})
	return screen, nil
}

func (s *screens) savePolicy(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.thePolicy(c)
	if err != nil {
		return desk.Done{}, err
	}
	rules, err := readRules(c, p.Rules, p.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	p, err = s.Catalog.UpdatePolicy(ctx, c.Scope, catalog.UpdatePolicyInput{ID: p.ID, Version: c.Version(), Name: new(c.Value("name")), Rules: &rules})
	return desk.Done{To: c.To("/settings/policies"), Said: c.UI.T("Saved {name}. Existing bookings keep the rules they were made under.", "name", p.Name)}, ruleFault(err)
}

func (s *screens) archivePolicy(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("policy")
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Catalog.ArchivePolicy(ctx, c.Scope, id)
	return desk.Done{To: c.To("/settings/policies"), Said: c.UI.T("Archived {name}.", "name", p.Name)}, err
}

// placePolicy assigns a policy to a location; its undo assigns the former one.
func (s *screens) placePolicy(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	was, err := s.Catalog.LocationPolicy(c.Context(), c.Scope, id)
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Catalog.PutLocationPolicy(ctx, c.Scope, catalog.PutLocationPolicyInput{
		LocationID: id, PolicyID: reference(c, "policyId").Value, Version: c.Version(),
	})
	return desk.Done{
		To: c.To("/settings/policies"), Said: c.UI.T("{policy} applies to new bookings.", "policy", p.Name),
		Undo: &ui.Undo{Action: c.To("/settings/policies/places/" + id.String()), Fields: []view.Param{{Name: "policyId", Value: idText(was.PolicyID)}}},
	}, err
}

// previewPolicy renders the typed rules as text, for the script.
func (s *screens) previewPolicy(c *desk.Call) (ui.Screen, error) {
	rules, err := readRules(c, catalog.StandardRules(), c.Workspace.Business.Currency)
	if err != nil && !c.Refused(err, ruleInputs) {
		return ui.Screen{}, err
	}
	return ui.Screen{Title: c.UI.T("Booking policy"), Area: "settings", Sheet: true, Body: sentences(c.UI, rules, c.Workspace.Business.Currency)}, nil
}

// ruleInputs are the fields of a policy.
var ruleInputs = []string{
	"name", "noticeMinutes", "windowDays", "partyMin", "partyMax", "payAtStudio", "deposit.percent", "deposit.amount", "deposit.balanceMinutes", "cancel.freeUntilMinutes", "cancel.lateFromMinutes", "cancel.lateFeeAmount",
	"noShow.feeAmount", "noShow.reviewMinutes", "reschedule.untilMinutes", "reschedule.max", "grace.days", "grace.lateCancels", "grace.noShows",
	"waitlist.mode", "waitlist.offerMinutes", "waitlist.cutoffMinutes", "waitlist.graceMinutes",
}

// ruleFault renames the fields of a refusal to those of the form: without the prefix "rules.".
func ruleFault(err error) error {
	if f := faultOf(err); f != nil {
		return f.At(func(field string) string { return strings.TrimPrefix(field, "rules.") })
	}
	return err
}

// readRules returns the rules in the form. Lengths are in hours, except those of a waitlist offer.
func readRules(c *desk.Call, was catalog.Rules, cur money.Currency) (catalog.Rules, error) {
	f := reader{Call: c, cur: cur}
	r := was
	r.NoticeMinutes, r.WindowDays = f.hours("noticeMinutes"), f.number("windowDays")
	r.PartyMin, r.PartyMax, r.PayAtStudio = max(1, f.number("partyMin")), f.number("partyMax"), c.Ticked("payAtStudio")
	r.Cancel.Allowed, r.Reschedule.Allowed = c.Ticked("cancel.allowed"), c.Ticked("reschedule.allowed")
	r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes = f.hours("cancel.freeUntilMinutes"), f.hours("cancel.lateFromMinutes")
	r.Cancel.LateFeeAmount, r.NoShow.FeeAmount = f.fee("cancel.lateFeeAmount"), f.fee("noShow.feeAmount")
	r.NoShow.ReviewMinutes, r.Reschedule.UntilMinutes, r.Reschedule.Max = f.hours("noShow.reviewMinutes"), f.hours("reschedule.untilMinutes"), f.number("reschedule.max")
	r.Grace.Days, r.Grace.LateCancels, r.Grace.NoShows = f.number("grace.days"), f.number("grace.lateCancels"), f.number("grace.noShows")
	r.Deposit = catalog.DepositRules{Percent: f.number("deposit.percent"), Amount: f.fee("deposit.amount"), NonRefundable: c.Ticked("deposit.nonRefundable"), BalanceMinutes: f.hours("deposit.balanceMinutes")}
	r.CollectFees = c.Ticked("collectFees")
	if mode := c.Value("waitlist.mode"); mode != "" {
		r.Waitlist.Mode = catalog.WaitlistMode(mode)
	}
	r.Waitlist.OfferMinutes = f.number("waitlist.offerMinutes")
	r.Waitlist.CutoffMinutes, r.Waitlist.GraceMinutes = f.hours("waitlist.cutoffMinutes"), f.number("waitlist.graceMinutes")
	return r, f.checks.Err()
}

func (f *reader) fee(name string) int64 {
	if minor := f.amount(name); minor != nil {
		return *minor
	}
	return 0
}

// placeNamed returns a location of the business by its id.
func placeNamed(c *desk.Call, id uuid.UUID) business.Location {
	if l := placeOf(c, id); l != nil {
		return *l
	}
	return business.Location{ID: id}
}
