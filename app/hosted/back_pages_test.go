package hosted_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestTheWayBackLasts from the first page through sign-in, the bank and a reload to the receipt, in place of the
// studio's mark, and is judged again at each. E140, E141, E146.
func TestTheWayBackLasts(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	const from = "https://harbouryoga.com/timetable?week=2"
	back := func(p *page) *page {
		t.Helper()
		p.want(200, "Back to harbouryoga.com")
		if strings.Contains(p.Body, `class="mark"`) {
			t.Errorf("%s has the studio's mark beside the way back", p.url)
		}
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

// TestNoWayBackToOthers: only the studio's own website is offered and carried on; otherwise the studio's mark is
// there. E141, E142.
func TestNoWayBackToOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	for _, ref := range []string{"https://evil.example/", "javascript:alert(1)", "https://harbouryoga.com@evil.example", "//harbouryoga.com", strings.Repeat("a", 5000)} {
		p := v.get("/" + s.Location.Slug + "?ref=" + url.QueryEscape(ref)).want(200).lacks("Back to")
		if !strings.Contains(p.Body, `class="mark"`) {
			t.Errorf("ref %.40q takes the mark away", ref)
		}
		if strings.Contains(p.Body, "evil") || strings.Contains(p.Body, "javascript:") || strings.Contains(p.Body, "aaaa") {
			t.Errorf("ref %.40q is on the page", ref)
		}
	}
}

// TestReferrerIsAWayBack: a link without ref works too, and lasts as long; the word of the link comes first. E144.
func TestReferrerIsAWayBack(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.headers.Set("Referer", "https://www.harbouryoga.com/")
	p := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Back to harbouryoga.com")
	if got := p.link("Back to harbouryoga.com"); got != "https://www.harbouryoga.com/" {
		t.Errorf("the referrer leads to %s", got)
	}
	v.get("/" + s.Location.Slug + "?ref=https://evil.example").want(200).lacks("Back to")
	v.headers.Set("Referer", s.URL+"/") // from now on it is a page of ours
	receipt := p.form("/sunrise-vinyasa").post().follow().want(200, "Back to harbouryoga.com").pay(apptest.CardGood).follow().want(200, "You’re booked", "Back to harbouryoga.com")
	s.visit(t).get(receipt.url.Path).want(200, "Back to harbouryoga.com")
	v.headers.Set("Referer", "https://evil.example/harbouryoga.com")
	v.get("/" + s.Location.Slug).want(200).lacks("Back to")
}

// TestOtherSitesOfTheStudio: a sub-domain is a way back when the studio has listed it. E143.
func TestOtherSitesOfTheStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	const ref = "?ref=https://shop.harbouryoga.com/bags"
	v.get("/" + s.Location.Slug + ref).want(200).lacks("Back to")
	s.SQL(t, `update locations set other_sites = '["https://shop.harbouryoga.com"]'`)
	p := v.get("/"+s.Location.Slug+ref).want(200, "Back to shop.harbouryoga.com")
	if got := p.link("Back to"); got != "https://shop.harbouryoga.com/bags" {
		t.Errorf("it leads to %s", got)
	}
}

// TestNoWayBackInTheFrame: the customer never left the site; the receipt in their mail opens outside and has the link
// back. E147.
func TestNoWayBackInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay := s.paying(t, s.class(t, "Sunrise Vinyasa", 1), "ana@example.com") // from the studio's website
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Book another").lacks("Back to")
	s.visit(t).get(receipt.url.Path).want(200, "Back to harbouryoga.com")
	s.frame(t).enter("/" + s.Location.Slug + "?ref=https://harbouryoga.com/").want(200).lacks("Back to")
}
