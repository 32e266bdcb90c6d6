package my

import (
	"cmp"
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/plan"
	"foyer/app/view"
)

// people adds to a plan who else books with it; to one of another customer, whose it is, and whether it pays.
func people(w view.Words, v *Plan, m plan.Membership) {
	if !m.Shared {
		for _, p := range m.People {
			v.People = append(v.People, PlanPerson{
				Name: personName(w, p), Remove: planPath(m.ID) + "/people/" + p.CustomerID.String(),
			})
		}
		return
	}
	shared := w.T("Shared with you.")
	if m.Holder != "" {
		shared = w.T("Shared by {name}.", "name", m.Holder)
	}
	v.Notes = append(v.Notes, shared)
	today := civil.LocalDate(w.Now, w.Zone)
	if f := m.Freeze(today); m.Stopped || f != nil && !f.StartsOn.After(today) {
		v.Notes = append(v.Notes, w.T("It pays for no bookings at the moment."))
	}
}

// personName is the name of another customer on a plan.
func personName(w view.Words, p plan.Person) string { return cmp.Or(p.Name, w.T("Another customer")) }

// RemovePerson is the page to confirm that another customer is removed from a plan.
type RemovePerson struct {
	Name, Studio string
	Person       string
	Form         view.Form
	Plan         string // address of the plan
}

// person returns the other customer of the address.
func (b *myPlan) person(c *fiber.Ctx) (plan.Person, error) {
	id, err := uuid.Parse(c.Params("person"))
	for _, p := range b.People {
		if err == nil && p.CustomerID == id {
			return p, nil
		}
	}
	return plan.Person{}, fault.Missing()
}

// askRemovePerson shows what the removal does, and a form to confirm. It changes nothing.
func (h *site) askRemovePerson(c *fiber.Ctx, b *myPlan) error {
	p, err := b.person(c)
	if err != nil {
		return err
	}
	return kit.Show(c, b.Shell, RemovePersonPage(b.Shell, RemovePerson{
		Name: b.Name, Studio: b.studio(), Person: personName(b.Shell.Words, p), Plan: b.path(""),
		Form: kit.FormTo(b.path("/people/" + p.CustomerID.String())),
	}))
}

func (h *site) removePerson(c *fiber.Ctx, b *myPlan) error {
	p, err := b.person(c)
	if err != nil {
		return b.back(c) // it was sent twice
	}
	err = h.Once(c, func(ctx context.Context) error {
		_, err := h.Plans.RemoveMyPerson(ctx, b.Scope.Principal,
			plan.PersonInput{MembershipID: b.ID, PersonID: p.CustomerID})
		return err
	})
	if err != nil {
		return err
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneRemoved))
}
