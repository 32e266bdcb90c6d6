package customers

import (
	"context"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
)

// plans mounts the screens about the plans of a customer.
func (s *screens) plans(d *desk.Desk) {
	const list = "/customers/:customer/plans"
	const one = list + "/:membership"
	d.Page("addCompPlan", list+"/give", s.askGive)
	d.Form("addCompPlan", list+"/give", desk.Form{Do: s.give, Show: s.askGive, Inputs: []string{"planId", "locationId"}})
	d.Page("listCredits", one, s.membership)
	d.Form("adjustCredits", one+"/credits", desk.Form{
		Do: s.adjustCredits, Show: s.adjusted, Inputs: []string{"grantId", "credits", "note"},
	})
	d.Form("extendPlan", one+"/extend", desk.Form{Do: s.extend, Show: s.membership, Inputs: []string{"lastDay"}})
	d.Page("endPlan", one+"/end", s.askEnd)
	d.Form("endPlan", one+"/end", desk.Form{Do: s.end, Show: s.askEnd})
	d.Page("cancelPlan", one+"/cancel", s.askCancel)
	d.Form("cancelPlan", one+"/cancel", desk.Form{Do: s.cancel, Show: s.askCancel})
	d.Page("freezePlan", one+"/freeze", s.askFreeze)
	d.Form("freezePlan", one+"/freeze", desk.Form{Do: s.freeze, Show: s.askFreeze, Inputs: freezeInputs})
	d.Page("unfreezePlan", one+"/unfreeze", s.askUnfreeze)
	d.Form("unfreezePlan", one+"/unfreeze", desk.Form{Do: s.unfreeze, Show: s.askUnfreeze})
	d.Page("changePlan", one+"/change", s.askChange)
	d.Form("changePlan", one+"/change", desk.Form{Do: s.change, Show: s.askChange, Inputs: []string{fieldPlan}})
	d.Form("withdrawPlanChange", one+"/change/withdraw", desk.Form{Do: s.withdraw, Show: s.adjusted})
}

// of returns the address of a customer's plan.
func of(c *desk.Call, m plan.Membership, below string) string {
	return c.To("/customers/" + m.CustomerID.String() + "/plans/" + m.ID.String() + below)
}

// plansOf reads the plans of a customer; none without the right to see them.
func (s *screens) plansOf(c *desk.Call, id uuid.UUID) ([]plan.Membership, error) {
	if !c.May("listCustomerPlans") {
		return nil, nil
	}
	return s.Plans.OfCustomer(c.Context(), c.Scope, id)
}

// sellPlan returns the address of the sale of a plan to a customer; empty without the right to sell.
func sellPlan(c *desk.Call, customer uuid.UUID) string {
	for _, l := range c.Workspace.Locations {
		if (c.Location == nil || c.Location.ID == l.ID) && c.MayAt("createSale", l.ID) && c.MayAt("listPlans", l.ID) {
			return c.To(desk.SellAt, "at", l.Slug, "customer", customer.String())
		}
	}
	return ""
}

// givesAt returns the locations where the caller may give plans.
func givesAt(c *desk.Call) (out []business.Location) {
	for _, l := range c.Workspace.Locations {
		if (c.Location == nil || c.Location.ID == l.ID) && c.MayAt("addCompPlan", l.ID) {
			out = append(out, l)
		}
	}
	return out
}

// planBadge renders the state of a customer's plan.
func planBadge(sh ui.Shell, m plan.Membership) (string, ui.Tone) {
	switch {
	case m.State == plan.Canceled || m.State == plan.Over:
		return sh.T("Ended"), ""
	case m.Kind == plan.Renewing && due(sh, m) && m.Next.PastDue:
		return sh.T("Past due"), "bad"
	case m.Kind == plan.Renewing && due(sh, m):
		return sh.T("Payment due"), "warn"
	case frozen(sh, m):
		return sh.T("Frozen"), "warn"
	case m.CanceledAt != nil:
		return sh.T("Cancelled"), "warn"
	case usedUp(m):
		return sh.T("Used up"), "warn"
	}
	return sh.T("Active"), "ok"
}

// usedUp reports whether a plan has no credits left.
func usedUp(m plan.Membership) bool {
	return !slices.ContainsFunc(m.Grants, func(g plan.Grant) bool { return g.Unlimited || g.Balance > 0 })
}

// remaining renders the credits of a plan that are left.
func remaining(sh ui.Shell, m plan.Membership) string {
	var out []string
	for _, g := range m.Grants {
		out = append(out, view.RemainingCredits(sh.Words, g.Benefit, g.Balance))
	}
	return view.Joined(" · ", out...)
}

// holding is a plan of a customer with its transactions.
type holding struct {
	plan.Membership
	Customer     crm.Customer
	Names        view.PlanNames
	Transactions desk.Leaf[plan.Transaction]
}

// holding reads the plan of the address.
func (s *screens) holding(c *desk.Call) (h holding, err error) {
	id, membership, err := ids(c)
	if err != nil {
		return h, err
	}
	if h.Customer, err = s.CRM.Get(c.Context(), c.Scope, id); err != nil {
		return h, err
	}
	list, err := s.Plans.OfCustomer(c.Context(), c.Scope, id)
	i := slices.IndexFunc(list, func(m plan.Membership) bool { return m.ID == membership })
	if err != nil || i < 0 {
		return h, fault.When(err == nil, fault.Missing(), err)
	}
	h.Membership = list[i]
	return h, nil
}

// membership is the page of a customer's plan.
func (s *screens) membership(c *desk.Call) (ui.Screen, error) {
	h, err := s.holding(c)
	if err != nil {
		return ui.Screen{}, err
	}
	if h.Names, err = s.names(c); err != nil {
		return ui.Screen{}, err
	}
	t := desk.TurnOnward[paging.Moment](c, "plan-credits", h.ID)
	page, err := s.Plans.Transactions(c.Context(), c.Scope, h.CustomerID, h.ID, t.In(transactionsAPage))
	h.Transactions = desk.LeafOf(c, t, page, func(x plan.Transaction) paging.Moment {
		return paging.Moment{At: x.CreatedAt, ID: x.ID}
	})
	who := ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email)
	return ui.Screen{
		Title: h.Name, Lead: who, Area: "customers", Acts: holdingActs(c, h), Body: holdingBody(c, h), Sheet: true,
		Up: &view.Link{Text: who, Href: c.To("/customers/" + h.CustomerID.String())},
	}, err
}

// adjusted is the page of a form that adjusts credits. A caller who does not see customers has none.
func (s *screens) adjusted(c *desk.Call) (ui.Screen, error) {
	if !c.May("listCredits") {
		return ui.Screen{}, fault.Missing()
	}
	return s.membership(c)
}

// names reads the names of offerings and locations, as far as the caller sees them.
func (s *screens) names(c *desk.Call) (view.PlanNames, error) {
	names := map[uuid.UUID]string{}
	for _, l := range c.Workspace.Locations {
		names[l.ID] = l.Name
	}
	if !c.May("listOfferings") {
		return view.NamesOf(names), nil
	}
	list, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{})
	for _, o := range list {
		names[o.ID] = o.Name
	}
	return view.NamesOf(names), err
}

// holdingFacts are what is known of a customer's plan.
func holdingFacts(c *desk.Call, h holding) []ui.Fact {
	sh := c.UI
	status, _ := planBadge(sh, h.Membership)
	out := []ui.Fact{
		{Name: sh.T("Status"), Text: status},
		{Name: sh.T("Validity"), Text: view.MembershipEnd(sh.Words, h.Membership)},
		{Name: sh.T("Sold on"), Text: sh.ShortDate(h.CreatedAt)},
		{Name: sh.T("Location"), Text: h.LocationName},
	}
	if h.OrderID == nil {
		out[2].Name = sh.T("Given on")
	}
	if f := freezeOf(sh, h.Membership); f != nil {
		out = append(out, ui.Fact{Name: sh.T("Freeze"), Text: frozenDays(sh, *f)}, ui.Fact{Name: sh.T("Note"), Text: f.Note})
	}
	if h.Kind == plan.Renewing {
		return append(out[:1:1], append(renewalFacts(sh, h.Membership), out[2:]...)...)
	}
	return out
}

// benefitOf renders a benefit of a customer's plan, with what is left of it.
func (h holding) benefitOf(sh ui.Shell, g plan.Grant) string {
	if g.Unlimited {
		return view.BenefitOf(sh.Words, g.Benefit, h.Names)
	}
	return view.Joined(" · ", view.BenefitOf(sh.Words, g.Benefit, h.Names),
		view.RemainingCredits(sh.Words, g.Benefit, g.Balance))
}

// credited returns the choices of the grants with credits.
func (h holding) credited(sh ui.Shell) (out []ui.Option) {
	for _, g := range h.Grants {
		if !g.Unlimited {
			out = append(out, ui.Option{Value: g.ID.String(), Text: h.benefitOf(sh, g)})
		}
	}
	return out
}

// changes are the names of credit transactions.
var changes = map[string]words.Text{
	plan.Granted: "Credits added", plan.Used: "Booking", plan.Returned: "Returned", plan.Adjusted: "Adjusted",
	plan.Expired: "Expired", plan.Refunded: "Purchase refunded", plan.Restored: "Refund failed", plan.Ended: "Ended",
	plan.CarriedOn: "Carried over", plan.Replaced: "Plan changed",
}

// changeAbout renders the time of a credit transaction, its booking, its actor and its reason.
func changeAbout(c *desk.Call, t plan.Transaction) string {
	item := ""
	if t.StartsAt != nil {
		item = t.Item + ", " + when(c, t.LocationTZ, *t.StartsAt)
	}
	actor := t.ActorName
	if t.ActorKind == tenancy.ActorSystem {
		actor = c.UI.T("System")
	}
	return view.Joined(" · ", c.UI.ShortWhen(t.CreatedAt), item, t.BookedFor, actor, t.Note)
}

// changeAmount renders the credits of a transaction with their sign; empty of an unlimited plan.
func changeAmount(sh ui.Shell, t plan.Transaction) string {
	switch {
	case t.Unlimited:
		return ""
	case t.Credits > 0:
		return "+" + sh.Lang().Number(t.Credits)
	case t.Credits < 0:
		return "−" + sh.Lang().Number(-t.Credits)
	}
	return "0"
}

// giving is the form that gives a plan.
type giving struct {
	Plans     []plan.Plan // complimentary ones, published
	Locations []business.Location
}

func (s *screens) askGive(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("customer")
	if err != nil {
		return ui.Screen{}, err
	}
	p, err := s.CRM.Get(c.Context(), c.Scope, id)
	if err != nil {
		return ui.Screen{}, err
	}
	v := giving{Locations: givesAt(c)}
	if len(v.Locations) == 0 {
		return ui.Screen{}, fault.Missing()
	}
	if v.Plans, err = s.complimentary(c); err != nil {
		return ui.Screen{}, err
	}
	who := ui.Who(c.UI, "", p.Name, p.Email)
	return ui.Screen{
		Title: c.UI.T("Give complimentary plan"), Lead: who, Area: "customers", Body: giveBody(c, v), Sheet: true,
		Up: &view.Link{Text: who, Href: c.To("/customers/" + id.String())},
	}, nil
}

// complimentary reads the plans that can be given.
func (s *screens) complimentary(c *desk.Call) ([]plan.Plan, error) {
	if !c.May("listPlans") {
		return nil, nil
	}
	page, err := s.Plans.List(c.Context(), c.Scope, plan.ListInput{
		In: paging.In[plan.Key]{Limit: paging.Max}, State: plan.Published,
	})
	return slices.DeleteFunc(page.Items, func(p plan.Plan) bool { return p.Kind != plan.Comp }), err
}

func (s *screens) give(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("customer")
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Plans.AddComp(ctx, c.Scope, plan.CompInput{
		CustomerID: id, PlanID: c.UUID("planId"), LocationID: c.UUID("locationId"),
	})
	return desk.Done{To: c.To("/customers/" + id.String()), Said: c.UI.T("Gave {plan}.", "plan", m.Name)}, err
}

// ids returns the customer and the plan of the address.
func ids(c *desk.Call) (customer, membership uuid.UUID, err error) {
	if customer, err = c.ID("customer"); err == nil {
		membership, err = c.ID("membership")
	}
	return customer, membership, err
}

// address returns that of a customer's plan.
func address(c *desk.Call, customer, membership uuid.UUID) string {
	return of(c, plan.Membership{CustomerID: customer, ID: membership}, "")
}

func (s *screens) adjustCredits(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	n, ok := c.Number("credits")
	if !ok || n < 1 || n > plan.CreditsMax {
		return desk.Done{}, fault.Invalid("credits", c.UI.T("Enter a number of credits from 1 to 10000."))
	}
	if c.Value("way") == take {
		n = -n
	}
	m, err := s.Plans.Adjust(ctx, c.Scope, plan.AdjustInput{
		CustomerID: customer, MembershipID: membership, GrantID: c.UUID("grantId"), Credits: n, Note: c.Value("note"),
	})
	if f := fault.From(err); f != nil && f.Reason == plan.ErrShort.Reason {
		err = f.And("credits", plan.ErrShort.Message)
	}
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("Adjusted. {credits}.", "credits", remaining(c.UI, m)),
	}, err
}

func (s *screens) extend(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	day, err := civil.ParseDate(c.Value("lastDay"))
	if err != nil {
		return desk.Done{}, fault.Invalid("lastDay", c.UI.T("Choose a day."))
	}
	m, err := s.Plans.Extend(ctx, c.Scope, plan.ExtendInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(), LastDay: day,
	})
	return desk.Done{
		To:   address(c, customer, membership),
		Said: c.UI.T("Last day of {plan}: {date}.", "plan", m.Name, "date", lastDay(c.UI, m)),
	}, err
}

// lastDay renders the last day of a plan; empty without one.
func lastDay(sh ui.Shell, m plan.Membership) string {
	if m.EndsOn == nil {
		return ""
	}
	return sh.Date(view.Noon(m.LastDay(), sh.Zone))
}

// dayText renders the last day as a field has it.
func dayText(m plan.Membership) string {
	if m.EndsOn == nil {
		return ""
	}
	return m.LastDay().String()
}

func (s *screens) askEnd(c *desk.Call) (ui.Screen, error) {
	h, err := s.holding(c)
	if err == nil && h.State != plan.Active {
		err = plan.ErrEnded
	}
	return ui.Screen{
		Title: c.UI.T("End {plan}?", "plan", h.Name), Lead: ui.Who(c.UI, "", h.Customer.Name, h.Customer.Email),
		Area: "customers", Up: &view.Link{Text: h.Name, Href: of(c, h.Membership, "")}, Body: endBody(c, h), Sheet: true,
	}, err
}

// unusedAmount returns the part of a plan's price that is not used: it is refunded instead.
func (h holding) unusedAmount() (sum int64) {
	for _, g := range h.Grants {
		sum += g.UnusedAmount
	}
	return sum
}

func (s *screens) end(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Plans.End(ctx, c.Scope, customer, membership, c.Version())
	return desk.Done{To: address(c, customer, membership), Said: c.UI.T("Ended {plan}.", "plan", m.Name)}, err
}

func versionOf(m plan.Membership) view.Param {
	return view.Param{Name: "version", Value: strconv.FormatInt(m.Version, 10)}
}
