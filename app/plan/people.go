package plan

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Other customers of the business can book with a plan, as a family does, if it was sold for them. Its buyer pays for
// it. Its credits and limits are those of all of them together.

// Person is a customer who books with the plan of another one.
type Person struct {
	CustomerID uuid.UUID `json:"customerId"`
	Name       string    `json:"name"`  // may be empty
	Email      string    `json:"email"` // for staff only
	Since      time.Time `json:"since"`
}

// ErrPeople refuses another person on a plan: details.most is the number that it is for.
var ErrPeople = fault.New(fault.Conflict, "plan_people_full", "No more people can book with this plan.")

// PersonInput is a customer who is added to the plan of another one, or removed from it.
type PersonInput struct {
	CustomerID, MembershipID uuid.UUID // the plan, and who has it
	PersonID                 uuid.UUID // the record of the other customer
}

// has reports whether a customer books with the plan of another one.
func (m Membership) has(person uuid.UUID) bool {
	return slices.ContainsFunc(m.People, func(p Person) bool { return p.CustomerID == person })
}

// AddPerson has another customer book with a plan. A second call changes nothing. It needs membership.manage at the
// membership's location, and both customers in its reach. It returns:
//
//   - a validation error on customerId for the customer who has the plan
//   - a not found error
//   - ErrEnded
//   - ErrPeople
func (s *Service) AddPerson(ctx context.Context, sc tenancy.Scope, in PersonInput) (Membership, error) {
	return s.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, _ Membership) error {
		if _, err := crm.Seen(ctx, tx, sc, policy.MembershipManage, in.PersonID); err != nil {
			return err
		}
		m, err := lockOne(ctx, tx, in.CustomerID, in.MembershipID)
		switch {
		case err != nil:
			return err
		case m.State != Active:
			return ErrEnded
		case m.CustomerID == in.PersonID:
			return fault.Invalid("customerId", "This customer has the plan already.")
		case m.has(in.PersonID):
			return nil
		case len(m.People) >= m.PeopleMax:
			return ErrPeople.With("most", m.PeopleMax)
		}
		if err := addPerson(ctx, tx, sc.Actor, in); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, PersonJob{tx.Business(), m.ID, in.PersonID, SharedWith})
	})
}

// RemovePerson has another customer book with a plan no more. Bookings that it has paid for stay. A second call changes
// nothing. It needs membership.manage at the membership's location, and the customer who has it in its reach. It
// returns a not found error, also for somebody who was never on the plan.
func (s *Service) RemovePerson(ctx context.Context, sc tenancy.Scope, in PersonInput) (Membership, error) {
	return s.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, _ Membership) error {
		return removePersonTx(ctx, tx, in)
	})
}

// RemoveMyPerson is RemovePerson from a plan of the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) RemoveMyPerson(ctx context.Context, p tenancy.Principal, in PersonInput) (Membership, error) {
	return s.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, m Membership) error {
		in.CustomerID = m.CustomerID
		return removePersonTx(ctx, tx, in)
	})
}

func removePersonTx(ctx context.Context, tx *pg.Tx, in PersonInput) error {
	m, err := lockOne(ctx, tx, in.CustomerID, in.MembershipID)
	switch {
	case err != nil:
		return err
	case m.has(in.PersonID):
		return removePeople(ctx, tx, m.ID, in.PersonID)
	}
	was, err := wasOn(ctx, tx, m.ID, in.PersonID)
	return fault.When(err == nil && !was, fault.Missing(), err)
}

// shared returns a membership as another person on it sees it: what it pays for and until when, not its price, its
// payments, nor the other people.
func (m Membership) shared() Membership {
	out := Membership{
		ID: m.ID, BusinessID: m.BusinessID, BusinessName: m.BusinessName, CustomerID: m.CustomerID, PlanID: m.PlanID,
		LocationID: m.LocationID, LocationName: m.LocationName, LocationSlug: m.LocationSlug, Zone: m.Zone, Name: m.Name,
		Kind: m.Kind, Currency: m.Currency, State: m.State, StartsOn: m.StartsOn, EndsOn: m.EndsOn, Count: m.Count,
		Unit: m.Unit, FromFirstUse: m.FromFirstUse, Benefits: m.Benefits, Version: m.Version, CreatedAt: m.CreatedAt,
		PeopleMax: m.PeopleMax, Holder: m.Holder, Shared: true, Stopped: m.Next != nil && m.Next.PastDue,
	}
	for _, g := range m.Grants {
		g.UnusedAmount = 0
		out.Grants = append(out.Grants, g)
	}
	for _, f := range m.Freezes {
		f.Note = ""
		out.Freezes = append(out.Freezes, f)
	}
	return out
}
