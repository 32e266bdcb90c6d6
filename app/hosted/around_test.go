package hosted_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestPoliciesOfPages: nothing foreign runs, nobody keeps what is one customer's, and only what says embed=1 can be framed.
// E126, security.md 34 and 45.
func TestPoliciesOfPages(t *testing.T) {
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200)
	cart := strings.TrimSuffix(pay.url.Path, "/pay")
	receipt := pay.pay(apptest.CardGood).follow().want(200).url.Path
	v.choose(yoga, 1).wantTo("/cart/")
	cart = v.get("/" + s.Location.Slug).link("Continue")

	public := []string{"/" + s.Location.Slug, s.path(yoga, nil), s.path(yoga, &yoga.Dates[0])}
	private := []string{cart, cart + "/pay", cart + "/details", receipt, receipt + "/calendar.ics", "/my", "/nowhere", "/my/sign-in", "/invite/none"}
	for _, path := range append(public, private...) {
		p := v.get(path)
		csp := p.Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(path, ".ics") && p.Status != 303 && (!strings.Contains(csp, "default-src 'self'") || !strings.Contains(csp, "frame-ancestors 'none'")) {
			t.Errorf("%s: policy %q", path, csp)
		}
		mark := "?embed=1"
		if strings.Contains(path, "?") {
			mark = "&embed=1"
		}
		framed := v.get(path + mark)
		if csp := framed.Header.Get("Content-Security-Policy"); framed.Status == 200 && csp != "" && !strings.Contains(csp, "frame-ancestors *") {
			t.Errorf("%s framed: policy %q", path, csp)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin"} {
			if got := p.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
	for _, path := range private {
		if got := v.get(path).Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
	}
	for _, path := range public {
		if got := v.get(path).Header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
	}
	for _, path := range private[:5] {
		if strings.Contains(v.get(path).Body, "custom.css") {
			t.Errorf("%s loads a location's embed stylesheet (E90)", path)
		}
	}
}

// TestTheWayBackLasts from the first page through sign-in and payment to the receipt, and is judged again at each. E140 to
// E147.
func TestTheWayBackLasts(t *testing.T) {
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	const from = "https://harbouryoga.com/timetable?week=2"
	back := func(p *page) *page {
		t.Helper()
		p.want(200, "Back to harbouryoga.com")
		if got := p.link("Back to harbouryoga.com"); got != from {
			t.Errorf("%s leads back to %s", p.url, got)
		}
		return p
	}
	v := s.visit(t)
	front := back(v.get("/" + s.Location.Slug + "?ref=" + url.QueryEscape(from)))
	date := back(v.get(front.link("Book")))
	signIn := back(date.form("/sunrise-vinyasa").post().follow())
	code := back(signIn.form("/sign-in").post("email", "ana@example.com").follow())
	details := back(code.form("/code").post("code", s.code(t, "ana@example.com", 0)).follow())
	pay := back(details.form("/details").post("name", "Ana Ruiz").follow())
	back(v.get(strings.Split(pay.path(), "?")[0])) // reloaded without it: the cart remembers
	receipt := back(pay.pay(apptest.CardChecked).follow().form("").post("result", "authorise").follow().want(200, "You’re booked"))
	back(s.visit(t).get(receipt.url.Path)) // from the mail
	s.SQL(t, "update locations set website = 'https://another.example'")
	v.get(receipt.path()).want(200, "You’re booked").lacks("Back to")
}

// TestNoWayBackToOthers: what is not the studio's own website is not offered and not carried on.
func TestNoWayBackToOthers(t *testing.T) {
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	for _, ref := range []string{"https://evil.example/", "javascript:alert(1)", "https://harbouryoga.com@evil.example", "//harbouryoga.com", strings.Repeat("a", 5000)} {
		p := v.get("/" + s.Location.Slug + "?ref=" + url.QueryEscape(ref)).want(200).lacks("Back to")
		if strings.Contains(p.Body, "evil") || strings.Contains(p.Body, "javascript:") || strings.Contains(p.Body, "aaaa") {
			t.Errorf("ref %.40q is on the page", ref)
		}
	}
	v.headers.Set("Referer", "https://www.harbouryoga.com/")
	p := v.get("/"+s.Location.Slug).want(200, "Back to harbouryoga.com")
	if got := p.link("Back to harbouryoga.com"); got != "https://www.harbouryoga.com/" {
		t.Errorf("the referrer leads to %s", got)
	}
	v.get("/" + s.Location.Slug + "?embed=1").want(200).lacks("Back to") // E147
	v.get("/" + s.Location.Slug + "?ref=https://evil.example").want(200).lacks("Back to")
	v.headers.Set("Referer", "https://evil.example/harbouryoga.com")
	v.get("/" + s.Location.Slug).want(200).lacks("Back to")
}

// TestTheFrameStaysAFrame: links, forms and redirects keep embed=1. E148.
func TestTheFrameStaysAFrame(t *testing.T) {
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	front := v.get("/"+s.Location.Slug+"?embed=1").want(200).lacks("My bookings", "Booking by Foyer")
	date := v.get(front.link("Book")).want(200)
	pay := date.form("/sunrise-vinyasa").post().wantTo("/cart/").follow().want(200, "Pay $22.00").lacks("Booking by Foyer")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked").lacks("Booking by Foyer")
	for _, p := range []*page{date, pay, receipt} {
		if p.url.Query().Get("embed") != "1" || !strings.Contains(p.Body, "data-frame") {
			t.Errorf("%s left the frame", p.url)
		}
	}
}

// TestErrorPages are pages for people and the envelope for scripts, and say nothing of the inside. Security.md 44.
func TestErrorPages(t *testing.T) {
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	for _, path := range []string{"/cart/none", "/cart/none/pay", "/cart/none/done", "/receipt/none", "/receipt/none/calendar.ics", "/cart/" + strings.Repeat("A", 32), "/receipt/" + strings.Repeat("A", 43)} {
		v.get(path).want(404, "Page not found")
	}
	v.headers.Set("Accept", "application/json")
	if p := v.get("/nowhere").want(404); !strings.Contains(p.Body, `"code":"not_found"`) {
		t.Errorf("a script gets %s", p.Body)
	}
	v.headers.Del("Accept")

	v.headers.Set("Referer", s.URL+"/harbour?x=1")
	refused := v.send("POST", "/my/sign-in", url.Values{}).want(403, "This form has expired", "Go back")
	if got := refused.link("Go back"); got != "/harbour" {
		t.Errorf("a refused form leads to %s", got)
	}
	v.headers.Set("Referer", "https://evil.example/harbour")
	if p := v.send("POST", "/my/sign-in", url.Values{}).want(403); strings.Contains(p.Body, "evil") || strings.Contains(p.Body, `class="btn"`) {
		t.Error("a refused form of another site leads somewhere")
	}

	s.SQL(t, "alter table occurrences rename to elsewhere")
	broken := v.get(s.path(yoga, nil)).want(500, "Something went wrong", "nothing was booked or charged")
	broken.lacks("occurrences", "relation", "SQLSTATE")
	if csp := broken.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") {
		t.Errorf("policy %q", csp)
	}
	s.SQL(t, "alter table elsewhere rename to occurrences")
}
