package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/web"
	"foyer/policy"
)

// TestSignInByCode: from an address of the console through the sign-in back to it; a wrong code is an error at its
// field.
func TestSignInByCode(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	s.Join(t, "mia@team.example.com", apptest.Everywhere(policy.Manager))
	c := s.Visitor(t)
	page := c.Get("/customers?q=ana").Is(t, 200).Shows(t, "Sign in to your studio")
	page = c.Send(page.Form("/sign-in"), "email", "no address").Is(t, 400)
	page.Shows(t, "There is a problem")
	code := s.NextCode(t, "mia@team.example.com", func() {
		page = c.Send(page.Form("/sign-in"), "email", "mia@team.example.com").Is(t, 422)
	})
	page.Shows(t, "mia@team.example.com", "Enter your code")
	page = c.Send(page.Form("/code"), "code", "000000").Is(t, 400)
	page.Shows(t, "This code is not valid")
	page = c.Send(page.Form("/code"), "code", code).Is(t, 200)
	if page.URL.Path != "/manage/"+s.Studio.Business.Slug+"/customers" || page.URL.Query().Get("q") != "ana" {
		t.Errorf("the sign-in ends at %s", page.URL)
	}
	page = c.Send(page.Form("/manage/sign-out"))
	page.Shows(t, "Sign in to your studio")
	c.Get("").Shows(t, "Sign in to your studio")
}

// TestLock: a locked device shows nothing, and a code unlocks it on the same page.
func TestLock(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	s.Join(t, "desk@team.example.com", apptest.Everywhere(policy.FrontDesk))
	c := s.SignedIn(t, "desk@team.example.com")
	page := c.Send(c.Get("/customers").Form("/manage/lock")).Shows(t, "This device is locked")
	c.Get("").Shows(t, "This device is locked").Silent(t, "Arriving")
	page = c.Get(page.URL.RequestURI())
	if got := page.Form("/sign-in").Values.Get("email"); got != "desk@team.example.com" {
		t.Errorf("the address is %q", got)
	}
	code := s.NextCode(t, "desk@team.example.com", func() { page = c.Send(page.Form("/sign-in")) })
	page = c.Send(page.Form("/code"), "code", code)
	if !strings.HasSuffix(page.URL.Path, "/customers") {
		t.Errorf("it opens on %s", page.URL)
	}
}

// TestWhatWasTypedSurvives: a session that ended during input leads through a sign-in back to the form as typed.
func TestWhatWasTypedSurvives(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	s.Join(t, "mia@team.example.com", apptest.Everywhere(policy.Manager))
	c := s.SignedIn(t, "mia@team.example.com")
	form := c.Get("/customers/new").Is(t, 200).Form("/customers/new")
	p, err := s.Identity.Authenticate(t.Context(), c.Session())
	if err == nil {
		err = s.Identity.LogoutEverywhere(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
	page := c.Send(form, "name", "Ana & Ben", "email", "ana@example.com").Is(t, 401)
	code := s.NextCode(t, "mia@team.example.com", func() { page = c.Send(page.Form("/sign-in"), "email", "mia@team.example.com") })
	page = c.Send(page.Form("/code"), "code", "999999")
	page = c.Send(page.Form("/code"), "code", code).Shows(t, "You are signed in again", "Nothing has been saved yet")
	form = page.Form("/customers/new")
	if form.Values.Get("name") != "Ana & Ben" || form.Values.Get("email") != "ana@example.com" {
		t.Errorf("the form has %v", form.Values)
	}
	if n := apptest.Value[int](t, s.World, "select count(*) from customers where name = 'Ana & Ben'"); n != 0 {
		t.Errorf("it was saved already")
	}
	c.Send(form).Is(t, 200).Shows(t, "Ana & Ben")
}

// TestAddresses: unknown records, another business's, and locations without a role.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	other := s.World.Studio(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/manage/no-such-studio").Is(t, 404).Shows(t, "Page not found")
	c.Get("/manage/"+other.Business.Slug).Is(t, 403).Shows(t, "You are not on this team")
	c.Get("/manage/"+s.Location.Slug).Is(t, 404)
	c.Get("/bookings/no-id").Is(t, 404)
	if got := c.Get("/manage"); !strings.HasSuffix(got.URL.Path, s.Studio.Business.Slug) {
		t.Errorf("somebody with one business comes to %s", got.URL)
	}
	c.Get("/manage?all=1").Is(t, 200).Shows(t, "Your businesses", s.Studio.Business.Name)
	for _, to := range []string{"https://elsewhere.example", "//elsewhere.example", "/my", "/manage\\..", "/managed"} {
		if got := c.Get("/manage/sign-in?to=" + url.QueryEscape(to)); got.URL.Host != strings.TrimPrefix(s.URL, "http://") || !strings.HasPrefix(got.URL.Path, "/manage/") {
			t.Errorf("to=%s leads to %s", to, got.URL)
		}
	}
}

// TestRoleTakenAway: a page that was opened before a role was revoked has no effect any more.
func TestRoleTakenAway(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.Member(t, "mia@team.example.com", apptest.Everywhere(policy.FrontDesk))
	form := c.Get("/customers/new").Form("/customers/new")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from members where email = 'mia@team.example.com'")
	if _, err := s.Services.Business.Deactivate(t.Context(), s.Owner, id); err != nil {
		t.Fatal(err)
	}
	c.Send(form, "name", "Ana").Is(t, http.StatusForbidden).Shows(t, "You are not on this team")
}

// TestFormSentTwice: a double click has one effect, and both presses get its response.
func TestFormSentTwice(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	c := s.As(t, consoletest.Owner)
	form := c.Get("/customers/new").Form("/customers/new")
	for range 2 {
		c.Send(form, "name", "Ana Twice").Is(t, 200).Shows(t, "Ana Twice")
	}
	if n := apptest.Value[int](t, s.World, "select count(*) from customers where name = 'Ana Twice'"); n != 1 {
		t.Errorf("%d customers", n)
	}
	c.Post("/customers/new", url.Values{web.FieldToken: {c.Token()}, web.FieldKey: {"short"}}).Is(t, http.StatusForbidden)
}
