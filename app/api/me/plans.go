package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/owed"
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

// MyPlanPath is the path of an own plan.
type MyPlanPath struct {
	MembershipID uuid.UUID `path:"membershipId" doc:"The own plan."`
}

type listMyPlanCreditsIn struct {
	MyPlanPath
	op.Page
}

type cancelMyPlanIn struct {
	MyPlanPath
	Body cancelMyPlanBody
}

type cancelMyPlanBody struct {
	LastDay *civil.Date `json:"lastDay,omitempty" format:"date" doc:"The last day that the customer was shown. The call is refused if it is another one now. The default is any."`
}

type freezeMyPlanIn struct {
	MyPlanPath
	Body freezeMyPlanBody
}

type freezeMyPlanBody struct {
	StartsOn civil.Date  `json:"startsOn" format:"date" doc:"First day: today or later, and before the end of the next billing period." example:"2026-12-01"`
	LastDay  *civil.Date `json:"lastDay,omitempty" format:"date" doc:"Last day. The default is no end, if the plan allows it: end it with unfreezeMyPlan."`
	RenewsOn *civil.Date `json:"renewsOn,omitempty" format:"date" doc:"The day of the next payment that the customer was shown. The call is refused if it is another one now. The default is any."`
}

type quoteFreezeIn struct {
	MyPlanPath
	StartsOn civil.Date `query:"startsOn" required:"true" format:"date" doc:"First day." example:"2026-12-01"`
	LastDay  civil.Date `query:"lastDay" json:",omitzero" format:"date" doc:"Last day. The default is no end."`
}

// FreezeQuote is what a freeze of an own plan would do.
type FreezeQuote struct {
	StartsOn civil.Date `json:"startsOn" format:"date" doc:"First day of the freeze."`
	LastDay  *string    `json:"lastDay" format:"date" doc:"Last day of the freeze; null if it has no end."`
	RenewsOn *string    `json:"renewsOn" format:"date" doc:"Day of the next payment after it; null for none, and without an end."`
	Amount   int64      `json:"amount" doc:"Amount of that payment, in minor units; 0 for none."`
	PlanLast *string    `json:"planLastDay" format:"date" doc:"Last day of the plan after it; null if the plan or the freeze has no end."`
	Bookings int        `json:"bookings" doc:"Number of bookings in that time that the plan pays for. They have to be cancelled first."`
}

type quoteMyPlanChangeIn struct {
	MyPlanPath
	PlanID uuid.UUID `query:"planId" required:"true" doc:"The new plan."`
}

type changeMyPlanIn struct {
	MyPlanPath
	Body changeMyPlanBody
}

type changeMyPlanBody struct {
	PlanID  uuid.UUID `json:"planId" doc:"The new plan, from changeIds of the present one."`
	Amount  *int64    `json:"amount,omitempty" minimum:"0" doc:"Amount to pay now that the customer was shown, in minor units. The call is refused if it is another one now. The default is any."`
	Consent string    `json:"renewalConsent,omitempty" maxLength:"2000" doc:"The words that the customer agreed to, with the new amount, how often their card is charged, and how to cancel. Without it, their card is not charged at a higher price."`
}

type renewMyPlanIn struct {
	MyPlanPath
	Body renewMyPlanBody
}

type renewMyPlanBody struct {
	Consent string `json:"renewalConsent" minLength:"1" maxLength:"2000" doc:"The words that the customer agreed to, with the amount, how often their card is charged, and how to cancel."`
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
		ID: "cancelMyPlan", Method: "POST", Path: "/me/plans/{membershipId}/cancel", Tag: "me",
		Summary: "Cancel an own membership",
		Description: "Cancels the membership for the earliest last day that its terms allow, the end of a billing period. " +
			"What is paid stays. If the present billing period is due and not paid, it ends at once, and nothing more is " +
			"paid. A membership that pays for bookings after that day is refused, with details.bookings. API keys are refused." +
			wire.Refuses("payment_processing"),
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *cancelMyPlanIn) (MyPlan, error) {
		cancel := owed.CancelInput{MembershipID: in.MembershipID}
		if last := in.Body.LastDay; last != nil {
			cancel.EndsOn = last.AddDays(1)
		}
		m, err := a.Owed.CancelMyPlan(ctx, sc.Principal, cancel)
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "quoteMyFreeze", Method: "GET", Path: "/me/plans/{membershipId}/freeze", Tag: "me",
		Summary: "Preview the freeze of an own plan",
		Description: "Returns what the freeze would do, or the reason that it is refused: details.why of freeze_refused. " +
			"It changes nothing. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *quoteFreezeIn) (FreezeQuote, error) {
		freeze := plan.FreezeInput{MembershipID: in.MembershipID, StartsOn: in.StartsOn}
		if !in.LastDay.IsZero() {
			freeze.EndsOn = wire.DayAfter(&in.LastDay)
		}
		_, f, err := a.Plans.FreezingMine(ctx, sc.Principal, freeze)
		return FreezeQuote{
			StartsOn: f.StartsOn, LastDay: wire.DayBefore(f.EndsOn), RenewsOn: wire.DateOrNull(f.RenewsOn), Amount: f.Amount,
			PlanLast: wire.DayBefore(f.Ends), Bookings: f.Booked,
		}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "freezeMyPlan", Method: "POST", Path: "/me/plans/{membershipId}/freeze", Tag: "me",
		Summary: "Freeze an own plan",
		Description: "For the time of the freeze the plan pays for nothing, and nothing is charged for it. Its end and its " +
			"later billing periods are postponed by as many days. A plan that pays for bookings in that time is refused, with " +
			"details.bookings. details.why of freeze_refused is the reason. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *freezeMyPlanIn) (MyPlan, error) {
		m, err := a.Plans.FreezeMine(ctx, sc.Principal, plan.FreezeInput{
			MembershipID: in.MembershipID, StartsOn: in.Body.StartsOn, EndsOn: wire.DayAfter(in.Body.LastDay),
			RenewsOn: in.Body.RenewsOn,
		})
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "unfreezeMyPlan", Method: "POST", Path: "/me/plans/{membershipId}/unfreeze", Tag: "me",
		Summary: "End the freeze of an own plan",
		Description: "Ends the freeze today, if the plan allows that: the plan pays from today on, and its dates become " +
			"earlier by the remaining days of the freeze. A freeze that has not begun is canceled. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *MyPlanPath) (MyPlan, error) {
		m, err := a.Plans.UnfreezeMine(ctx, sc.Principal, plan.UnfreezeInput{MembershipID: in.MembershipID})
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "quoteMyPlanChange", Method: "GET", Path: "/me/plans/{membershipId}/change", Tag: "me",
		Summary: "Preview a change of an own membership",
		Description: "Returns what a change to another plan would do, or the reason that it is refused: details.why of " +
			"change_refused. It changes nothing. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *quoteMyPlanChangeIn) (wire.PlanChangeQuote, error) {
		_, c, err := a.Plans.ChangingMine(ctx, sc.Principal, plan.ChangeInput{
			MembershipID: in.MembershipID, PlanID: in.PlanID,
		})
		return wire.ShowPlanChangeQuote(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "changeMyPlan", Method: "POST", Path: "/me/plans/{membershipId}/change", Tag: "me",
		Summary: "Change an own membership to another plan",
		Description: "A plan with a higher price begins now, once its amount is paid: the saved card is charged if the " +
			"customer agreed to renewals, or they are mailed a link. Any other one begins with the next billing period. It " +
			"replaces a scheduled change. details.why of change_refused is the reason. API keys are refused." +
			wire.Refuses("payment_processing"),
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *changeMyPlanIn) (MyPlan, error) {
		m, err := a.Owed.ChangeMyPlan(ctx, sc.Principal, plan.ChangeInput{
			MembershipID: in.MembershipID, PlanID: in.Body.PlanID, Amount: in.Body.Amount, Consent: in.Body.Consent,
		})
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "withdrawMyPlanChange", Method: "DELETE", Path: "/me/plans/{membershipId}/change", Tag: "me",
		Summary: "Withdraw the change of an own membership",
		Description: "Withdraws a change that is scheduled, or waits for its payment. API keys are refused." +
			wire.Refuses("payment_processing"),
		Access: op.Session, Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *MyPlanPath) (MyPlan, error) {
		m, err := a.Owed.WithdrawMyChange(ctx, sc.Principal, in.MembershipID)
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "renewMyPlan", Method: "PUT", Path: "/me/plans/{membershipId}/renewal", Tag: "me",
		Summary: "Agree to the renewals of an own membership",
		Description: "Writes the customer's consent that their saved card is charged for each billing period. A billing " +
			"period that is due is charged within minutes. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *renewMyPlanIn) (MyPlan, error) {
		m, err := a.Plans.Agree(ctx, sc.Principal, in.MembershipID, in.Body.Consent)
		return showMyPlan(m), err
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
