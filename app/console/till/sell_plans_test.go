package till_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/plan"
	"foyer/policy"
)

// TestSellPlans: the front desk sells a plan beside goods, to a selected customer.
func TestSellPlans(t *testing.T) {
	s := consoletest.Open(t)
	v := mat(t, s, "Mat", 3)
	elsewhere := s.AddLocation(t, "Riverside")
	p := onSale(t, s, plan.CreateInput{Name: "10-class pack", Kind: plan.Pack, PriceAmount: 18000, CustomerMax: 1,
		LocationIDs: []uuid.UUID{s.Location.ID}, Benefits: []plan.Benefit{{Credits: new(10)}}})
	onSale(t, s, plan.CreateInput{Name: "Free class", Kind: plan.Comp, Benefits: []plan.Benefit{{Credits: new(1)}}})
	ada, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{
		Name: "Ada", Email: "ada@example.com", LocationID: s.Location.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID),
		apptest.At(policy.Viewer, elsewhere.ID))
	c.Get("/?at=" + s.Location.Slug)
	page := c.Get("/till/sell").Is(t, 200).Shows(t, "10-class pack", "$180").Silent(t, "Free class", "Charge")
	c.Get(link(t, page, "plan="+p.ID.String())).Is(t, 200).
		Shows(t, "Select the customer who gets the plan.", "Remove").Silent(t, "Charge")
	both := "/till/sell?line=" + v.ID.String() + ":1&plan=" + p.ID.String() + "&customer=" + ada.ID.String()
	page = c.Get(both).Is(t, 200).Shows(t, "Charge $192", "Ada")
	c.Get(link(t, page, "method=cash&plan="+p.ID.String())).Is(t, 200).Shows(t, "Charge $180")
	done := c.Send(page.Posts("/till/sell")).Is(t, 200).Shows(t, "Sold for $192", "View receipt")
	opensPayment(t, c, done)
	m, err := s.Plans.OfCustomer(t.Context(), s.Owner, ada.ID)
	if err != nil || len(m) != 1 || m[0].Grants[0].Balance != 10 {
		t.Fatalf("%+v: %v", m, err)
	}
	c.Get(both).Is(t, 200).Shows(t, "You have this plan already.").Silent(t, "Charge")
	c.Get("/till/sell?customer="+ada.ID.String()+"&plan="+uuid.NewString()).Is(t, 404)
}

func opensPayment(t *testing.T, c *consoletest.Client, done *consoletest.Page) {
	t.Helper()
	for _, to := range done.Links() {
		if len(to) > 36 && done.Link("/sales/"+to[len(to)-36:]) != "" {
			c.Get(to).Is(t, 200).Shows(t, "10-class pack", "Mat")
			return
		}
	}
	t.Error("no link to the payment")
}

func onSale(t *testing.T, s *consoletest.Studio, in plan.CreateInput) plan.Plan {
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
