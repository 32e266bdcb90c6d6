package settings_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// memberOf returns a member as the owner sees them.
func memberOf(t *testing.T, s *consoletest.Studio, email string) business.Member {
	t.Helper()
	id := apptest.Value[uuid.UUID](t, s.World, "select id from members where email = $1", email)
	m, err := s.Services.Business.Member(t.Context(), s.Owner, id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// last returns the last form of a page: the undo, after a form of the same address.
func last(t *testing.T, p *consoletest.Page, suffix string) *consoletest.Form {
	t.Helper()
	all := p.Forms(suffix)
	if len(all) == 0 {
		t.Fatalf("%s has no form to %q", p.URL.Path, suffix)
	}
	return all[len(all)-1]
}

// TestSomebodyIsAddedAtOnePlace: a member with a role at one location is limited to it.
func TestSomebodyIsAddedAtOnePlace(t *testing.T) {
	s := consoletest.Open(t)
	other := s.AddLocation(t, "Riverside")
	owner := s.As(t, consoletest.Owner)
	page := owner.Send(owner.Get("/settings/team/new").Is(t, 200).Form("/team/new"), "email", "no address").Is(t, 400)
	page.Shows(t, "There is a problem", "Enter an e-mail address, like name@example.com")
	page = owner.Send(page.Form("/team/new"), "email", "mia@team.example.com", "name", "Mia Lund", "at-manager", s.Location.ID.String()).Is(t, 200)
	page.Shows(t, "Added Mia Lund to the team. They are notified by e-mail.", "Manager at "+s.Location.Name)
	m := memberOf(t, s, "mia@team.example.com")
	if len(m.Access.Roles) != 1 || m.Access.Roles[0].Role != policy.Manager || *m.Access.Roles[0].LocationID != s.Location.ID || m.Bookable {
		t.Fatalf("%+v", m)
	}
	owner.Send(owner.Get("/settings/team/new").Form("/team/new"), "email", "mia@team.example.com").Is(t, 200).Shows(t, "This person is already on the team.")
	owner.Get("/settings/team?location="+other.ID.String()).Is(t, 200).Silent(t, "Mia Lund")
	owner.Get("/settings/team?role=manager").Is(t, 200).Shows(t, "Mia Lund")

	mia := s.SignedIn(t, "mia@team.example.com")
	mia.Get("/settings/places/"+s.Location.ID.String()+"/hours").Is(t, 200)
	mia.Get("/settings/places/"+other.ID.String()+"/hours").Is(t, 403)
	mia.Get("/settings/team/new").Is(t, 403)
	page = mia.Get("/settings/team/"+m.ID.String()).Is(t, 200)
	if page.Has("/roles") || page.Has("/deactivate") || len(page.Forms("/settings/team/"+m.ID.String())) > 0 {
		t.Error("a manager is shown how to change the team")
	}
	mia.Get("/settings/team/"+m.ID.String()+"/roles").Is(t, 403)
	mia.Get("/settings/team").Is(t, 200).Silent(t, s.Owner.Email)
}

func TestRolesOfSomebody(t *testing.T) {
	s := consoletest.Open(t)
	s.Join(t, "mia@team.example.com", apptest.Everywhere(policy.FrontDesk))
	m := memberOf(t, s, "mia@team.example.com")
	owner := s.As(t, consoletest.Owner)
	path := "/settings/team/" + m.ID.String()
	stale := owner.Get(path+"/roles").Is(t, 200).Form("/roles")
	if got := stale.Values["at-front_desk"]; len(got) != 1 || got[0] != "everywhere" {
		t.Fatalf("the form has %v", stale.Values)
	}
	page := owner.Send(owner.Get(path+"/roles").Form("/roles"), "at-front_desk", "", "at-viewer", s.Location.ID.String(), "at-instructor", "everywhere").Is(t, 200)
	page.Shows(t, "They apply from the next page.")
	if got := memberOf(t, s, m.Access.Email); len(got.Access.Roles) != 2 {
		t.Fatalf("%+v", got.Access.Roles)
	}
	owner.Send(last(t, page, "/roles")).Is(t, 200)
	if got := memberOf(t, s, m.Access.Email).Access.Roles; len(got) != 1 || got[0].Role != policy.FrontDesk {
		t.Fatalf("after undo: %+v", got)
	}
	page = owner.Send(stale, "at-front_desk", "", "at-marketer", "everywhere").Is(t, 409)
	page.Shows(t, "Another user changed this while you were editing", "Current value: Whole business", "Current value: empty")
	owner.Send(page.Form("/roles")).Is(t, 200)
	if got := memberOf(t, s, m.Access.Email).Access.Roles; len(got) != 1 || got[0].Role != policy.Marketer {
		t.Fatalf("saved again: %+v", got)
	}
}

// TestTheLastOwnerStays: neither their role nor their access can be revoked; an admin changes no owner, and makes
// none.
func TestTheLastOwnerStays(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	me := memberOf(t, s, s.Owner.Email)
	path := "/settings/team/" + me.ID.String()
	owner.Send(owner.Get(path+"/roles").Form("/roles"), "at-owner", "", "at-admin", "everywhere").Is(t, 409).Shows(t, "A business needs an owner.")
	page := owner.Get(path+"/deactivate").Is(t, 200).Shows(t, "This is you: your own access ends immediately")
	owner.Send(page.Form("/deactivate")).Is(t, 409).Shows(t, "A business needs an owner.")

	admin := s.As(t, policy.Admin)
	page = admin.Get(path).Is(t, 200)
	if page.Has("/roles") || page.Has("/deactivate") {
		t.Error("an admin is shown how to change an owner")
	}
	admin.Get(path+"/roles").Is(t, 403)
	admin.Get(path+"/deactivate").Is(t, 403)
	form := admin.Get("/settings/team/new").Form("/team/new")
	if strings.Contains(admin.Get("/settings/team/new").Body, `name="at-owner"`) {
		t.Error("an admin is shown the role of an owner")
	}
	admin.Send(form, "email", "new@team.example.com", "at-owner", "everywhere").Is(t, 403)
}

func TestSomebodyIsDeactivatedAndComesBack(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/team/" + f.Member.ID.String()
	page := owner.Get(path+"/deactivate").Is(t, 200)
	page.Shows(t, "Customers can no longer book them", "dates in the next 45 days stay assigned to them", "people are booked on these dates and stay booked", "Deactivate Ana Ruiz")
	page = owner.Send(page.Form("/deactivate")).Is(t, 200).Shows(t, "Deactivated Ana Ruiz.", "Deactivated")
	owner.Get("/settings/team").Silent(t, "Ana Ruiz")
	owner.Get("/settings/team?show=deactivated").Shows(t, "Ana Ruiz")
	owner.Send(page.Form("/reactivate")).Is(t, 200).Shows(t, "Reactivated Ana Ruiz.")
	owner.Get("/settings/team").Shows(t, "Ana Ruiz")
}

func TestDetailsOfSomebody(t *testing.T) {
	s := consoletest.Open(t)
	s.Join(t, "mia@team.example.com")
	m := memberOf(t, s, "mia@team.example.com")
	owner := s.As(t, consoletest.Owner)
	path := "/settings/team/" + m.ID.String()
	stale := owner.Get(path).Form(path)
	owner.Send(owner.Get(path).Form(path), "dailyCap", "a few").Is(t, 400).Shows(t, "Enter a whole number, or leave it empty.")
	owner.Send(owner.Get(path).Form(path), "dailyCap", "0").Is(t, 400)
	owner.Send(owner.Get(path).Form(path), "name", "Mia", "bookable", "", "dailyCap", "5", "weeklyCap", "20").Is(t, 200).Shows(t, "Saved Mia.", "Cannot book them")
	page := owner.Send(stale, "name", "Mia L").Is(t, 409).Shows(t, "Current value: Mia", "Current value: not selected", "Current value: 5")
	owner.Send(page.Form(path)).Is(t, 200).Shows(t, "Saved Mia L.")

	foreign := s.World.Studio(t)
	theirs := apptest.Value[uuid.UUID](t, s.World, "select id from members where business_id = $1", foreign.Business.ID)
	unknown := owner.Get("/settings/team/01900000-0000-7000-8000-000000000000").Is(t, 404).Text()
	for _, rest := range []string{"", "/roles", "/hours", "/away", "/away/new", "/deactivate"} {
		if got := owner.Get("/settings/team/"+theirs.String()+rest).Is(t, 404).Text(); got != unknown {
			t.Errorf("a person of another business looks unlike nobody: %s", got)
		}
	}
}

// TestWhatRolesMayDo: every member may read the table; the numbers link to the members counted.
func TestWhatRolesMayDo(t *testing.T) {
	s := consoletest.Open(t)
	s.Join(t, "mia@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/settings/team/roles").Is(t, 200)
	page.Shows(t, "Front desk", "up to the refund limit of the business", "the sessions they teach", "Closing the business")
	owner.Get("/settings/team?role=front_desk").Shows(t, "Front desk at "+s.Location.Name).Silent(t, s.Owner.Email+" Owner")
	s.As(t, policy.Viewer).Get("/settings/team/roles").Is(t, 200).Shows(t, "Yours").Silent(t, "1 person")
}
