package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/identity"
)

func (s *shop) invite(t testing.TB, email string) string {
	t.Helper()
	made, err := identity.CreateInvite(t.Context(), s.DB, email, "Hill Pilates")
	if err != nil {
		t.Fatal(err)
	}
	return "/invite/" + made.Token
}

// TestInvitedOwnerOpensAStudio signs in by code and needs nothing but a browser: names, place, and the page is live.
// A31, A32.
func TestInvitedOwnerOpensAStudio(t *testing.T) {
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.visit(t)
	start := v.get(path).want(200, "Set up your studio")
	if !strings.Contains(start.Body, `value="olga@example.com"`) {
		t.Error("the address of the invite is not filled in")
	}
	code := start.form(path).post("email", "olga@example.com").wantTo(path+"/code").follow().want(200, "olga@example.com")
	studio := code.form("/code").post("code", s.code(t, "olga@example.com", 0)).wantTo(path+"/studio").follow().want(200, "Your studio", "Step 2 of 3")
	if !strings.Contains(studio.Body, `value="Hill Pilates"`) {
		t.Error("the name in the invite is not filled in")
	}
	studio.form("/studio").post("business", " ", "name", "Olga Hill").want(400, "Write the studio’s name", "There is a problem")
	v.get(path+"/studio").form("/studio").post("business", "Hill Pilates", "name", "").want(400, "Write a name")
	place := v.get(path+"/studio").form("/studio").post("business", "Hill Pilates", "name", "Olga Hill").wantTo(path+"/location?business=Hill+Pilates").follow().want(200, "Your first location", "Step 3 of 3")
	for _, want := range []string{`<option value="Europe/Lisbon"`, `<option value="EUR"`, `data-guess="zone"`} {
		if !strings.Contains(place.Body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	wrong := place.form("/location").post("location.name", "", "location.zone", "Mars/Olympus", "location.currency", "EUR").want(400, "There is a problem")
	if !strings.Contains(wrong.Body, `href="#location.zone"`) || !strings.Contains(wrong.Body, `href="#location.name"`) || strings.Contains(wrong.Body, "data-guess") {
		t.Error("the problems do not lead to their fields, or the choice is guessed over")
	}
	open := wrong.form("/location")
	first := open.post("location.name", "Old Town", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo(path + "/done?studio=hill-pilates")
	second := open.post("location.name", "Old Town", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo(path + "/done")
	if first.to() != second.to() || s.count(t, "businesses where name = 'Hill Pilates'") != 1 {
		t.Error("two clicks opened two studios")
	}
	done := first.follow().want(200, "Hill Pilates is open", "/old-town", "Three calls to try next", "/auth/challenges", "/auth/verify", "/api-keys", "olga@example.com")
	v.get(strings.TrimPrefix(done.link("/old-town"), s.URL)).want(200, "Nothing can be booked in the next two weeks")
	s.signedIn(t, "ben@example.com", "Ben Other").get(done.path()).want(404)
	s.visit(t).get(done.path()).wantTo("/my/sign-in")
}

// TestInvitesThatDoNotWork: used, expired and unknown look alike; somebody else's names whose it is and offers the way in.
func TestInvitesThatDoNotWork(t *testing.T) {
	s := open(t)
	path := s.invite(t, "olga@example.com")
	late := s.invite(t, "late@example.com")
	v := s.signedIn(t, "ben@example.com", "Ben Other")
	for _, step := range []string{"/studio", "/location?business=X"} {
		wrong := v.get(path+step).want(403, "This link was sent to another address", "olga@example.com", "ben@example.com")
		wrong.form("/leave").post().wantTo(path).follow().want(200, "Set up your studio")
		v = s.signedIn(t, "ben@example.com", "Ben Other")
	}
	s.visit(t).get(path + "/studio").wantTo(path)
	s.visit(t).get(path + "/code").wantTo(path)

	owner := s.signedIn(t, "olga@example.com", "Olga Hill")
	owner.get(path).wantTo(path + "/studio")
	owner.get(path + "/location").wantTo(path + "/studio")
	form := owner.get(path + "/location?business=Hill").form("/location")
	form.post("location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo(path + "/done")
	again := owner.get("/my").form("/sign-out") // any form of this browser has a token
	again.Action = path + "/location"
	again.post("business", "Second", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").want(404, "This link no longer works")
	owner.get(path).want(404, "This link no longer works")

	s.Clock.Advance(identity.InviteLife + time.Minute)
	for _, gone := range []string{late, path, "/invite/unknown", late + "/studio", "/invite/" + strings.Repeat("A", 43)} {
		s.visit(t).get(gone).want(404, "This link no longer works").lacks("olga", "late@")
	}
}

// TestOpeningWithAnothersInvite is refused in the last step, too: the session decides, not the link.
func TestOpeningWithAnothersInvite(t *testing.T) {
	s := open(t)
	path := s.invite(t, "olga@example.com")
	v := s.signedIn(t, "ben@example.com", "Ben Other")
	form := v.get("/my").form("/sign-out")
	form.Action = path + "/location"
	form.post("business", "Stolen", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").want(403, "This link was sent to another address")
	nobody := s.visit(t)
	door := nobody.get(path).form(path)
	door.Action = path + "/location"
	door.post("business", "Stolen", "location.name", "Hill", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo(path)
	if n := s.count(t, "businesses where name = 'Stolen'"); n != 0 {
		t.Errorf("%d businesses were opened", n)
	}
}
