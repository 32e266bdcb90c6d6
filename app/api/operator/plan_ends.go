package operator

import (
	"context"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type endPlanEarlyIn struct {
	CustomerPlanPath
	Body endPlanEarlyBody
}

type endPlanEarlyBody struct {
	Version int64       `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	LastDay *civil.Date `json:"lastDay,omitempty" format:"date" doc:"The last day that was shown. The call is refused if it is another one now. The default is any."`
	Amount  *int64      `json:"amount,omitempty" minimum:"0" doc:"The fee that was shown, in minor units. The call is refused if it is another one now. The default is any."`
}

type resumePlanIn struct {
	CustomerPlanPath
	Body resumePlanBody
}

type resumePlanBody struct {
	Version int64 `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
}

// planEnds declares how memberships of customers end early, and go on. A97.
func (a *surface) planEnds() {
	const one = "/businesses/{businessId}/customers/{customerId}/plans/{membershipId}"
	declare(a, op.Spec{
		ID: "quotePlanCancellation", Method: "GET", Path: one + "/cancel", Tag: "customers",
		Feature: "membership.manage", Summary: "Preview the end of a customer's membership",
		Description: "Returns what a cancellation would do, and an earlier end for a fee if the terms have one. It changes " +
			"nothing.",
		Errors: []int{401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPlanPath) (wire.PlanCancellationQuote, error) {
		m, c, err := a.Plans.Canceling(ctx, sc, in.CustomerID, in.MembershipID)
		return wire.ShowPlanCancellationQuote(m, c), err
	})
	declare(a, op.Spec{
		ID: "endPlanEarly", Method: "POST", Path: one + "/end-early", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "End a customer's membership early for a fee",
		Description: "Ends the membership with the billing period that is paid, before its least number of periods, once the " +
			"fee of its terms is paid: the saved card that pays renewals is charged, or the customer is mailed a link; at the " +
			"desk, createSale takes it with periodId. Until then it pays for no bookings after that end. A fee that is not " +
			"paid by then is given up, and the membership renews. A membership that pays for bookings after that day is " +
			"refused, with details.bookings." + wire.Refuses("payment_processing"),
	}, func(ctx context.Context, sc tenancy.Scope, in *endPlanEarlyIn) (CustomerPlan, error) {
		end := plan.EndEarlyInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version, Amount: in.Body.Amount,
		}
		if last := in.Body.LastDay; last != nil {
			end.EndsOn = last.AddDays(1)
		}
		m, err := a.Owed.EndPlanEarly(ctx, sc, end)
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "resumePlan", Method: "POST", Path: one + "/resume", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Resume a customer's canceled membership",
		Description: "A membership that is canceled for a last day that has not passed goes on: its next billing period is " +
			"due as if it had not been canceled, and the customer's consent stays. An early end that waits for its fee is " +
			"withdrawn; a fee that was paid is not refunded by that." + wire.Refuses("payment_processing"),
	}, func(ctx context.Context, sc tenancy.Scope, in *resumePlanIn) (CustomerPlan, error) {
		m, err := a.Owed.ResumePlan(ctx, sc, plan.ResumeInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version,
		})
		return showCustomerPlan(m), err
	})
}
