package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MyPlan is a plan for its customer, as it was sold.
type MyPlan struct {
	wire.OwnedPlan
	BusinessID   uuid.UUID        `json:"businessId"`
	BusinessName string           `json:"businessName"`
	Grants       []wire.PlanGrant `json:"grants" doc:"Its benefits, with their balances."`
}

type listMyPlanCreditsIn struct {
	MembershipID uuid.UUID `path:"membershipId" doc:"The own plan."`
	op.Page
}

// myPlans declares the plans of the signed-in person. A97.
func (a *surface) myPlans() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyPlans", Method: "GET", Path: "/me/plans", Tag: "me",
		Summary: "List own plans",
		Description: "Returns the plans of the signed-in person in all businesses, with their balances: of each business " +
			"the active ones first, 200 at most. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (op.List[MyPlan], error) {
		rows, err := a.Plans.Mine(ctx, sc.Principal)
		return op.List[MyPlan]{Items: wire.Show(rows, showMyPlan)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "listMyCredits", Method: "GET", Path: "/me/plans/{membershipId}/credits", Tag: "me",
		Summary: "List the credit transactions of an own plan",
		Description: "Returns the changes of the credits of the plan, latest first, and 404 for another person's plan. " +
			"API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403, 404},
	}, wire.Filtered(a.Cursors, "me.plan-credits", wire.Own(a.planTransactions), wire.ShowPlanChange,
		func(_ tenancy.Scope, in *listMyPlanCreditsIn, page paging.In[paging.Moment]) planTransactionsOf {
			return planTransactionsOf{in.MembershipID, page}
		}))
}

// planTransactionsOf is the input of a page of the credit transactions of an own plan.
type planTransactionsOf struct {
	membership uuid.UUID
	page       paging.In[paging.Moment]
}

func (a *surface) planTransactions(
	ctx context.Context, p tenancy.Principal, of planTransactionsOf,
) (paging.Page[plan.Transaction, paging.Moment], error) {
	return a.Plans.MyTransactions(ctx, p, of.membership, of.page)
}

func showMyPlan(m plan.Membership) MyPlan {
	return MyPlan{
		OwnedPlan: wire.ShowOwnedPlan(m), BusinessID: m.BusinessID, BusinessName: m.BusinessName,
		Grants: wire.Show(m.Grants, wire.ShowPlanGrant),
	}
}
