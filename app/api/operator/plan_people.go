package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type addPlanPersonIn struct {
	CustomerPlanPath
	Body addPlanPersonBody
}

type addPlanPersonBody struct {
	CustomerID uuid.UUID `json:"customerId" doc:"Another customer, who is to book with the plan."`
}

// PlanPersonPath is the path of another customer on a customer's plan.
type PlanPersonPath struct {
	CustomerPlanPath
	PersonID uuid.UUID `path:"personId" doc:"The other customer, as customerId in people."`
}

type transferPlanIn struct {
	CustomerPlanPath
	Body transferPlanBody
}

type transferPlanBody struct {
	Version      int64     `json:"version" minimum:"1" doc:"Version of the customer's plan that was read."`
	ToCustomerID uuid.UUID `json:"toCustomerId" doc:"The customer who gets it."`
}

// planPeople declares the other people of customers' plans, and transfers.
func (a *surface) planPeople() {
	const one = "/businesses/{businessId}/customers/{customerId}/plans/{membershipId}"
	declare(a, op.Spec{
		ID: "addPlanPerson", Method: "POST", Path: one + "/people", Tag: "customers", Feature: "membership.manage",
		Summary: "Let another customer book with a customer's plan",
		Description: "The other customer books with the plan as its buyer does, who pays for it. Credits and limits are " +
			"those of all of them together. They are mailed. A second call changes nothing. details.most of " +
			"plan_people_full is the number that the plan was sold for.",
	}, func(ctx context.Context, sc tenancy.Scope, in *addPlanPersonIn) (CustomerPlan, error) {
		m, err := a.Plans.AddPerson(ctx, sc, plan.PersonInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, PersonID: in.Body.CustomerID,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "removePlanPerson", Method: "DELETE", Path: one + "/people/{personId}", Tag: "customers",
		Feature: "membership.manage", Summary: "Remove another customer from a customer's plan",
		Description: "The other customer books with the plan no more. Bookings that it has paid for stay. A second call " +
			"changes nothing.",
	}, func(ctx context.Context, sc tenancy.Scope, in *PlanPersonPath) (CustomerPlan, error) {
		m, err := a.Plans.RemovePerson(ctx, sc, plan.PersonInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, PersonID: in.PersonID,
		})
		return showCustomerPlan(m), err
	})
	declare(a, op.Spec{
		ID: "transferPlan", Method: "POST", Path: one + "/transfer", Tag: "customers", Feature: "membership.manage",
		Versioned: true, Summary: "Transfer a customer's plan to another customer",
		Description: "Gives the plan to another customer, with its remaining credits, its dates and its history. Nothing " +
			"is charged, and both are mailed. Other people on it are removed. A refund of its purchase goes to the customer " +
			"who paid, and takes off what is not used. A plan that pays for upcoming bookings is refused, with details.bookings. " +
			"details.why of transfer_refused is the reason: renews, frozen, intro or used_up. It returns the plan of the " +
			"other customer.",
	}, func(ctx context.Context, sc tenancy.Scope, in *transferPlanIn) (CustomerPlan, error) {
		m, err := a.Plans.Transfer(ctx, sc, plan.TransferInput{
			CustomerID: in.CustomerID, MembershipID: in.MembershipID, Version: in.Body.Version, ToID: in.Body.ToCustomerID,
		})
		return showCustomerPlan(m), err
	})
}
