package hosted_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"foyer/app/web"
)

// frame is a visitor inside the booking frame on another site, in a browser that keeps no cookies there. Every answer
// is checked against the rules of the frame.
func (s *shop) frame(t testing.TB) *visitor {
	v := s.visit(t)
	v.Jar, v.check = nil, staysFramed
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	return v
}

// enter opens a page of the frame as its snippet does: with embed=1, from the studio's website.
func (v *visitor) enter(path string) *page {
	v.t.Helper()
	mark := "?embed=1"
	if strings.Contains(path, "?") {
		mark = "&embed=1"
	}
	v.headers.Set("Sec-Fetch-Site", "cross-site")
	v.headers.Set("Referer", "https://www.harbouryoga.com/")
	p := v.get(path + mark)
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	v.headers.Set("Referer", v.s.URL+"/")
	return p
}

// framedHeaders are the headers of every answer in the frame, by their prefix.
var framedHeaders = map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "strict-origin"}

// staysFramed checks E148 for one answer: its links, forms and redirects keep the frame and its ticket, or leave it
// on purpose. And E126, E127, E147: it can be framed, sets no cookie, and offers no link back.
func staysFramed(p *page) {
	t := p.v.t
	t.Helper()
	if got := p.Header.Values("Set-Cookie"); len(got) > 0 {
		t.Errorf("%s sets the cookies %q", p.url, got)
	}
	if strings.HasPrefix(p.Header.Get("Content-Type"), "text/calendar") || strings.HasPrefix(p.url.Path, "/__sim/") {
		return
	}
	for name, want := range framedHeaders {
		if got := p.Header.Get(name); got != want {
			t.Errorf("%s: %s is %q", p.url, name, got)
		}
	}
	if to := p.Header.Get("Location"); to != "" {
		p.keeps("the redirect", to)
		return
	}
	if got := p.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors *") {
		t.Errorf("%s: the policy is %q", p.url, got)
	}
	if !strings.Contains(p.Body, " data-frame") || strings.Contains(p.Body, "<header") || strings.Contains(p.Body, "Booking by Foyer") ||
		strings.Contains(p.Body, "data-back") || strings.Contains(p.Body, "Back to harbouryoga") || strings.Contains(p.Body, "custom.css") {
		t.Errorf("%s is no page of the frame: %s", p.url, clip(p.Body))
	}
	for _, m := range links.FindAllStringSubmatch(p.Body, -1) {
		a := attributes(m[1])
		if a["target"] == "_blank" && strings.HasPrefix(a["href"], "https://") && strings.Contains(a["rel"], "noopener") {
			continue
		}
		p.keeps("a link", a["href"])
	}
	for _, m := range forms.FindAllStringSubmatch(p.Body, -1) {
		p.formKeeps(m[1], m[2])
	}
}

// ticket is the ticket of a page; empty while it needs none.
func (p *page) ticket() string {
	m := regexp.MustCompile(`data-ticket="([^"]*)"`).FindStringSubmatch(p.Body)
	if m == nil {
		return ""
	}
	return m[1]
}

// keeps fails unless an address stays in the frame with the page's own ticket.
func (p *page) keeps(what, to string) {
	t := p.v.t
	t.Helper()
	if strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") || strings.HasPrefix(to, "tel:") {
		return
	}
	u, err := url.Parse(strings.TrimPrefix(to, p.v.s.URL))
	if err != nil || u.Host != "" {
		t.Errorf("%s: %s leaves for %s", p.url, what, to)
		return
	}
	if strings.HasPrefix(u.Path, "/__sim/") {
		return
	}
	q := u.Query()
	if q.Get("embed") != "1" {
		t.Errorf("%s: %s leaves the frame for %s", p.url, what, to)
	}
	if own := p.ticket(); what != "the redirect" && q.Get(web.FieldTicket) != own {
		t.Errorf("%s: %s to %s carries another ticket than the page", p.url, what, u.Path)
	}
}

func (p *page) formKeeps(tag, body string) {
	t := p.v.t
	t.Helper()
	f := &form{p: p, Action: attributes(tag)["action"], Fields: url.Values{}}
	f.take(body, "")
	if to := f.Fields.Get("return_url"); to != "" {
		back, err := url.Parse(to)
		if err != nil || back.Query().Get("embed") != "1" || back.Query().Get("_pass") == "" || back.Query().Has(web.FieldTicket) {
			t.Errorf("%s: the processor comes back to %s", p.url, to)
		}
	}
	if f.Fields.Get("embed") != "1" || f.Fields.Get(web.FieldTicket) != p.ticket() || p.ticket() == "" && attributes(tag)["method"] == "post" {
		t.Errorf("%s: the form to %s leaves the frame: %v", p.url, f.Action, f.Fields)
	}
}
