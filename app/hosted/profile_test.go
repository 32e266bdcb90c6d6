package hosted_test

import (
	"strings"
	"testing"
)

// TestProfile: name, phone and language are changed on a page of their own, linked from My bookings; the address is
// not. Signing out everywhere ends this session too, and no other person's.
func TestProfile(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.visit(t).get("/my/profile").wantTo("/my/sign-in")
	v, other, bo := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "bo@example.com", "Bo")
	my := v.get("/my").want(200, "Your profile")
	page := v.get(my.link("Your profile")).want(200, "ana@example.com", "The studio’s language", "Deutsch", "Português", "This browser", "Another browser")
	page.form("/my/profile").post("name", "", "phone", "x", "locale", "de").want(400, "Enter a name of at most 120 characters, on one line", "Enter a phone number, like +1 555 010 9999")
	saved := page.form("/my/profile").post("name", "Ana María", "phone", "+351 21 000 0000", "locale", "de").wantTo("/my/profile").follow()
	saved.want(200)
	for _, value := range []string{`value="Ana María"`, `value="+351 21 000 0000"`, `<option value="de" selected>`} {
		if !strings.Contains(saved.Body, value) {
			t.Errorf("the page lacks %s: %s", value, saved.Body)
		}
	}
	if got := s.count(t, "persons where email = 'ana@example.com' and name = 'Ana María' and locale = 'de'"); got != 1 {
		t.Errorf("%d profiles are as they were saved", got)
	}
	again := v.get("/my/profile").form("/my/profile")
	again.post("name", "Ana", "phone", "", "locale", "").wantTo("/my/profile")
	if got := s.count(t, "persons where email = 'ana@example.com' and name = 'Ana' and locale = '' and phone = ''"); got != 1 {
		t.Errorf("%d profiles are as they were saved last", got)
	}
	v.get("/my/profile").form("/sign-out").post().wantTo("/my/sign-in")
	v.get("/my").wantTo("/my/sign-in")
	other.get("/my").wantTo("/my/sign-in")
	bo.get("/my").want(200, "bo@example.com")
}
