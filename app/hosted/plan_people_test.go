package hosted_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/crm"
	plans "foyer/app/plan"
	"foyer/app/plan/rules"
)

// TestSharedPlan: who can book with the plan of another customer sees it under My plans, without its price, its
// payments and its history, and books with it. Who pays for it sees who is on it, and removes them.
func TestSharedPlan(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.PeopleMax, in.Freeze = 1, rules.Freeze{Allowed: true, MaxDays: 30}
	p := s.sellsPlan(t, in)
	s.visit(t).get("/shop/"+s.Location.Slug+"/plans/"+p.ID.String()).want(200, "Up to 1 other person can book with it.")
	ana, ben := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ben@example.com", "Ben Ruiz")
	ana.joins(p, apptest.CardGood)
	customer := apptest.Value[uuid.UUID](t, s.World, "select id from customers where email = 'ana@example.com'")
	list, err := s.Services.Plans.OfCustomer(t.Context(), s.Owner, customer)
	if err != nil {
		t.Fatal(err)
	}
	ben.get("/my/plans").want(200, "No active plans.")
	record, err := s.Services.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: "Ben Ruiz", Email: "ben@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	other := record.ID
	if _, err := s.Services.Plans.AddPerson(t.Context(), s.Owner, plans.PersonInput{
		CustomerID: customer, MembershipID: list[0].ID, PersonID: other,
	}); err != nil {
		t.Fatal(err)
	}
	s.rest(t)
	s.letter(t, "ben@example.com", "plan shared")
	ben.get("/my/plans").want(200, "Unlimited bookings", "Shared by Ana Ruiz.").
		lacks("$80", "Renews until you cancel it", "Freeze", "Cancel membership", "Details", "4242")
	ben.get("/my/plans/" + list[0].ID.String()).want(404)
	ben.get("/my/plans/" + list[0].ID.String() + "/freeze").want(404)
	ben.get("/my/plans/" + list[0].ID.String() + "/people/" + other.String()).want(404)

	page := ana.get(ana.get("/my/plans").link("Details")).want(200, "People on this plan", "Ben Ruiz")
	ask := ana.get(page.link("Remove")).want(200, "Remove Ben Ruiz?", "Bookings that it has paid for stay.")
	form := ask.form(other.String())
	form.post().wantTo("/my/plans/").follow().want(200, "They can no longer book with this plan.").
		lacks("People on this plan")
	form.post().wantTo("/my/plans/") // sent twice
	ben.get("/my/plans").want(200, "No active plans.")
	s.CheckBooks(t)
}
