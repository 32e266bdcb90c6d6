package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CustomerPlan is a plan that a customer has, as it was sold.
type CustomerPlan struct {
	wire.OwnedPlan
	CustomerID uuid.UUID       `json:"customerId"`
	Currency   money.Currency  `json:"currency" example:"USD"`
	Grants     []CustomerGrant `json:"grants" doc:"Its benefits, with their balances."`
	OrderID    *uuid.UUID      `json:"orderId" doc:"The order that sold it; null if it is complimentary."`
	Version    int64           `json:"version"`
}

// CustomerGrant is a benefit of a customer's plan, with the part of the price that is not used.
type CustomerGrant struct {
	wire.PlanGrant
	UnusedAmount int64 `json:"unusedAmount" doc:"Part of the price that is not used yet, without tax, in minor units."`
}

// PlanTransaction is one immutable change of the credits of a customer's plan.
type PlanTransaction struct {
	wire.PlanChange
	Note string `json:"note" doc:"Reason; may be empty."`
	By   string `json:"by" doc:"Name of the actor; may be empty."`
}

// CustomerPlanPath is the path of a customer's plan.
type CustomerPlanPath struct {
	CustomerPath
	MembershipID uuid.UUID `path:"membershipId" doc:"The customer's plan."`
}

type addCompPlanIn struct {
	CustomerPath
	Body addCompPlanBody
}

type addCompPlanBody struct {
	PlanID     uuid.UUID `json:"planId" doc:"A published complimentary plan."`
	LocationID uuid.UUID `json:"locationId" doc:"Location that gives it."`
}

type extendPlanIn struct {
	CustomerPlanPath
	Body extendPlanBody
}

type extendPlanBody struct {
	Version int64      `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	LastDay civil.Date `json:"lastDay" format:"date" doc:"Last day of classes that it pays for: after today, within ten years." example:"2026-12-31"`
}

type endPlanIn struct {
	CustomerPlanPath
	Body endPlanBody
}

type endPlanBody struct {
	Version int64 `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
}

type cancelPlanIn struct {
	CustomerPlanPath
	Body cancelPlanBody
}

type cancelPlanBody struct {
	Version int64       `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	LastDay *civil.Date `json:"lastDay,omitempty" format:"date" doc:"The last day that was shown. The call is refused if it is another one now. The default is any."`
}

type freezePlanIn struct {
	CustomerPlanPath
	Body freezePlanBody
}

type freezePlanBody struct {
	Version  int64       `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	StartsOn civil.Date  `json:"startsOn" format:"date" doc:"First day: today or later, and before the end of the next billing period." example:"2026-12-01"`
	LastDay  *civil.Date `json:"lastDay,omitempty" format:"date" doc:"Last day. The default is no end: end it with unfreezePlan."`
	Note     string      `json:"note,omitempty" maxLength:"500" doc:"Note for the studio."`
}

type unfreezePlanIn struct {
	CustomerPlanPath
	Body unfreezePlanBody
}

type unfreezePlanBody struct {
	Version int64 `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
}

type quotePlanChangeIn struct {
	CustomerPlanPath
	PlanID      uuid.UUID `query:"planId" required:"true" doc:"The new plan."`
	AtPeriodEnd bool      `query:"atPeriodEnd" json:",omitzero" doc:"Whether it begins with the next billing period in any case. The default is no."`
}

type changePlanIn struct {
	CustomerPlanPath
	Body changePlanBody
}

type changePlanBody struct {
	Version     int64     `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	PlanID      uuid.UUID `json:"planId" doc:"The new plan: a published membership that the location sells."`
	AtPeriodEnd bool      `json:"atPeriodEnd,omitempty" doc:"Whether it begins with the next billing period in any case. The default is no: one with a higher price begins now."`
	Amount      *int64    `json:"amount,omitempty" minimum:"0" doc:"Amount to pay now that was shown, in minor units. The call is refused if it is another one now. The default is any."`
}

type listCreditsIn struct {
	CustomerPlanPath
	op.Page
}

type adjustCreditsIn struct {
	CustomerPlanPath
	Body adjustCreditsBody
}

type adjustCreditsBody struct {
	GrantID uuid.UUID `json:"grantId,omitempty" doc:"Credits to change, from grants of the customer's plan. The default is the only ones."`
	Credits int       `json:"credits" minimum:"-10000" maximum:"10000" doc:"Number of credits: positive adds to the balance, negative reduces it."`
	Note    string    `json:"note" minLength:"1" maxLength:"500" doc:"Reason for the adjustment."`
}

// customerPlans declares the plans of customers. A97.
func (a *surface) customerPlans() {
	const list = "/businesses/{businessId}/customers/{customerId}/plans"
	const one = list + "/{membershipId}"
	declare(a, op.Spec{
		ID: "listCustomerPlans", Method: "GET", Path: list, Tag: "customers", Feature: "crm.view", Compact: true,
		Summary: "List a customer's plans",
		Description: "Returns the plans that the customer has or had, with their balances: the active ones first, then the " +
			"latest first, 200 at most.",
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPath) (op.List[CustomerPlan], error) {
		rows, err := a.Plans.OfCustomer(ctx, sc, in.CustomerID)
		return op.List[CustomerPlan]{Items: wire.Show(rows, showCustomerPlan)}, err
	})
	declare(a, op.Spec{
		ID: "addCompPlan", Method: "POST", Path: list, Tag: "customers", Feature: "membership.manage", Success: 201,
		Summary: "Give a customer a complimentary plan",
		Description: "Gives the customer a plan of the kind comp, without a payment. Any other plan is sold: see " +
			"createSale.",
	}, func(ctx context.Context, sc tenancy.Scope, in *addCompPlanIn) (CustomerPlan, error) {
		m, err := a.Plans.AddComp(ctx, sc, plan.CompInput{
			CustomerID: in.CustomerID, PlanID: in.Body.PlanID, LocationID: in.Body.LocationID,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "extendPlan", Method: "POST", Path: one + "/extend", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Change the last day of a customer's plan",
		Description: "Sets the last day of classes that the plan pays for. It can be earlier than before.",
	}, func(ctx context.Context, sc tenancy.Scope, in *extendPlanIn) (CustomerPlan, error) {
		m, err := a.Plans.Extend(ctx, sc, plan.ExtendInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version, LastDay: in.Body.LastDay,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "endPlan", Method: "POST", Path: one + "/end", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "End a customer's plan",
		Description: "Ends the plan at once, without a refund. A plan with a part of its price that is not used is refused " +
			"with details.unusedAmount: refund its payment instead.",
	}, func(ctx context.Context, sc tenancy.Scope, in *endPlanIn) (CustomerPlan, error) {
		m, err := a.Plans.End(ctx, sc, in.CustomerID, in.MembershipID, in.Body.Version)
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "cancelPlan", Method: "POST", Path: one + "/cancel", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Cancel a customer's membership",
		Description: "Cancels the membership for the earliest last day that its terms allow, the end of a billing period. " +
			"What is paid stays. If the present billing period is due and not paid, it ends at once, and nothing more is " +
			"paid. A membership that pays for bookings after that day is refused, with details.bookings." +
			wire.Refuses("payment_processing"),
	}, func(ctx context.Context, sc tenancy.Scope, in *cancelPlanIn) (CustomerPlan, error) {
		cancel := owed.CancelInput{CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version}
		if last := in.Body.LastDay; last != nil {
			cancel.EndsOn = last.AddDays(1)
		}
		m, err := a.Owed.CancelPlan(ctx, sc, cancel)
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "freezePlan", Method: "POST", Path: one + "/freeze", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Freeze a customer's plan",
		Description: "For the time of the freeze the plan pays for nothing, and nothing is charged for it. Its end and its " +
			"later billing periods are postponed by as many days, without an end once the freeze is ended. The rules of the " +
			"plan do not bind the studio. A plan that pays for bookings in that time is refused, with details.bookings. " +
			"details.why of freeze_refused is the reason.",
	}, func(ctx context.Context, sc tenancy.Scope, in *freezePlanIn) (CustomerPlan, error) {
		m, err := a.Plans.Freeze(ctx, sc, plan.FreezeInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version, StartsOn: in.Body.StartsOn,
			EndsOn: wire.DayAfter(in.Body.LastDay), Note: in.Body.Note,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "unfreezePlan", Method: "POST", Path: one + "/unfreeze", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "End the freeze of a customer's plan",
		Description: "Ends the freeze today: the plan pays from today on, and its dates become earlier by the remaining " +
			"days of the freeze. A freeze that has not begun is canceled.",
	}, func(ctx context.Context, sc tenancy.Scope, in *unfreezePlanIn) (CustomerPlan, error) {
		m, err := a.Plans.Unfreeze(ctx, sc, plan.UnfreezeInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "quotePlanChange", Method: "GET", Path: one + "/change", Tag: "customers", Feature: "membership.manage",
		Summary: "Preview a change of a customer's membership",
		Description: "Returns what a change to another plan would do, or the reason that it is refused: details.why of " +
			"change_refused. It changes nothing.",
		Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *quotePlanChangeIn) (wire.PlanChangeQuote, error) {
		c, err := a.Plans.Changing(ctx, sc, plan.ChangeInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, PlanID: in.PlanID, AtPeriodEnd: in.AtPeriodEnd,
		})
		return wire.ShowPlanChangeQuote(c), err
	})
	declare(a, op.Spec{
		ID: "changePlan", Method: "POST", Path: one + "/change", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Change a customer's membership to another plan",
		Description: "A plan with a higher price begins now, once its amount is paid: the saved card that pays renewals is " +
			"charged, or the customer is mailed a link; at the desk, createSale takes it with periodId. Any other one begins " +
			"with the next billing period. Credits that were used count against those of the new plan, and bookings stay " +
			"paid. It replaces a scheduled change. Before their card is charged a higher price again, the customer has to " +
			"consent. details.why of change_refused is the reason." +
			wire.Refuses("payment_processing"),
	}, func(ctx context.Context, sc tenancy.Scope, in *changePlanIn) (CustomerPlan, error) {
		m, err := a.Owed.ChangePlan(ctx, sc, plan.ChangeInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version, PlanID: in.Body.PlanID,
			AtPeriodEnd: in.Body.AtPeriodEnd, Amount: in.Body.Amount,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "withdrawPlanChange", Method: "DELETE", Path: one + "/change", Tag: "customers", Feature: "membership.manage",
		Summary:     "Withdraw the change of a customer's membership",
		Description: "Withdraws a change that is scheduled, or waits for its payment." + wire.Refuses("payment_processing"),
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPlanPath) (CustomerPlan, error) {
		m, err := a.Owed.WithdrawChange(ctx, sc, in.CustomerID, in.MembershipID, 0)
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "listCredits", Method: "GET", Path: one + "/credits", Tag: "customers", Feature: "crm.view",
		Summary:     "List the credit transactions of a customer's plan",
		Description: "Returns the changes of the credits of the plan, latest first.",
	}, wire.Filtered(a.Cursors, "plan-credits", a.planTransactions, showPlanTransaction,
		func(_ tenancy.Scope, in *listCreditsIn, page paging.In[paging.Moment]) planTransactionsOf {
			return planTransactionsOf{in.CustomerPlanPath, page}
		}))
	declare(a, op.Spec{
		ID: "adjustCredits", Method: "POST", Path: one + "/credits", Tag: "customers", Feature: "balance.adjust",
		Success: 201, Summary: "Adjust the credits of a customer's plan",
		Description: "Adds credits to the plan or takes some away, with a reason. The transaction is immutable: correct a " +
			"mistake with another one. details.balance of a refusal is the number of credits left.",
	}, func(ctx context.Context, sc tenancy.Scope, in *adjustCreditsIn) (CustomerPlan, error) {
		m, err := a.Plans.Adjust(ctx, sc, plan.AdjustInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, GrantID: in.Body.GrantID, Credits: in.Body.Credits,
			Note: in.Body.Note,
		})
		return showCustomerPlan(m), err
	})
}

// planTransactionsOf is the input of a page of the credit transactions of a customer's plan.
type planTransactionsOf struct {
	path CustomerPlanPath
	page paging.In[paging.Moment]
}

func (a *surface) planTransactions(
	ctx context.Context, sc tenancy.Scope, of planTransactionsOf,
) (paging.Page[plan.Transaction, paging.Moment], error) {
	return a.Plans.Transactions(ctx, sc, of.path.CustomerID, of.path.MembershipID, of.page)
}

func showCustomerPlan(m plan.Membership) CustomerPlan {
	return CustomerPlan{
		OwnedPlan: wire.ShowOwnedPlan(m), CustomerID: m.CustomerID, Currency: m.Currency, OrderID: m.OrderID,
		Version: m.Version, Grants: wire.Show(m.Grants, func(g plan.Grant) CustomerGrant {
			return CustomerGrant{PlanGrant: wire.ShowPlanGrant(g), UnusedAmount: g.UnusedAmount}
		}),
	}
}

func showPlanTransaction(t plan.Transaction) PlanTransaction {
	return PlanTransaction{PlanChange: wire.ShowPlanChange(t), Note: t.Note, By: t.ActorName}
}
