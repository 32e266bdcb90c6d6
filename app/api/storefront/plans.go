package storefront

import (
	"context"
	"reflect"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// ListedPlan is the public view of a plan that a location sells online.
type ListedPlan struct {
	ID           uuid.UUID          `json:"id" doc:"The plan, for the cart item."`
	Name         string             `json:"name" example:"Ten classes"`
	Description  string             `json:"description" doc:"Description, plain text."`
	Kind         plan.Kind          `json:"kind" doc:"Kind of the plan."`
	Currency     money.Currency     `json:"currency" example:"USD"`
	PriceAmount  int64              `json:"priceAmount" doc:"Price in minor units: 12000 is 120.00; 0 is free. Of a membership, of each billing period."`
	FirstAmount  int64              `json:"firstAmount" doc:"Price that is paid at the purchase, in minor units: of a membership, of the first billing period."`
	CustomerMax  int                `json:"customerMax" doc:"Maximum number of purchases by a customer; 0 for any number."`
	NewCustomers bool               `json:"newCustomers" doc:"Whether only customers without an earlier booking can buy it."`
	Benefits     []wire.PlanBenefit `json:"benefits" doc:"What it gives."`
	wire.PlanValidity
	Renewal op.Nullable[wire.PlanRenewal] `json:"renewal" doc:"How a membership is paid by the billing period; null for other plans."`
	Freeze  op.Nullable[wire.PlanFreeze]  `json:"freeze" doc:"The rules for freezing it; null if a customer cannot."`
}

// CompatiblePlans are the plans for one seat of a cart.
type CompatiblePlans struct {
	ItemID    uuid.UUID        `json:"itemId"`
	PaysPrice bool             `json:"paysPrice" doc:"Whether the customer chose to pay the price, so that no plan pays."`
	Owned     []CompatiblePlan `json:"owned" doc:"Plans of the customer: the one that pays, then the others in the order in which they would pay."`
	ForSale   []ListedPlan     `json:"forSale" doc:"Plans that the location sells online and that would pay for the seat."`
}

// CompatiblePlan is a plan of the customer, for one seat of a cart.
type CompatiblePlan struct {
	GrantID      uuid.UUID  `json:"grantId" doc:"Credits of the plan, or its unlimited bookings, for chooseCartPlan."`
	MembershipID uuid.UUID  `json:"membershipId" doc:"The customer's plan."`
	Name         string     `json:"name" doc:"Name of the plan."`
	Kind         plan.Kind  `json:"kind" doc:"Kind of the plan."`
	Balance      *int       `json:"balance" doc:"Number of credits left, without those reserved for other payments; null for any number of bookings."`
	LastDay      *string    `json:"lastDay" format:"date" doc:"Last day of classes that it pays for; null if it has no end, or begins with the first class."`
	Pays         bool       `json:"pays" doc:"Whether it pays for this seat."`
	Credits      *int       `json:"credits" doc:"Credits that the seat costs, if it pays; otherwise, and for any number of bookings, null."`
	Why          *rules.Why `json:"why" doc:"Why it does not pay; null if it does. behind: another plan pays first. not_chosen: the customer chose another one."`
}

type choosePlanIn struct {
	CartPath
	ItemID uuid.UUID `path:"itemId" doc:"The item."`
	Body   choosePlanBody
}

type choosePlanBody struct {
	GrantID   uuid.UUID `json:"grantId,omitempty" doc:"Credits of the plan that pays, or its unlimited bookings. The default is the first plan that pays."`
	PaysPrice bool      `json:"paysPrice,omitempty" doc:"Whether the price is paid, and no plan pays. Not together with grantId."`
}

// plans declares the plans on sale, and those that pay for a cart. A97.
func (a *surface) plans() {
	op.Declare(a.Ops, op.Spec{
		ID: "listLocationPlans", Method: "GET", Path: "/storefront/locations/{locationId}/plans", Tag: "storefront",
		Summary:     "List plans of a location",
		Description: "Returns the published plans that the location sells online, in their order, 200 at most.",
		Access:      op.Public, Target: op.InLocation("locationId"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (op.List[ListedPlan], error) {
		if _, _, err := a.openLocation(ctx, sc); err != nil {
			return op.List[ListedPlan]{}, err
		}
		rows, err := a.Plans.OnSaleAt(ctx, sc.Tenant, sc.Location)
		return op.List[ListedPlan]{Items: wire.Show(rows, showListedPlan)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "listCompatiblePlans", Method: "GET", Path: "/storefront/carts/{token}/compatible-plans", Tag: "storefront",
		Summary: "List the plans that can pay for a cart",
		Description: "Returns, for each seat of the held cart, the plan that pays, the other plans of the customer each " +
			"with the reason that it does not, and the plans on sale that would.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (op.List[CompatiblePlans], error) {
		rows, err := a.Checkout.CompatiblePlans(ctx, sc, in.Token)
		return op.List[CompatiblePlans]{Items: wire.Show(rows, showCompatiblePlans)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "chooseCartPlan", Method: "PUT", Path: "/storefront/carts/{token}/items/{itemId}/plan", Tag: "storefront",
		Summary: "Choose the plan that pays for a seat",
		Description: "Sets what pays for a seat of a held cart: a plan of its holder, the price, or, with neither, the " +
			"first plan that pays. An open card payment is canceled. A plan that does not pay is refused, with " +
			"details.why as in listCompatiblePlans. Returns the updated cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite,
		Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *choosePlanIn) (Cart, error) {
		b := in.Body
		if b.PaysPrice && b.GrantID != uuid.Nil {
			return Cart{}, fault.Invalid("paysPrice", "Send it without grantId.")
		}
		c, err := a.Checkout.ChoosePlan(ctx, sc, in.Token, in.ItemID, checkout.PlanChoice{
			GrantID: b.GrantID, PaysPrice: b.PaysPrice,
		})
		return showCart(c), err
	})
}

// addPlan adds a plan.
func (a *surface) addPlan(ctx context.Context, sc tenancy.Scope, in *addItemIn) (Cart, error) {
	rest := in.Body
	rest.PlanID, rest.RenewalConsent = nil, ""
	if !reflect.DeepEqual(rest, addItemBody{}) {
		return Cart{}, fault.Invalid("planId", "Send a plan by itself.")
	}
	consent := in.Body.RenewalConsent
	if consent != "" {
		if err := plan.CheckConsent(&consent, "renewalConsent"); err != nil {
			return Cart{}, err
		}
	}
	c, err := a.Checkout.AddNonSeat(ctx, sc, in.Token, order.CartItem{
		Kind: order.Plan, Subject: *in.Body.PlanID, Quantity: 1, Consent: consent,
	})
	return showCart(c), err
}

func showListedPlan(p plan.Plan) ListedPlan {
	return ListedPlan{
		ID: p.ID, Name: p.Name, Description: p.Description, Kind: p.Kind, Currency: p.Currency, PriceAmount: p.PriceAmount,
		FirstAmount: p.FirstAmount(), Renewal: wire.ShowPlanRenewal(p), Freeze: wire.ShowPlanFreeze(p.Freeze),
		CustomerMax: p.CustomerMax, NewCustomers: p.NewCustomers,
		Benefits:     wire.Show(p.Benefits, wire.ShowPlanBenefit),
		PlanValidity: wire.ShowPlanValidity(p.Count, p.Unit, p.FromFirstUse),
	}
}

func showCompatiblePlans(o checkout.PlanOptions) CompatiblePlans {
	return CompatiblePlans{
		ItemID: o.ItemID, PaysPrice: o.PaysPrice, Owned: wire.Show(o.Owned, showCompatiblePlan),
		ForSale: wire.Show(o.ForSale, showListedPlan),
	}
}

func showCompatiblePlan(o checkout.PlanOption) CompatiblePlan {
	out := CompatiblePlan{
		GrantID: o.GrantID, MembershipID: o.MembershipID, Name: o.Name, Kind: o.Kind, Pays: o.Pays,
		Credits: wire.Optional(o.Credits), Why: wire.Optional(o.Why),
		LastDay: wire.OrNil(o.EndsOn, func(end civil.Date) string { return end.AddDays(-1).String() }),
	}
	if !o.Unlimited {
		out.Balance = &o.Balance
	}
	return out
}
