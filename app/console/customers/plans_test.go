package customers_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/billing/tender"
	"foyer/policy"
)

// published makes a plan and puts it on sale.
func published(t *testing.T, s *consoletest.Studio, in plan.CreateInput) plan.Plan {
	t.Helper()
	p, err := s.Plans.Create(t.Context(), s.Owner, in)
	if err == nil {
		p, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// soldPack sells a pack of ten credits to a customer, for cash.
func soldPack(t *testing.T, s *consoletest.Studio, customer uuid.UUID) plan.Membership {
	t.Helper()
	p := published(t, s, plan.CreateInput{
		Name: "10-class pack", Kind: plan.Pack, PriceAmount: 18000, Benefits: []plan.Benefit{{Credits: new(10)}},
		Validity: plan.Validity{Count: 3, Unit: rules.Month},
	})
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: customer, Tenders: owed.Pays(tender.Cash),
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, customer)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestPlans: a customer's page has their plans, with what is left and until when; credits are adjusted with a reason,
// the last day is changed, and a plan whose price is not used is refunded instead of ended.
func TestPlans(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	owner.Get(at).Is(t, 200).Shows(t, "No plans.", "Sell plan", "Give complimentary plan")
	m := soldPack(t, s, ids["Ada"])
	page := owner.Get(at).Is(t, 200).Shows(t, "10-class pack", "10 credits left", "Valid until", "Active")
	one := at + "/plans/" + m.ID.String()
	page = owner.Get(page.Link(one)).Is(t, 200).
		Shows(t, "10 credits for all bookings", "Sold on", "Credits added", "+10", "Adjust credits",
			"Change last day", "End plan…")
	form := page.Posts(one + "/credits")
	owner.Send(form, "credits", "2", "note", "").Is(t, 400).Shows(t, "Enter a reason.")
	owner.Send(form, "credits", "two", "note", "x").Is(t, 400).Shows(t, "Enter a number of credits from 1 to 10000.")
	owner.Send(form, "credits", "11", "way", "take", "note", "x").Is(t, 409).Shows(t, "There are not enough credits left.")
	owner.Send(form, "credits", "2", "note", "The heating was off").Is(t, 200).
		Shows(t, "Adjusted. 12 credits left.", "The heating was off", "+2")
	owner.Send(form, "credits", "2", "note", "The heating was off").Is(t, 200) // sent twice
	page = owner.Get(one)
	owner.Send(page.Posts(one+"/credits"), "credits", "5", "way", "take", "note", "wrong Ada").Is(t, 200).
		Shows(t, "Adjusted. 7 credits left.", "−5")
	owner.Send(page.Posts(one+"/extend"), "lastDay", "2020-01-01").Is(t, 409).Shows(t, "Another user changed this")
	page = owner.Get(one)
	owner.Send(page.Posts(one+"/extend"), "lastDay", "2020-01-01").Is(t, 400).Shows(t, "Choose a day in the future.")
	day := s.Clock.Now().AddDate(1, 0, 0).Format(time.DateOnly)
	owner.Send(page.Posts(one+"/extend"), "lastDay", day).Is(t, 200).Shows(t, "Last day of 10-class pack:")
	owner.Get(page.Link("/end")).Is(t, 200).
		Shows(t, "$180.00 of its price is not used. Refund its payment instead", "Payments")

	front := s.As(t, policy.FrontDesk)
	front.Get(at).Is(t, 200).Shows(t, "10-class pack", "7 credits left")
	front.Get(one).Is(t, 200).Shows(t, "wrong Ada").Silent(t, "Adjust credits")
	front.Send(owner.Get(one).Posts(one+"/credits"), "credits", "1", "note", "x").Is(t, 403)
	s.As(t, policy.Instructor).Get(one).Is(t, 403)
	owner.Get(at+"/plans/"+uuid.NewString()).Is(t, 404)
	owner.Get("/customers/"+ids["Ben"].String()+"/plans/"+m.ID.String()).Is(t, 404)
}

// TestComplimentaryPlan: a published complimentary plan is given, and ended, by roles that manage plans of customers.
func TestComplimentaryPlan(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	page := owner.Get(at)
	owner.Get(page.Link(at+"/plans/give")).Is(t, 200).Shows(t, "No complimentary plan is published.")
	published(t, s, plan.CreateInput{Name: "Free class", Kind: plan.Comp, Benefits: []plan.Benefit{{Credits: new(1)}}})
	form := owner.Get(at+"/plans/give").Is(t, 200).Shows(t, "Free class").Posts("/give")
	form.Values.Set("planId", apptest.Value[string](t, s.World, "select id::text from plans"))
	owner.Send(form).Is(t, 200).Shows(t, "Gave Free class.", "1 credit left", "No end date")
	owner.Send(form).Is(t, 200) // sent twice
	m, err := s.Plans.OfCustomer(t.Context(), s.Owner, ids["Ada"])
	if err != nil || len(m) != 1 {
		t.Fatalf("%d plans: %v", len(m), err)
	}
	one := at + "/plans/" + m[0].ID.String()
	end := owner.Get(one+"/end").Is(t, 200).Shows(t, "End Free class?", "Bookings that it has paid for stay.")
	owner.Send(end.Posts("/end")).Is(t, 200).Shows(t, "Ended Free class.", "Ended").
		Silent(t, "Change last day", "End plan")
	owner.Send(end.Posts("/end")).Is(t, 200) // sent twice
	owner.Get(one+"/end").Is(t, 409)
	s.As(t, policy.Viewer).Get(at).Silent(t, "Give complimentary plan", "Sell plan")
}
