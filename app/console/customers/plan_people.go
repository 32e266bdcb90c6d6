package customers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/view"
	"foyer/app/words"
)

// The fields of the other people of a plan, and of a transfer.
const (
	fieldPerson = "personId"
	fieldTo     = "toCustomerId"
	fieldSearch = "q"
)

// candidates is the maximum number of customers in a search.
const candidates = 20

// planPeople mounts the screens on which a plan is shared, or given to another customer.
func (s *screens) planPeople(d *desk.Desk, one string) {
	d.Page("addPlanPerson", one+"/people", s.askPerson)
	d.Form("addPlanPerson", one+"/people", desk.Form{Do: s.addPerson, Show: s.askPerson, Inputs: []string{fieldPerson}})
	d.Form("removePlanPerson", one+"/people/remove", desk.Form{Do: s.removePerson, Show: s.adjusted,
		Inputs: []string{fieldPerson}})
	d.Page("transferPlan", one+"/transfer", s.askTransfer)
	d.Form("transferPlan", one+"/transfer", desk.Form{Do: s.transfer, Show: s.askTransfer, Inputs: []string{fieldTo}})
}

// transferRefusals are the reasons that a plan cannot be transferred.
var transferRefusals = map[plan.TransferRefusal]words.Text{
	plan.TransferRenews: "A membership that renews cannot be transferred. Cancel it, and sell one to the other customer.",
	plan.TransferFrozen: "End the freeze of this plan first.",
	plan.TransferIntro:  "An intro offer cannot be transferred.",
	plan.TransferUsed:   "The plan has no credits left.",
}

// transferInWords returns the refusal of a transfer with its reason as a sentence; any other error as it is.
func transferInWords(sh ui.Shell, err error) error {
	f := fault.From(err)
	if !errors.Is(err, plan.ErrTransfer) {
		return err
	}
	why, _ := f.Details["why"].(string)
	if text, found := transferRefusals[plan.TransferRefusal(why)]; found {
		return fault.New(f.Kind, f.Reason, sh.T(text))
	}
	return err
}

// choosing is a customer's plan, with a search for another customer.
type choosing struct {
	holding
	Query   string
	Found   []crm.Customer
	Refused string // why there is nothing to choose
}

// choosing reads the plan of the address, and the customers of the search who are not on it yet.
func (s *screens) choosing(c *desk.Call) (v choosing, err error) {
	if v.holding, err = s.managed(c); err != nil {
		return v, err
	}
	if v.Query = c.Value(fieldSearch); v.Query == "" || !c.May("listCustomers") {
		return v, nil
	}
	page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: v.Query, Limit: candidates})
	if err != nil && c.Told(err) {
		err = nil
	}
	v.Found = slices.DeleteFunc(page.Customers, func(k crm.Customer) bool { return k.ID == v.CustomerID })
	return v, err
}

// options returns the customers of the search to choose from.
func (v choosing) options() (out []ui.Option, first string) {
	for _, k := range v.Found {
		out = append(out, ui.Option{Value: k.ID.String(), Text: cmp.Or(k.Name, k.Email), Hint: k.Email})
	}
	return out, out[0].Value
}

func (v choosing) screen(c *desk.Call, title string) ui.Screen {
	return ui.Screen{
		Title: title, Lead: ui.Who(c.UI, "", v.Customer.Name, v.Customer.Email), Area: "customers",
		Up: &view.Link{Text: v.Name, Href: of(c, v.Membership, "")}, Sheet: true,
	}
}

// sharable reports whether the caller may add another person to a plan.
func sharable(c *desk.Call, m plan.Membership) bool {
	return m.State == plan.Active && len(m.People) < m.PeopleMax && c.MayAt("addPlanPerson", m.LocationID) &&
		c.May("listCustomers")
}

// transferable reports whether the caller may transfer a plan that can be transferred.
func transferable(c *desk.Call, m plan.Membership) bool {
	return m.State == plan.Active && m.Transferable(today(c.UI, m)) == "" && c.MayAt("transferPlan", m.LocationID) &&
		c.May("listCustomers")
}

func (s *screens) askPerson(c *desk.Call) (ui.Screen, error) {
	v, err := s.choosing(c)
	sc := v.screen(c, c.UI.T("Add a person to {plan}", "plan", v.Name))
	sc.Body = choosingBody(c, v, "/people", fieldPerson, c.UI.T("Add to plan"), "")
	return sc, err
}

func (s *screens) addPerson(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := plan.PersonInput{CustomerID: customer, MembershipID: membership, PersonID: c.UUID(fieldPerson)}
	m, err := s.Plans.AddPerson(ctx, c.Scope, in)
	return desk.Done{
		To:   address(c, customer, membership),
		Said: c.UI.T("{name} can book with {plan} now.", "name", personName(c.UI, m, in), "plan", m.Name),
	}, err
}

// personName names another person on a plan.
func personName(sh ui.Shell, m plan.Membership, in plan.PersonInput) string {
	for _, p := range m.People {
		if p.CustomerID == in.PersonID {
			return ui.Who(sh, "", p.Name, p.Email)
		}
	}
	return sh.T("Customer")
}

func (s *screens) removePerson(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Plans.RemovePerson(ctx, c.Scope, plan.PersonInput{
		CustomerID: customer, MembershipID: membership, PersonID: c.UUID(fieldPerson)})
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("Removed the person from {plan}.", "plan", m.Name),
	}, err
}

func (s *screens) askTransfer(c *desk.Call) (ui.Screen, error) {
	v, err := s.choosing(c)
	if err == nil {
		refusal := plan.TransferableOf(c.Context(), s.DB.View(c.Scope.Tenant), v.Membership)
		switch {
		case refusal == nil:
		case errors.Is(refusal, plan.ErrTransferBooked):
			n, _ := fault.From(refusal).Details["bookings"].(int)
			v.Refused = c.UI.N(n, "It pays for {n} upcoming booking. Cancel that booking first.",
				"It pays for {n} upcoming bookings. Cancel those bookings first.")
		default:
			v.Refused, err = c.Cannot(transferInWords(c.UI, refusal))
		}
	}
	sc := v.screen(c, c.UI.T("Transfer {plan}", "plan", v.Name))
	sc.Body = choosingBody(c, v, "/transfer", fieldTo, c.UI.T("Transfer plan"),
		c.UI.T("The customer gets its remaining credits, with its dates. Nothing is charged. A refund of its purchase "+
			"still goes to the customer who paid."))
	return sc, err
}

func (s *screens) transfer(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	if c.Version() == 0 { // the page has it
		return desk.Done{}, fault.ErrStale
	}
	m, err := s.Plans.Transfer(ctx, c.Scope, plan.TransferInput{
		CustomerID: customer, MembershipID: membership, Version: c.Version(), ToID: c.UUID(fieldTo)})
	return desk.Done{
		To: address(c, m.CustomerID, membership), Said: c.UI.T("Transferred {plan} to {name}.", "plan", m.Name,
			"name", cmp.Or(m.Holder, c.UI.T("another customer"))),
	}, transferInWords(c.UI, err)
}
