package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/plan"
)

// PlanPerson is a customer who books with the plan of another one.
type PlanPerson struct {
	CustomerID uuid.UUID `json:"customerId"`
	Name       string    `json:"name" doc:"Name of the customer; may be empty."`
	Since      time.Time `json:"since" doc:"When they were added."`
}

func showPlanPerson(p plan.Person) PlanPerson {
	return PlanPerson{CustomerID: p.CustomerID, Name: p.Name, Since: p.Since}
}

// SharedBy returns the name of the customer who has a plan that is read for another person on it; otherwise nil.
func SharedBy(m plan.Membership) *string {
	if !m.Shared {
		return nil
	}
	return &m.Holder
}
