package hosted_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
)

// TestPoliciesOfPages: no foreign script runs, a customer's pages are not cached, and only pages that allow it can be
// framed. E90, E126.
func TestPoliciesOfPages(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	_, err := s.Businesses(t).SaveStylesheet(t.Context(), s.Owner, business.SaveStylesheetInput{LocationID: s.Location.ID, CSS: "svc-schedule h3 { color: rebeccapurple }"})
	if err != nil {
		t.Fatal(err)
	}
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200)
	receipt := pay.pay(apptest.CardGood).follow().want(200).url.Path
	v.choose(yoga, 1).wantTo("/cart/")
	cart := v.get("/" + s.Location.Slug).link("Continue")

	public := []string{"/" + s.Location.Slug, s.path(yoga, nil), s.path(yoga, &yoga.Dates[0])}
	private := []string{cart, cart + "/pay", cart + "/details", receipt, receipt + "/calendar.ics", "/my", "/nowhere", "/my/sign-in", "/invite/none"}
	for _, path := range append(public, private...) {
		p := v.get(path)
		csp := p.Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(path, ".ics") && p.Status != 303 && (!strings.Contains(csp, "default-src 'self'") || !strings.Contains(csp, "frame-ancestors 'none'")) {
			t.Errorf("%s: policy %q", path, csp)
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
	framed := s.frame(t)
	for _, path := range append(public, private...) {
		pages := []*page{v.get(path)}
		if slices.Contains(public, path) {
			pages = append(pages, framed.enter(path).want(200))
		}
		for _, p := range pages {
			if strings.Contains(p.Body, "custom.css") || strings.Contains(p.Body, "rebeccapurple") {
				t.Errorf("%s loads the location's stylesheet (E90)", p.url)
			}
		}
	}
	look := v.get("/" + s.Location.Slug + "/look.css")
	if look.Status != 200 || strings.Contains(look.Body, "rebeccapurple") {
		t.Errorf("the pages' own sheet is %d, and holds the location's (E90)", look.Status)
	}
}

// TestErrorPages are pages for people and the envelope for scripts, without internal details.
func TestErrorPages(t *testing.T) {
	t.Parallel()
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

// TestPagesDuringAnOutage have a Retry-After and keep the entered values: the same form goes through afterwards.
func TestPagesDuringAnOutage(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	form := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	page := s.path(yoga, nil) + "?from=2026-06-12"
	s.Outage(t, func() {
		p := v.get(page).want(503, "We will be back in a moment").lacks("SQLSTATE", "accepting")
		if got := p.link("Try again"); got != page {
			t.Errorf("try again leads to %q", got)
		}
		if p.Header.Get("Retry-After") == "" || p.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("Retry-After %q, Cache-Control %q", p.Header.Get("Retry-After"), p.Header.Get("Cache-Control"))
		}
		form = form.post().want(503, "Your input is saved, and nothing is booked or charged twice").form("/sunrise-vinyasa")
	})
	form.post().wantTo("/cart/")
}
