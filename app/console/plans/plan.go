package plans

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
	"foyer/policy"
)

// sheet is the data of a plan's page.
type sheet struct {
	plan.Plan
	Rows      []row // its benefits in the form
	Rates     []business.TaxRate
	Offerings []agenda.OfferingRow
	Discounts []discount.Discount // for its members, if the caller may see them
	Others    []plan.Plan         // memberships of its currency, which its members can change to
	Typed     plan.Plan           // in the form, for the preview
	May       bool                // the caller may change it
}

// newPage asks for the kind of a new plan first, and then shows its form.
func (s *screens) newPage(c *desk.Call) (ui.Screen, error) {
	up := view.Link{Text: c.UI.T("Plans"), Href: c.To(at)}
	screen := ui.Screen{Title: c.UI.T("Add plan"), Area: area, Up: &up}
	if err := policy.Require(c.Scope, policy.CatalogManage); err != nil {
		return screen, err
	}
	kind := plan.Kind(c.Value("kind"))
	if !kind.Valid() {
		screen.Lead, screen.Body = c.UI.T("Choose the kind of plan."), kindsBody(c)
		return screen, nil
	}
	p := starter(kind)
	p.Currency = currencyOf(c)
	v, err := s.read(c, p)
	screen.Lead, screen.Body = kindName(c.UI, kind), newBody(c, v)
	return screen, err
}

// starter returns the values that the form of a new plan begins with.
func starter(kind plan.Kind) plan.Plan {
	p := plan.Plan{Kind: kind, State: plan.Draft, SoldOnline: kind != plan.Comp}
	b := plan.Benefit{}
	switch kind {
	case plan.Pack:
		b.Credits, p.Validity = new(10), plan.Validity{Count: 6, Unit: rules.Month}
	case plan.Pass:
		p.Validity = plan.Validity{Count: 1, Unit: rules.Month}
	case plan.Renewing:
		p.Validity = plan.Validity{Count: 1, Unit: rules.Month}
	case plan.Intro:
		b.Credits, p.Validity = new(3), plan.Validity{Count: 2, Unit: rules.Week, FromFirstUse: true}
	case plan.Comp:
		b.Credits, p.Validity = new(1), plan.Validity{Count: 1, Unit: rules.Month}
	}
	p.Benefits = []plan.Benefit{b}
	return p
}

// read reads the choices of a plan's form, and what was typed into it.
func (s *screens) read(c *desk.Call, p plan.Plan) (sheet, error) {
	v := sheet{Plan: p, Rows: rowsOf(p.Benefits), Typed: p, May: may(c)}
	err := desk.Together(
		func() error {
			page, err := s.Business.TaxRates(c.Context(), c.Scope, paging.In[uuid.UUID]{Limit: paging.Max})
			v.Rates = page.Items
			return err
		},
		func() (err error) {
			v.Offerings, err = s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{})
			return err
		},
		func() error {
			if p.Version == 0 || !c.May("listDiscounts") {
				return nil
			}
			page, err := s.Discount.List(c.Context(), c.Scope,
				discount.ListInput{In: paging.In[uuid.UUID]{Limit: paging.Max}, PlanID: p.ID})
			v.Discounts = page.Items
			return err
		},
		func() (err error) {
			v.Others, err = s.others(c, p)
			return err
		},
	)
	if c.UI.Posted != nil {
		in, _ := read(c, p.Kind, p.Currency) // what is wrong is told when it is saved
		v.Rows = typedRows(c)
		v.Typed.Validity, v.Typed.Benefits = in.Validity, nil
		v.Typed.PriceAmount, v.Typed.Renewal = in.PriceAmount, in.Renewal
		v.Typed.Freeze, v.Typed.ChangeIDs = in.Freeze, in.ChangeIDs
		v.Typed.CustomerMax, v.Typed.NewCustomers = in.CustomerMax, in.NewCustomers
		for _, r := range v.Rows {
			v.Typed.Benefits = append(v.Typed.Benefits, r.Benefit)
		}
	}
	if p.Kind == plan.Intro {
		v.Typed.CustomerMax, v.Typed.NewCustomers = 1, true
	}
	return v, err
}

// names returns the names of offerings and locations.
func (v sheet) names(c *desk.Call) view.PlanNames {
	names := map[uuid.UUID]string{}
	for _, o := range v.Offerings {
		names[o.ID] = o.Name
	}
	for _, l := range c.Workspace.Locations {
		names[l.ID] = l.Name
	}
	return view.NamesOf(names)
}

// preview returns what a customer buys, in plain words.
func (v sheet) preview(c *desk.Call) []string {
	lines := view.PlanLines(c.UI.Words, v.Typed, v.names(c))
	if v.Kind != plan.Renewing || v.Typed.Count == 0 {
		return append(lines, ui.FreezeTerms(c.UI, v.Typed)...)
	}
	if v.Version > 0 || c.Value("priceAmount") != "" { // the price is known
		lines = append(lines, ui.PriceTerms(c.UI, v.Typed))
	}
	lines = append(lines, ui.RenewalTerms(c.UI, v.Typed)...)
	return append(append(lines, ui.FreezeTerms(c.UI, v.Typed)...), v.changeTerms(c.UI)...)
}

// offerings returns the offerings to choose from: those in use, and those that a benefit names. With several locations
// each has its own.
func (v sheet) offerings(c *desk.Call, named []uuid.UUID) []ui.Option {
	var out []ui.Option
	for _, o := range v.Offerings {
		if o.State == catalog.Archived && !slices.Contains(named, o.ID) {
			continue
		}
		out = append(out, ui.Option{Value: o.ID.String(), Text: nameAt(c, o)})
	}
	return out
}

// nameAt names an offering, with its location if there are several.
func nameAt(c *desk.Call, o agenda.OfferingRow) string {
	if len(c.Workspace.Locations) > 1 {
		return view.Joined(" · ", o.Name, o.LocationName)
	}
	return o.Name
}

// rates returns the tax rates to choose from; an archived one stays until another is chosen.
func (v sheet) rates(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("No tax")}}
	for _, r := range v.Rates {
		out = append(out, ui.Option{Value: r.ID.String(), Text: r.Name + " " + sh.Lang().Percent(int64(r.PPM))})
	}
	id := v.TaxRateID
	if id != nil && !slices.ContainsFunc(v.Rates, func(r business.TaxRate) bool { return r.ID == *id }) {
		out = append(out, ui.Option{Value: id.String(), Text: sh.T("Current rate (archived)")})
	}
	return out
}

// taxName returns the name of the plan's tax rate.
func (v sheet) taxName(sh ui.Shell) string {
	for _, o := range v.rates(sh) {
		if o.Value == idText(v.TaxRateID) {
			return o.Text
		}
	}
	return ""
}

// create makes a plan, and publishes it if that button was pressed.
func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if changesForm(c) {
		return desk.Done{Again: true}, nil
	}
	kind := plan.Kind(c.Value("kind"))
	if !kind.Valid() {
		return desk.Done{}, fault.Missing()
	}
	in, err := read(c, kind, currencyOf(c))
	publish := c.Value(fieldThen) == thenPublish
	if err == nil && publish && len(in.Benefits) == 0 {
		err = fault.Invalid("benefits", c.UI.T("Add a benefit."))
	}
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Plans.Create(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, atBenefit(c, err)
	}
	if !publish {
		return desk.Done{To: of(c, p.ID, ""), Said: c.UI.T("Saved {name} as a draft.", "name", p.Name)}, nil
	}
	p, err = s.Plans.Publish(ctx, c.Scope, p.ID)
	return desk.Done{To: of(c, p.ID, ""), Said: published(c, p)}, err
}

func (s *screens) edit(c *desk.Call) (ui.Screen, error) {
	p, err := s.plan(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v, err := s.read(c, p)
	up := view.Link{Text: c.UI.T("Plans"), Href: c.To(at)}
	return ui.Screen{
		Title: p.Name, Lead: kindName(c.UI, p.Kind), Area: area, Up: &up, Acts: editActs(c, v), Body: editBody(c, v),
	}, err
}

func (s *screens) save(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if changesForm(c) {
		return desk.Done{Again: true}, nil
	}
	p, err := s.plan(c)
	if err != nil {
		return desk.Done{}, err
	}
	in, err := read(c, p.Kind, p.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	p, err = s.Plans.Update(ctx, c.Scope, change(in, p, c.Version()))
	return desk.Done{
		To: of(c, p.ID, ""), Said: c.UI.T("Saved {name}. Customers keep what they bought.", "name", p.Name),
	}, atBenefit(c, err)
}

func (s *screens) publish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("plan")
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Plans.Publish(ctx, c.Scope, id)
	return desk.Done{
		To: of(c, id, ""), Said: published(c, p), Undo: &ui.Undo{Action: of(c, id, "/unpublish")},
	}, err
}

// published renders the notice about a published plan.
func published(c *desk.Call, p plan.Plan) string {
	if p.Kind == plan.Comp {
		return c.UI.T("Published {name}. You can give it to customers now.", "name", p.Name)
	}
	return c.UI.T("Published {name}. It is on sale now.", "name", p.Name)
}

// set gives the plan of the address a state, whatever its version: no other field changes.
func (s *screens) set(c *desk.Call, ctx context.Context, state plan.State) (plan.Plan, error) {
	p, err := s.plan(c)
	if err != nil {
		return p, err
	}
	return s.Plans.Update(ctx, c.Scope, plan.UpdateInput{ID: p.ID, Version: p.Version, State: &state})
}

func (s *screens) unpublish(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.set(c, ctx, plan.Draft)
	return desk.Done{
		To: of(c, p.ID, ""), Undo: &ui.Undo{Action: of(c, p.ID, "/publish")},
		Said: c.UI.T("Unpublished {name}. Carts that hold it can still be paid.", "name", p.Name),
	}, err
}

func (s *screens) restore(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.set(c, ctx, plan.Draft)
	return desk.Done{To: of(c, p.ID, ""), Said: c.UI.T("Restored {name} as a draft.", "name", p.Name)}, err
}

func (s *screens) askArchive(c *desk.Call) (ui.Screen, error) {
	p, err := s.plan(c)
	if err == nil {
		err = policy.Require(c.Scope, policy.CatalogManage)
	}
	up := view.Link{Text: p.Name, Href: of(c, p.ID, "")}
	return ui.Screen{
		Title: c.UI.T("Archive {name}?", "name", p.Name), Area: area, Up: &up, Body: archiveBody(c, p), Sheet: true,
	}, err
}

func (s *screens) archive(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("plan")
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Plans.Archive(ctx, c.Scope, id)
	return desk.Done{
		To: c.To(at), Said: c.UI.T("Archived {name}.", "name", p.Name),
		Undo: &ui.Undo{Action: of(c, id, "/restore"), Text: c.UI.T("Restore")},
	}, err
}
