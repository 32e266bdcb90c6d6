package hosted_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/app/web/op"
)

// TestSigningIn to My bookings: wrong address, wrong code, a second code, the right one, and out again. A34 to A38.
func TestSigningIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	door := v.get("/my").wantTo("/my/sign-in").follow().want(200, "Your e-mail", "No password")
	wrong := door.form("/my/sign-in").post("email", "ana at example").want(400, "There is a problem", "Enter an e-mail address, like name@example.com")
	if !strings.Contains(wrong.Body, `value="ana at example"`) || !strings.Contains(wrong.Body, `href="#email"`) {
		t.Error("the form forgets what was typed, or the problem does not lead to the field")
	}
	code := wrong.form("/my/sign-in").post("email", "ana@example.com").wantTo("/my/sign-in/code").follow().want(200, "ana@example.com", "Send a new code")
	code.form("/code").post("code", "12").want(400, "This code is not valid")

	early := code.form("/resend").post().want(400, "A code is on its way", "30 seconds")
	first := s.code(t, "ana@example.com", 0)
	s.Clock.Advance(31 * time.Second)
	early.form("/resend").post().wantTo("/my/sign-in/code")
	second := s.code(t, "ana@example.com", 1)
	form := v.get("/my/sign-in/code").want(200).form("/code")
	if first != second {
		form.post("code", first).want(400, "This code is not valid")
	}
	in := form.post("code", " "+second[:3]+" "+second[3:]+" ").wantTo("/my")
	in.follow().want(200, "My bookings", "Signed in as ana@example.com", "No upcoming bookings")
	v.get("/my/sign-in").wantTo("/my")
	v.get("/my/sign-in/code").wantTo("/my/sign-in")

	session := v.cookie("foyer_session")
	v.get("/my").form("/sign-out").post().wantTo("/my/sign-in")
	if v.cookie("foyer_session") != "" {
		t.Error("the browser keeps the session")
	}
	v.setCookie("foyer_session", session)
	v.get("/my").wantTo("/my/sign-in")
}

// TestWantedPage: a page of one's own is opened after the sign-in. A cookie that names any other path leads to My
// bookings.
func TestWantedPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i, x := range [][2]string{
		{"", "/my/plans"}, {"/manage", "/my"}, {"//evil.example", "/my"}, {"/my/../manage", "/my"},
		{"/my//evil.example", "/my"}, {"https://evil.example/my/plans", "/my"}, {"/my/plans?next=/manage", "/my"},
	} {
		wanted, to, address := x[0], x[1], fmt.Sprintf("ana%d@example.com", i)
		v := s.visit(t)
		v.get("/my/plans").wantTo("/my/sign-in")
		if wanted != "" {
			v.setCookie("foyer_wanted", wanted)
		}
		code := v.get("/my/sign-in").form("/my/sign-in").post("email", address).follow()
		code.form("/code").post("code", s.code(t, address, 0)).wantTo(to)
	}
}

// TestCodeFromTheStudio: the code of a sign-in that began on a studio's pages, or in its booking frame, comes from
// the studio, and that of one on the product's own pages from the product.
func TestCodeFromTheStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SQL(t, "update locations set accent = '#0b7285'")
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	for name, c := range map[string]struct {
		ask  func(v *visitor) *page
		from string
	}{
		"product": {func(v *visitor) *page { return v.get("/my/sign-in") }, ""},
		"my":      {func(v *visitor) *page { return v.get("/my?at=" + s.Location.Slug).follow() }, "Harbour Yoga"},
		"cart":    {func(v *visitor) *page { return v.choose(yoga, 0).follow() }, "Harbour Yoga"},
		"the frame": {func(v *visitor) *page {
			return v.enter(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa").post().follow()
		}, "Harbour Yoga"},
	} {
		email := strings.ReplaceAll(name, " ", "") + "@example.com"
		v := s.visit(t)
		if name == "the frame" {
			v = s.frame(t)
		}
		door := c.ask(v).want(200, "Your e-mail")
		door.form("/sign-in").post("email", email)
		s.code(t, email, 0)
		m := s.Mail.List(email)[0]
		if accent := map[bool]string{true: "#0b7285"}[c.from != ""]; m.From != c.from || m.HTML != accent {
			t.Errorf("%s: from %q in %q, want %q in %q", name, m.From, m.HTML, c.from, accent)
		}
	}
}

// TestCodeEnds after ten minutes and after five tries.
func TestCodeEnds(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	code := v.get("/my/sign-in").form("/my/sign-in").post("email", "ana@example.com").follow()
	right := s.code(t, "ana@example.com", 0)
	for range 5 {
		code = code.form("/code").post("code", "000000").want(400, "This code is not valid")
	}
	code.form("/code").post("code", right).want(400, "This code is not valid")
}

// TestCodeCookieOfOthers: a browser with an invalid code cookie is sent to the first step.
func TestCodeCookieOfOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, value := range []string{"x", base64.RawURLEncoding.EncodeToString([]byte(`{"c":"nobody","e":"a@b.example"}`)),
		base64.RawURLEncoding.EncodeToString([]byte(`{"c":"0190a1b2-0000-7000-8000-0000000000ff","e":"<script>"}`))} {
		v := s.visit(t)
		v.setCookie("foyer_challenge", value)
		v.get("/my/sign-in/code").wantTo("/my/sign-in")
	}
}

// TestSessionCookies: on https bound to the host and Secure, HttpOnly and Lax everywhere.
func TestSessionCookies(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	code := v.get("/my/sign-in").form("/my/sign-in").post("email", "ana@example.com").follow()
	set := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo("/my").Header.Values("Set-Cookie")
	if got := strings.Join(set, "\n"); !strings.Contains(got, "foyer_session=") || !strings.Contains(got, "HttpOnly") || !strings.Contains(got, "SameSite=Lax") {
		t.Errorf("Set-Cookie: %s", got)
	}
	secure := open(t, func(p *plan) { p.Base = "https://book.example" })
	got := strings.Join(secure.visit(t).get("/my/sign-in").want(200).Header.Values("Set-Cookie"), "\n")
	if !strings.Contains(got, "__Host-foyer_visitor=") || !strings.Contains(got, "secure") {
		t.Errorf("on https: %s", got)
	}
}

// TestKnownDevice: a browser with an earlier sign-in has an allowance of its own, also after signing out, so that
// others in the same network cannot lock its user out.
func TestKnownDevice(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	code := v.get("/my/sign-in").form("/my/sign-in").post("email", "ana@example.com").follow()
	in := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo("/my")
	if set := strings.Join(in.Header.Values("Set-Cookie"), "\n"); !regexp.MustCompile(`(?m)^foyer_device=[\w-]{43}; .*HttpOnly; SameSite=Lax`).MatchString(set) {
		t.Errorf("Set-Cookie: %s", set)
	}
	in.follow().form("/sign-out").post().wantTo("/my/sign-in")
	ask := func(v *visitor, email string) *page {
		return v.get("/my/sign-in").form("/my/sign-in").post("email", email)
	}
	other := s.visit(t)
	for n := range 11 {
		if got := ask(other, "ana@example.com"); got.Status == 429 {
			break
		} else if n == 10 {
			t.Fatal("nothing stops who asks for somebody else's codes")
		}
	}
	ask(v, "ana@example.com").wantTo("/my/sign-in/code")
	for range 10 { // it is for that person only
		ask(other, "ben@example.com")
	}
	ask(v, "ben@example.com").want(429)
}

// TestSignOutTakesTheCarts of this browser along: the next person at it shall not see them.
func TestSignOutTakesTheCarts(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).wantTo("/cart/")
	v.get("/"+s.Location.Slug).want(200, "1 class")
	v.get("/my").form("/sign-out").post().wantTo("/my/sign-in")
	v.get("/"+s.Location.Slug).want(200).lacks("1 class", "Continue")
}

// TestEveryPostNeedsItsForm: no form's target takes a post without the token of this very browser, or from another
// site.
func TestEveryPostNeedsItsForm(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).wantTo("/cart/")
	before := s.count(t, "replays")
	n := 0
	for _, r := range s.Server.App().GetRoutes(true) {
		if r.Method != http.MethodPost || strings.HasPrefix(r.Path, "/__sim") || strings.HasPrefix(r.Path, "/upload/") {
			continue // an upload link is its own secret: programs post there, too
		}
		path := strings.NewReplacer(":slug", s.Location.Slug, ":listing", "sunrise-vinyasa", ":token", "some-token", ":item", "item").Replace(r.Path)
		n++
		s.Clock.Advance(5 * time.Second) // more forms than one visitor may send in a minute
		v.send("POST", path, map[string][]string{"email": {"a@b.example"}}).want(403, "This form has expired")
		s.visit(t).send("POST", path, map[string][]string{"_token": {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}).want(403)
	}
	if n < 18 {
		t.Errorf("only %d targets of forms were found", n)
	}
	theirs := s.visit(t).get("/my/sign-in").form("/my/sign-in")
	theirs.p.v = v
	theirs.post("email", "a@b.example").want(403, "This form has expired")

	own := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	v.headers.Set("Origin", "https://evil.example")
	own.post().want(403, "This form has expired")
	v.headers.Del("Origin")
	v.headers.Set("Sec-Fetch-Site", "cross-site")
	own.post().want(403)
	if after := s.count(t, "replays"); after != before {
		t.Errorf("%d one-time keys were used by refused forms", after-before)
	}
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	own.post().wantTo("/cart/")
}

// TestPostsAreCounted in the storefront's limits, and the page has a Retry-After. A80, A81.
func TestPostsAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Limits = op.Limits{WriteMax: 3, ChallengeMax: 2} })
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	add := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	for range 3 {
		add.post().wantTo("/cart/")
	}
	limited := add.post().want(429, "Too many requests", "try again in")
	if got := limited.Header.Get("Retry-After"); got == "" || got == "0" {
		t.Errorf("Retry-After %q", got)
	}
	send := v.get("/my/sign-in").form("/my/sign-in")
	send.post("email", "a@b.example").wantTo("/my/sign-in/code")
	v.get("/my/sign-in").form("/my/sign-in").post("email", "b@b.example").wantTo("/my/sign-in/code")
	v.get("/my/sign-in").form("/my/sign-in").post("email", "c@b.example").want(429, "minutes")
	s.Clock.Advance(time.Minute)
	add.post().wantTo("/cart/")
}
