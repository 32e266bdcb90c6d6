package bookings_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/billing/tender"
	"foyer/policy"
)

// soldPlan sells a plan to a customer for cash, and returns the grant of its benefit.
func soldPlan(t *testing.T, s *consoletest.Studio, customer uuid.UUID, in plan.CreateInput) uuid.UUID {
	t.Helper()
	p, err := s.Plans.Create(t.Context(), s.Owner, in)
	if err == nil {
		p, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: customer, Tenders: owed.Pays(tender.Cash),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, customer)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.PlanID == p.ID {
			return m.Grants[0].ID
		}
	}
	t.Fatal("the customer does not have it")
	return uuid.Nil
}

// TestTakeWithPlan: the desk pays for a booking with a plan of its customer; one that does not cover it has a reason; a
// cancellation returns the credit.
func TestTakeWithPlan(t *testing.T) {
	s := consoletest.Open(t)
	b := dueAtDesk(t, s)
	c := s.As(t, policy.FrontDesk)
	at := "/bookings/" + b.ID.String()
	c.Get(at+"/take").Is(t, 200).Silent(t, "credits left")
	c.Get(at+"/take?method=plan_credit."+uuid.Nil.String()).Is(t, 200).
		Shows(t, "The customer has no plan that pays for this booking.").Silent(t, "Pay with")
	pack := soldPlan(t, s, b.CustomerID, plan.CreateInput{
		Name: "10-class pack", Kind: plan.Pack, PriceAmount: 18000, Benefits: []plan.Benefit{{Credits: new(10)}},
	})
	sauna := soldPlan(t, s, b.CustomerID, plan.CreateInput{
		Name: "Sauna pack", Kind: plan.Pack, PriceAmount: 5000,
		Benefits: []plan.Benefit{{Credits: new(5), Kinds: []catalog.Kind{catalog.Rental}}},
	})
	c.Get(at+"/take").Is(t, 200).
		Shows(t, "10-class pack, 10 credits left", "Sauna pack, 5 credits left", "Take $22.00 in cash")
	c.Get(at+"/take?method=plan_credit."+sauna.String()).Is(t, 200).
		Shows(t, "This plan does not pay for this booking: Does not cover this booking.").Silent(t, "Pay with")
	page := c.Get(at+"/take?method=plan_credit."+pack.String()).Is(t, 200).
		Shows(t, "Evening Flow", "Paid with 10-class pack", "Pay with 10-class pack").Silent(t, "Note", "Amount")
	form := page.Posts(at + "/take")
	c.Send(form).Is(t, 200).Shows(t, "Ada Lovelace has paid with 10-class pack.").Silent(t, "Take $22.00…")
	c.Send(form).Is(t, 200) // sent twice
	c.Get(at+"/take").Is(t, 200).Shows(t, "This booking has no balance due.")
	customer := "/customers/" + b.CustomerID.String()
	c.Get(customer).Is(t, 200).Shows(t, "9 credits left")

	cancel := c.Get(at+"/cancel").Is(t, 200).Shows(t, "Returned to the plan: 1 credit of 10-class pack")
	c.Send(cancel.Posts(at+"/cancel")).Is(t, 200).Shows(t, "Returned to the plan: 1 credit of 10-class pack.")
	c.Get(customer).Is(t, 200).Shows(t, "10 credits left")
}
