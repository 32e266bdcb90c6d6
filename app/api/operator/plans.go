package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Plan is a plan of a business: a pack of credits, a pass, an intro offer or a complimentary plan.
type Plan struct {
	ID           uuid.UUID          `json:"id"`
	Name         string             `json:"name" example:"Ten classes"`
	Description  string             `json:"description" doc:"Description, plain text."`
	Kind         plan.Kind          `json:"kind" doc:"Kind of the plan."`
	State        plan.State         `json:"state" doc:"State of the plan. Only published plans are sold."`
	Currency     money.Currency     `json:"currency" doc:"Currency of the price. Locations with another one do not sell it." example:"USD"`
	PriceAmount  int64              `json:"priceAmount" doc:"Price in minor units: 12000 is 120.00; 0 is free. Of a membership, of each billing period."`
	TaxRateID    *uuid.UUID         `json:"taxRateId" doc:"The tax rate; null for untaxed."`
	SoldOnline   bool               `json:"soldOnline" doc:"Whether it is sold online, not at the desk alone."`
	LocationIDs  []uuid.UUID        `json:"locationIds" doc:"Locations that sell it; empty for all of them."`
	CustomerMax  int                `json:"customerMax" doc:"Maximum number of purchases by a customer; 0 for any number."`
	NewCustomers bool               `json:"newCustomers" doc:"Whether only customers without an earlier booking can buy it."`
	Position     int                `json:"position" doc:"Position in lists, from the smallest."`
	Benefits     []wire.PlanBenefit `json:"benefits" doc:"What it gives."`
	Customers    int                `json:"activeCount" doc:"Number of plans of customers that are active."`
	wire.PlanValidity
	Renewal   op.Nullable[wire.PlanRenewal] `json:"renewal" doc:"How a membership is paid by the billing period; null for other plans."`
	Freeze    op.Nullable[wire.PlanFreeze]  `json:"freeze" doc:"The rules for customers who freeze it; null if they cannot."`
	ChangeIDs []uuid.UUID                   `json:"changeIds" doc:"Memberships that a customer of this one can change to."`
	Version   int64                         `json:"version"`
	CreatedAt time.Time                     `json:"createdAt"`
	UpdatedAt time.Time                     `json:"updatedAt"`
}

// PlanBenefitBody is a benefit of a plan in a request.
type PlanBenefitBody struct {
	Credits     *int            `json:"credits" minimum:"1" maximum:"10000" doc:"Number of credits; null for any number of bookings."`
	OfferingIDs []uuid.UUID     `json:"offeringIds,omitempty" maxItems:"200" doc:"Offerings that it covers. With kinds, either is enough; without both, it covers everything."`
	Kinds       []catalog.Kind  `json:"kinds,omitempty" maxItems:"3" doc:"Kinds of offerings that it covers."`
	LocationIDs []uuid.UUID     `json:"locationIds,omitempty" maxItems:"200" doc:"Locations where it pays. The default is all of them."`
	ExcludedIDs []uuid.UUID     `json:"excludedIds,omitempty" maxItems:"200" doc:"Offerings that it does not cover."`
	Costs       []wire.PlanCost `json:"costs,omitempty" maxItems:"200" doc:"Credits for a booking of some offerings; a booking of any other one costs 1."`
	ForGuests   bool            `json:"forGuests,omitempty" doc:"Whether it also pays for attendees other than the customer. The default is no."`
	GuestsOnly  bool            `json:"guestsOnly,omitempty" doc:"Whether its credits are guest passes, which pay only for attendees other than the customer. Excludes forGuests, and needs credits. The default is no."`
	DayMax      int             `json:"dayMax,omitempty" minimum:"0" maximum:"100" doc:"Maximum number of bookings on a day. The default is any number."`
	WeekMax     int             `json:"weekMax,omitempty" minimum:"0" maximum:"100" doc:"Maximum number of bookings in a week, from Monday. The default is any number."`
	UpcomingMax int             `json:"upcomingMax,omitempty" minimum:"0" maximum:"1000" doc:"Maximum number of upcoming bookings at once. The default is any number."`
	RolloverMax int             `json:"rolloverMax,omitempty" minimum:"0" maximum:"10000" doc:"Maximum number of unused credits that go on into the next billing period, once. The default is none."`
}

// PlanRenewalBody are the terms of a membership in a request.
type PlanRenewalBody struct {
	IntroAmount  int64 `json:"introAmount,omitempty" minimum:"0" maximum:"99999999" doc:"Price of each of the first introPeriods billing periods, in minor units. The default is 0."`
	IntroPeriods int   `json:"introPeriods,omitempty" minimum:"0" maximum:"60" doc:"Number of billing periods with that price. The default is none."`
	MinPeriods   int   `json:"minPeriods,omitempty" minimum:"0" maximum:"120" doc:"Number of billing periods before which it cannot be ended. The default is none."`
	Ends         bool  `json:"ends,omitempty" doc:"Whether it ends by itself after minPeriods. The default is no."`
	NoticeDays   int   `json:"noticeDays,omitempty" minimum:"0" maximum:"366" doc:"Days of notice of a cancellation, which is for the end of a billing period. The default is none."`
	BillingDay   int   `json:"billingDay,omitempty" minimum:"0" maximum:"28" doc:"Day of the month on which billing periods begin. The default is the day of joining."`

	DowngradePeriods int `json:"downgradePeriods,omitempty" minimum:"0" maximum:"120" doc:"Number of paid billing periods before a customer can change to a membership with a lower price. The default is none."`
}

type createPlanBody struct {
	Name         string            `json:"name" minLength:"1" maxLength:"120" example:"Ten classes"`
	Description  string            `json:"description,omitempty" maxLength:"5000" doc:"Description, plain text."`
	Kind         plan.Kind         `json:"kind" doc:"Kind of the plan. pack: credits. pass: for a time. membership: paid by the billing period, until it is canceled. intro: an offer for new customers, once a person. comp: complimentary, given by the studio and not sold. It cannot be changed."`
	Currency     money.Currency    `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Currency of the price. The default is the business's; it cannot be changed." example:"USD"`
	PriceAmount  int64             `json:"priceAmount" minimum:"0" maximum:"99999999" doc:"Price in minor units: 12000 is 120.00; 0 is free. Of a membership, of each billing period."`
	TaxRateID    *uuid.UUID        `json:"taxRateId,omitempty" doc:"The tax rate. The default is untaxed."`
	SoldOnline   bool              `json:"soldOnline,omitempty" doc:"Whether it is sold online. The default is at the desk alone."`
	LocationIDs  []uuid.UUID       `json:"locationIds,omitempty" maxItems:"200" doc:"Locations that sell it. The default is all of them."`
	ValidCount   int               `json:"validCount,omitempty" minimum:"1" maximum:"3660" doc:"Length of the time for which it is valid, in validUnit; of a membership, of its billing period. The default is no end."`
	ValidUnit    rules.Unit        `json:"validUnit,omitempty" doc:"Unit of validCount."`
	FromFirstUse bool              `json:"fromFirstUse,omitempty" doc:"Whether that time begins with the first class. The default is with the purchase."`
	Renewal      *PlanRenewalBody  `json:"renewal,omitempty" doc:"Terms of a membership. The default is to renew until it is canceled, at any time."`
	Freeze       *wire.PlanFreeze  `json:"freeze,omitempty" doc:"Lets customers freeze it, by these rules. The default is no."`
	ChangeIDs    []uuid.UUID       `json:"changeIds,omitempty" maxItems:"200" doc:"Memberships that a customer of this one can change to. The default is none."`
	CustomerMax  int               `json:"customerMax,omitempty" minimum:"0" maximum:"1000" doc:"Maximum number of purchases by a customer. The default is any number."`
	NewCustomers bool              `json:"newCustomers,omitempty" doc:"Whether only customers without an earlier booking can buy it. The default is no."`
	Position     int               `json:"position,omitempty" minimum:"0" maximum:"10000" doc:"Position in lists, from the smallest."`
	Benefits     []PlanBenefitBody `json:"benefits,omitempty" maxItems:"10" doc:"What it gives. Publishing requires a benefit."`
}

// PlanPath is the path of a plan.
type PlanPath struct {
	PlanID uuid.UUID `path:"planId" doc:"The plan."`
}

func (p *PlanPath) id() uuid.UUID { return p.PlanID }

type listPlansIn struct {
	op.Page
	State plan.State `query:"state" json:",omitzero" doc:"Only plans in this state. The default is drafts and published ones."`
}

type updatePlanIn struct {
	PlanPath
	Body updatePlanBody
}

type updatePlanBody struct {
	Version      int64                   `json:"version" minimum:"1" doc:"Version of the plan that was read."`
	Name         *string                 `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Description  *string                 `json:"description,omitempty" maxLength:"5000" doc:"Description, plain text."`
	State        *plan.State             `json:"state,omitempty" enum:"draft,published" doc:"Publishes the plan, or takes it out of sale. Restores an archived one."`
	PriceAmount  *int64                  `json:"priceAmount,omitempty" minimum:"0" maximum:"99999999" doc:"Price of later sales, in minor units."`
	TaxRateID    op.Nullable[uuid.UUID]  `json:"taxRateId,omitzero" doc:"The tax rate; null for untaxed."`
	SoldOnline   *bool                   `json:"soldOnline,omitempty" doc:"Whether it is sold online, not at the desk alone."`
	LocationIDs  *[]uuid.UUID            `json:"locationIds,omitempty" maxItems:"200" doc:"Locations that sell it; empty for all of them."`
	ValidCount   op.Nullable[int]        `json:"validCount,omitzero" minimum:"1" maximum:"3660" doc:"Length of the time for which it is valid, in validUnit; null for no end."`
	ValidUnit    op.Nullable[rules.Unit] `json:"validUnit,omitzero" doc:"Unit of validCount; null without an end."`
	FromFirstUse *bool                   `json:"fromFirstUse,omitempty" doc:"Whether that time begins with the first class."`
	Renewal      *PlanRenewalBody        `json:"renewal,omitempty" doc:"All terms of a membership."`

	Freeze       op.Nullable[wire.PlanFreeze] `json:"freeze,omitzero" doc:"Lets customers freeze it, by all of these rules; null if they cannot."`
	ChangeIDs    *[]uuid.UUID                 `json:"changeIds,omitempty" maxItems:"200" doc:"Memberships that a customer of this one can change to; empty for none."`
	CustomerMax  *int                         `json:"customerMax,omitempty" minimum:"0" maximum:"1000" doc:"Maximum number of purchases by a customer; 0 for any number."`
	NewCustomers *bool                        `json:"newCustomers,omitempty" doc:"Whether only customers without an earlier booking can buy it."`
	Position     *int                         `json:"position,omitempty" minimum:"0" maximum:"10000" doc:"Position in lists, from the smallest."`
	Benefits     *[]PlanBenefitBody           `json:"benefits,omitempty" maxItems:"10" doc:"All benefits."`
}

type setBenefitsIn struct {
	PlanPath
	Body setBenefitsBody
}

type setBenefitsBody struct {
	Version  int64             `json:"version" minimum:"1" doc:"Version of the plan that was read."`
	Benefits []PlanBenefitBody `json:"benefits" maxItems:"10" doc:"All benefits."`
}

// plans declares the plans of a business. A97.
func (a *surface) plans() {
	const list = "/businesses/{businessId}/plans"
	const one = list + "/{planId}"
	declare(a, op.Spec{
		ID: "listPlans", Method: "GET", Path: list, Tag: "catalog", Feature: "location.view",
		Summary: "List plans", Description: "Returns the plans of the business in the order of their position and name.",
	}, wire.Filtered(a.Cursors, "plans", a.Plans.List, shownPlan,
		func(_ tenancy.Scope, in *listPlansIn, page paging.In[plan.Key]) plan.ListInput {
			return plan.ListInput{In: page, State: in.State}
		}))
	declare(a, op.Spec{
		ID: "createPlan", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Create a plan", Description: "Creates a draft. Publish it to sell it.",
	}, a.createPlan)
	declare(a, op.Spec{
		ID: "getPlan", Method: "GET", Path: one, Tag: "catalog", Feature: "location.view",
		Summary: "Get a plan", Description: "Returns a plan in any state.",
	}, wire.ByName(a.Plans.Get, (*PlanPath).id, shownPlan))
	declare(a, op.Spec{
		ID: "updatePlan", Method: "PATCH", Path: one, Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Update a plan",
		Description: "Applies to later sales, and to carts that do not hold the plan. Customers keep what they bought. " +
			"A published plan has a benefit.",
	}, a.updatePlan)
	declare(a, op.Spec{
		ID: "publishPlan", Method: "POST", Path: one + "/publish", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Publish a plan", Description: "Puts the plan on sale. It needs a benefit.", Errors: wire.ChangeErrors,
	}, wire.ByName(a.Plans.Publish, (*PlanPath).id, shownPlan))
	declare(a, op.Spec{
		ID: "archivePlan", Method: "POST", Path: one + "/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Archive a plan",
		Description: "Takes it out of sale. Carts that hold it can still be paid, and customers keep what they bought.",
	}, wire.ByName(a.Plans.Archive, (*PlanPath).id, shownPlan))
	declare(a, op.Spec{
		ID: "listBenefits", Method: "GET", Path: one + "/benefits", Tag: "catalog", Feature: "location.view",
		Summary: "List the benefits of a plan", Description: "Returns all benefits of the plan, in their order.",
	}, wire.ByName(a.Plans.Get, (*PlanPath).id, func(p plan.Plan) op.List[wire.PlanBenefit] {
		return op.List[wire.PlanBenefit]{Items: wire.Show(p.Benefits, wire.ShowPlanBenefit)}
	}))
	declare(a, op.Spec{
		ID: "setBenefits", Method: "PUT", Path: one + "/benefits", Tag: "catalog", Feature: "catalog.manage",
		Versioned: true, Summary: "Replace the benefits of a plan",
		Description: "Applies to later sales. Customers keep what they bought. A published plan has a benefit. Returns " +
			"the plan.",
	}, a.setBenefits)
}

func (a *surface) createPlan(ctx context.Context, sc tenancy.Scope, in *wire.Body[createPlanBody]) (Plan, error) {
	b := in.Body
	p, err := a.Plans.Create(ctx, sc, plan.CreateInput{
		Name: b.Name, Description: b.Description, Kind: b.Kind, Currency: b.Currency, PriceAmount: b.PriceAmount,
		TaxRateID: b.TaxRateID, SoldOnline: b.SoldOnline, LocationIDs: b.LocationIDs,
		Validity: plan.Validity{Count: b.ValidCount, Unit: b.ValidUnit, FromFirstUse: b.FromFirstUse},
		Renewal:  renewalOf(b.Renewal), Freeze: b.Freeze.Rules(), ChangeIDs: b.ChangeIDs, CustomerMax: b.CustomerMax,
		NewCustomers: b.NewCustomers, Position: b.Position,
		Benefits: wire.Show(b.Benefits, PlanBenefitBody.benefit),
	})
	return shownPlan(p), err
}

func (a *surface) updatePlan(ctx context.Context, sc tenancy.Scope, in *updatePlanIn) (Plan, error) {
	b := in.Body
	p, err := a.Plans.Update(ctx, sc, plan.UpdateInput{
		ID: in.PlanID, Version: b.Version, Name: b.Name, Description: b.Description, State: b.State,
		PriceAmount: b.PriceAmount, TaxRateID: b.TaxRateID.Field, SoldOnline: b.SoldOnline, LocationIDs: b.LocationIDs,
		ValidCount: b.ValidCount.Field, ValidUnit: b.ValidUnit.Field, FromFirstUse: b.FromFirstUse,
		Renewal:   wire.OrNil(b.Renewal, func(r PlanRenewalBody) plan.Renewal { return plan.Renewal(r) }),
		Freeze:    freezeOf(b.Freeze),
		ChangeIDs: b.ChangeIDs, CustomerMax: b.CustomerMax, NewCustomers: b.NewCustomers, Position: b.Position,
		Benefits: wire.OrNil(b.Benefits, benefitsOf),
	})
	return shownPlan(p), err
}

func (a *surface) setBenefits(ctx context.Context, sc tenancy.Scope, in *setBenefitsIn) (Plan, error) {
	benefits := benefitsOf(in.Body.Benefits)
	p, err := a.Plans.Update(ctx, sc, plan.UpdateInput{ID: in.PlanID, Version: in.Body.Version, Benefits: &benefits})
	return shownPlan(p), err
}

func renewalOf(r *PlanRenewalBody) plan.Renewal {
	if r == nil {
		return plan.Renewal{}
	}
	return plan.Renewal(*r)
}

// freezeOf returns the rules for a freeze of a change: nil leaves them as they are.
func freezeOf(f op.Nullable[wire.PlanFreeze]) *rules.Freeze {
	if !f.Set {
		return nil
	}
	out := f.Value.Rules()
	return &out
}

func benefitsOf(list []PlanBenefitBody) []plan.Benefit {
	return wire.Show(list, PlanBenefitBody.benefit)
}

func (b PlanBenefitBody) benefit() plan.Benefit {
	out := plan.Benefit{
		Credits: b.Credits, OfferingIDs: b.OfferingIDs, Kinds: b.Kinds, LocationIDs: b.LocationIDs,
		ExcludedIDs: b.ExcludedIDs, Costs: map[uuid.UUID]int{}, ForGuests: b.ForGuests, GuestsOnly: b.GuestsOnly,
		DayMax: b.DayMax, WeekMax: b.WeekMax, UpcomingMax: b.UpcomingMax, RolloverMax: b.RolloverMax,
	}
	for _, c := range b.Costs {
		out.Costs[c.OfferingID] = c.Credits
	}
	return out
}

func shownPlan(p plan.Plan) Plan {
	return Plan{
		ID: p.ID, Name: p.Name, Description: p.Description, Kind: p.Kind, State: p.State, Currency: p.Currency,
		PriceAmount: p.PriceAmount, TaxRateID: p.TaxRateID, SoldOnline: p.SoldOnline,
		LocationIDs: append([]uuid.UUID{}, p.LocationIDs...), CustomerMax: p.CustomerMax, NewCustomers: p.NewCustomers,
		Position: p.Position, Benefits: wire.Show(p.Benefits, wire.ShowPlanBenefit), Customers: p.Members,
		PlanValidity: wire.ShowPlanValidity(p.Count, p.Unit, p.FromFirstUse), Renewal: wire.ShowPlanRenewal(p),
		Freeze: wire.ShowPlanFreeze(p.Freeze), ChangeIDs: append([]uuid.UUID{}, p.ChangeIDs...),
		Version:   p.Version,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}
