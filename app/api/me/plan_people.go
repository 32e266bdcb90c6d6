package me

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MyPlanPersonPath is the path of another customer on an own plan.
type MyPlanPersonPath struct {
	MyPlanPath
	PersonID uuid.UUID `path:"personId" doc:"The other customer, as customerId in people."`
}

// myPlanPeople declares the other people of own plans.
func (a *surface) myPlanPeople() {
	op.Declare(a.Ops, op.Spec{
		ID: "removeMyPlanPerson", Method: "DELETE", Path: "/me/plans/{membershipId}/people/{personId}", Tag: "me",
		Summary: "Remove another customer from an own plan",
		Description: "The other customer books with the plan no more. Bookings that it has paid for stay. A second call " +
			"changes nothing. The studio adds people: see addPlanPerson. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *MyPlanPersonPath) (MyPlan, error) {
		m, err := a.Plans.RemoveMyPerson(ctx, sc.Principal, plan.PersonInput{
			MembershipID: in.MembershipID, PersonID: in.PersonID,
		})
		return showMyPlan(m), err
	})
}
