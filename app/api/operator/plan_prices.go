package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// PlanPrice is a new price for the members of a plan, which was set before its day.
type PlanPrice struct {
	ID          uuid.UUID       `json:"id"`
	PlanID      uuid.UUID       `json:"planId"`
	PriceAmount int64           `json:"priceAmount" doc:"Price of a billing period, in minor units."`
	StartsOn    civil.Date      `json:"startsOn" format:"date" doc:"Billing periods that begin on this day or later have the price."`
	State       plan.PriceState `json:"state" doc:"State of the price: coming, done on its first day, or void if it was withdrawn."`
	Members     int             `json:"memberCount" doc:"Number of active memberships whose price it is or will be."`
	By          string          `json:"by" doc:"Name of the actor; may be empty."`
	CreatedAt   time.Time       `json:"createdAt"`
}

// PlanPriceQuote is what a new price for the members of a plan would do.
type PlanPriceQuote struct {
	PriceAmount int64          `json:"priceAmount" doc:"The new price of a billing period, in minor units."`
	Currency    money.Currency `json:"currency" example:"USD"`
	StartsOn    civil.Date     `json:"startsOn" format:"date" doc:"The first day."`
	EarliestOn  civil.Date     `json:"earliestOn" format:"date" doc:"The earliest first day: a higher price needs the notice that the law of each location asks for."`
	Members     int            `json:"memberCount" doc:"Number of memberships that it is for."`
	Raised      int            `json:"raisedCount" doc:"Number of them whose price becomes higher."`
	Unmailed    int            `json:"unmailedCount" doc:"Number of them whose customer has no e-mail address."`
	LeastAmount int64          `json:"leastAmount" doc:"Lowest price that they have now, in minor units; 0 without memberships."`
	MostAmount  int64          `json:"mostAmount" doc:"Highest price that they have now, in minor units; 0 without memberships."`
}

type quotePlanPriceIn struct {
	PlanPath
	PriceAmount int64      `query:"priceAmount" required:"true" minimum:"0" maximum:"99999999" doc:"The new price of a billing period, in minor units."`
	StartsOn    civil.Date `query:"startsOn" json:",omitzero" format:"date" doc:"The first day. The default is the earliest."`
}

type schedulePlanPriceIn struct {
	PlanPath
	Body schedulePlanPriceBody
}

type schedulePlanPriceBody struct {
	PriceAmount int64      `json:"priceAmount" minimum:"0" maximum:"99999999" doc:"The new price of a billing period, in minor units."`
	StartsOn    civil.Date `json:"startsOn" format:"date" doc:"Billing periods that begin on this day or later have the price: earliestOn of the quote, or later." example:"2027-02-01"`
	ForSales    bool       `json:"forSales,omitempty" doc:"Whether later sales of the plan have the price too, from now on. The default is no."`
}

// planPrices declares the new prices for the members of a plan. A97.
func (a *surface) planPrices() {
	const at = "/businesses/{businessId}/plans/{planId}/prices"
	declare(a, op.Spec{
		ID: "listPlanPrices", Method: "GET", Path: at, Tag: "catalog", Feature: "location.view",
		Summary:     "List the new prices for the members of a plan",
		Description: "Returns the prices that were set for members, the latest first, 200 at most.",
	}, wire.ByName(a.Plans.Prices, (*PlanPath).id, func(list []plan.PriceChange) op.List[PlanPrice] {
		return op.List[PlanPrice]{Items: wire.Show(list, showPlanPrice)}
	}))
	declare(a, op.Spec{
		ID: "quotePlanPrice", Method: "GET", Path: at + "/quote", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Preview a new price for the members of a plan",
		Description: "Returns what a new price would do, and its earliest first day. It changes nothing.",
		Errors:      []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *quotePlanPriceIn) (PlanPriceQuote, error) {
		p, q, err := a.Plans.QuotePrice(ctx, sc, plan.PriceInput{
			PlanID: in.PlanID, PriceAmount: in.PriceAmount, StartsOn: in.StartsOn,
		})
		return PlanPriceQuote{
			PriceAmount: q.PriceAmount, Currency: p.Currency, StartsOn: q.StartsOn, EarliestOn: q.EarliestOn,
			Members: q.Members, Raised: q.Raised, Unmailed: q.Unmailed, LeastAmount: q.LeastAmount, MostAmount: q.MostAmount,
		}, err
	})
	declare(a, op.Spec{
		ID: "schedulePlanPrice", Method: "POST", Path: at, Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Set a new price for the members of a plan",
		Description: "Sets the price of the billing periods that begin on a day or later, for the active memberships of the " +
			"plan that have another one and no end. Introductory prices stay. Each customer is mailed at once: the mail is " +
			"the notice of a higher price, after which saved cards are charged as before. Until the day on which they would " +
			"first pay a higher price, customers can cancel for that day, whatever notice or least number of periods the plan " +
			"asks for. A plan has one coming price at a time.",
		Errors: wire.ChangeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *schedulePlanPriceIn) (PlanPrice, error) {
		c, err := a.Plans.SchedulePrice(ctx, sc, plan.PriceInput{
			PlanID: in.PlanID, PriceAmount: in.Body.PriceAmount, StartsOn: in.Body.StartsOn, ForSales: in.Body.ForSales,
		})
		return showPlanPrice(c), err
	})
	declare(a, op.Spec{
		ID: "withdrawPlanPrice", Method: "DELETE", Path: at, Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Withdraw the new price for the members of a plan",
		Description: "Withdraws the price that is coming, before its first day. Its customers are mailed again.",
		Errors:      wire.ChangeErrors,
	}, wire.ByName(a.Plans.WithdrawPrice, (*PlanPath).id, showPlanPrice))
}

func showPlanPrice(c plan.PriceChange) PlanPrice {
	return PlanPrice{
		ID: c.ID, PlanID: c.PlanID, PriceAmount: c.PriceAmount, StartsOn: c.StartsOn, State: c.State, Members: c.Members,
		By: c.ActorName, CreatedAt: c.CreatedAt,
	}
}
