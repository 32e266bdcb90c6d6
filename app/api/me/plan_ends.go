package me

import (
	"context"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type endMyPlanEarlyIn struct {
	MyPlanPath
	Body endMyPlanEarlyBody
}

type endMyPlanEarlyBody struct {
	LastDay *civil.Date `json:"lastDay,omitempty" format:"date" doc:"The last day that the customer was shown. The call is refused if it is another one now. The default is any."`
	Amount  *int64      `json:"amount,omitempty" minimum:"0" doc:"The fee that the customer was shown, in minor units. The call is refused if it is another one now. The default is any."`
}

// myPlanEnds declares how memberships of the signed-in person end early, and go on. A97.
func (a *surface) myPlanEnds() {
	const one = "/me/plans/{membershipId}"
	op.Declare(a.Ops, op.Spec{
		ID: "quoteMyPlanCancellation", Method: "GET", Path: one + "/cancel", Tag: "me",
		Summary: "Preview the end of an own membership",
		Description: "Returns what a cancellation would do, and an earlier end for a fee if the terms have one. It changes " +
			"nothing. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *MyPlanPath) (wire.PlanCancellationQuote, error) {
		m, c, err := a.Plans.CancelingMine(ctx, sc.Principal, in.MembershipID)
		return wire.ShowPlanCancellationQuote(m, c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "endMyPlanEarly", Method: "POST", Path: one + "/end-early", Tag: "me",
		Summary: "End an own membership early for a fee",
		Description: "Ends the membership with the billing period that is paid, before its least number of periods, once the " +
			"fee of its terms is paid: the saved card is charged if the customer agreed to renewals, or they are mailed a " +
			"link. Until then it pays for no bookings after that end. A fee that is not paid by then is given up, and the " +
			"membership renews. A membership that pays for bookings after that day is refused, with details.bookings. API " +
			"keys are refused." + wire.Refuses("payment_processing"),
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *endMyPlanEarlyIn) (MyPlan, error) {
		end := plan.EndEarlyInput{MembershipID: in.MembershipID, Amount: in.Body.Amount}
		if last := in.Body.LastDay; last != nil {
			end.EndsOn = last.AddDays(1)
		}
		m, err := a.Owed.EndMyPlanEarly(ctx, sc.Principal, end)
		return showMyPlan(m), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "resumeMyPlan", Method: "POST", Path: one + "/resume", Tag: "me",
		Summary: "Resume an own canceled membership",
		Description: "A membership that is canceled for a last day that has not passed goes on: its next billing period is " +
			"due as if it had not been canceled, and the consent to renewals stays. An early end that waits for its fee is " +
			"withdrawn. API keys are refused." + wire.Refuses("payment_processing"),
		Access: op.Session, Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *MyPlanPath) (MyPlan, error) {
		m, err := a.Owed.ResumeMyPlan(ctx, sc.Principal, plan.ResumeInput{MembershipID: in.MembershipID})
		return showMyPlan(m), err
	})
}
