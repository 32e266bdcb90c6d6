package customers_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/billing/tender"
)

// TestPlanPeople: staff add another customer to a plan and remove them; the page of that customer lists the plan as a
// shared one.
func TestPlanPeople(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	p := published(t, s, plan.CreateInput{
		Name: "Family pack", Kind: plan.Pack, PriceAmount: 18000, Benefits: []plan.Benefit{{Credits: new(10)}}, PeopleMax: 1,
	})
	if _, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, CustomerID: ids["Ada"], Tenders: owed.Pays(tender.Cash),
	}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans.OfCustomer(t.Context(), s.Owner, ids["Ada"])
	if err != nil {
		t.Fatal(err)
	}
	kim, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Kim Lovelace", Email: "kim@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	one := "/customers/" + ids["Ada"].String() + "/plans/" + list[0].ID.String()
	page := owner.Get(one).Is(t, 200).Shows(t, "Up to 1 other person can book with it.", "Add person")
	owner.Get(page.Link(one+"/people")).Is(t, 200).Shows(t, "Add a person to Family pack", "Name, e-mail or phone")
	owner.Get(one+"/people?q=nobody").Is(t, 200).Shows(t, "No customers match.")
	form := owner.Get(one+"/people?q=kim").Is(t, 200).Shows(t, "Kim Lovelace").Posts(one + "/people")
	page = owner.Send(form).Is(t, 200).Shows(t, "can book with Family pack now.", "Kim Lovelace").Silent(t, "Add person")
	owner.Send(form).Is(t, 200) // sent twice
	owner.Get("/customers/"+kim.ID.String()).Is(t, 200).Shows(t, "Family pack", "10 credits left", "Shared by Ada")
	owner.Get("/customers/"+kim.ID.String()+"/plans/"+list[0].ID.String()).Is(t, 404)
	owner.Send(page.Posts(one+"/people/remove")).Is(t, 200).Shows(t, "Removed the person from Family pack.", "Add person")
	owner.Get("/customers/"+kim.ID.String()).Is(t, 200).Silent(t, "Family pack")
}

// TestTransferPlan: staff give what is left of a plan to another customer, and its history names the transfer.
func TestTransferPlan(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	m := soldPack(t, s, ids["Ada"])
	kim, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Kim Lovelace", Email: "kim@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	one := "/customers/" + ids["Ada"].String() + "/plans/" + m.ID.String()
	page := owner.Get(one).Is(t, 200)
	owner.Get(page.Link(one+"/transfer")).Is(t, 200).Shows(t, "Transfer 10-class pack", "Nothing is charged.")
	form := owner.Get(one+"/transfer?q=kim").Is(t, 200).Shows(t, "Kim Lovelace").Posts(one + "/transfer")
	owner.Send(form).Is(t, 200).Shows(t, "Transferred 10-class pack to Kim Lovelace.", "Transferred", "From Ada",
		"10 credits left")
	owner.Send(form).Is(t, 200) // sent twice
	owner.Get("/customers/"+ids["Ada"].String()).Is(t, 200).Silent(t, "10-class pack")
	owner.Get("/customers/"+kim.ID.String()).Is(t, 200).Shows(t, "10-class pack")

	now := s.Clock.Now().Format("2006-01-02")
	one = "/customers/" + kim.ID.String() + "/plans/" + m.ID.String()
	freeze := owner.Get(one+"/freeze?startsOn="+now).Is(t, 200).Posts(one + "/freeze")
	owner.Send(freeze).Is(t, 200).Silent(t, "Transfer…")
	owner.Get(one+"/transfer").Is(t, 200).Shows(t, "End the freeze of this plan first.").Silent(t, "Name, e-mail or phone")
}
