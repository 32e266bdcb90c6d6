package hosted_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// visitor is a browser without script: it keeps cookies, reads forms off pages and sends them, and follows no
// redirect by itself.
type visitor struct {
	s *shop
	t testing.TB
	*http.Client
	headers http.Header // sent with every request
	check   func(*page) // checks every answer
}

// visit is a new visitor.
func (s *shop) visit(t testing.TB) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{s: s, t: t, headers: http.Header{}, Client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn is a visitor with a session.
func (s *shop) signedIn(t testing.TB, email, name string) *visitor {
	v := s.visit(t)
	token, _ := s.session(t, email, name)
	v.setCookie("foyer_session", token)
	return v
}

func (v *visitor) setCookie(name, value string) {
	u, _ := url.Parse(v.s.URL)
	v.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// cookie is the value of a cookie, or "".
func (v *visitor) cookie(name string) string {
	u, _ := url.Parse(v.s.URL)
	for _, c := range v.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// trips counts those of a page whose address is known already. From then on the shop has no worker.
func (v *visitor) trips(path string) int {
	v.s.t.Helper()
	v.s.idle()
	v.get(path).want(200)
	return v.s.Statements(func() { v.get(path).want(200) })
}

// page is an answer.
type page struct {
	v      *visitor
	url    *url.URL
	Status int
	Header http.Header
	Body   string
}

// get requests a path.
func (v *visitor) get(path string) *page {
	v.t.Helper()
	return v.send(http.MethodGet, path, nil)
}

func (v *visitor) send(method, path string, form url.Values) *page {
	v.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = v.s.URL + path
	}
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(v.t.Context(), method, path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header = v.headers.Clone()
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := v.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	p := &page{v: v, url: r.URL, Status: res.StatusCode, Header: res.Header, Body: string(raw)}
	if v.check != nil {
		v.check(p)
	}
	if p.Status == http.StatusTemporaryRedirect { // the browser sends the form on
		return v.send(method, p.to(), form)
	}
	return p
}

// open follows redirects until a page comes.
func (v *visitor) open(path string) *page {
	v.t.Helper()
	return v.get(path).follow()
}

// follow goes where redirects lead.
func (p *page) follow() *page {
	p.v.t.Helper()
	for range 8 {
		if p.Status < 300 || p.Status > 399 {
			return p
		}
		p = p.v.get(p.to())
	}
	p.v.t.Fatalf("%s redirects for ever", p.url)
	return nil
}

// to is the absolute address a redirect leads to.
func (p *page) to() string {
	p.v.t.Helper()
	u, err := p.url.Parse(p.Header.Get("Location"))
	if err != nil {
		p.v.t.Fatal(err)
	}
	return u.String()
}

// path is the page's own address, without the host.
func (p *page) path() string { return p.url.RequestURI() }

var (
	tags   = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>|<[^>]*>`)
	spaces = regexp.MustCompile(`[\s\x{a0}]+`)
)

// text is the visible text, on one line.
func (p *page) text() string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(p.Body, " ")), " "))
}

// want fails unless the page has this status and all these words.
func (p *page) want(status int, words ...string) *page {
	p.v.t.Helper()
	if p.Status != status {
		p.v.t.Fatalf("%s answers %d (to %s), want %d: %s", p.url, p.Status, p.Header.Get("Location"), status, clip(p.text()))
	}
	text := p.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			p.v.t.Fatalf("%s lacks %q: %s", p.url, w, clip(text))
		}
	}
	return p
}

// lacks fails when one of the words is on the page.
func (p *page) lacks(words ...string) *page {
	p.v.t.Helper()
	for _, w := range words {
		if strings.Contains(p.text(), w) {
			p.v.t.Errorf("%s says %q: %s", p.url, w, clip(p.text()))
		}
	}
	return p
}

// wantTo fails unless the page is a 303 to an address that begins with path.
func (p *page) wantTo(path string) *page {
	p.v.t.Helper()
	if p.Status != http.StatusSeeOther || !strings.HasPrefix(p.Header.Get("Location"), path) {
		p.v.t.Fatalf("%s answers %d to %q, want 303 to %s: %s", p.url, p.Status, p.Header.Get("Location"), path, clip(p.text()))
	}
	return p
}

func clip(s string) string {
	if len(s) > 900 {
		return s[:900] + " …"
	}
	return s
}

// form is a form as it stands on a page.
type form struct {
	p      *page
	Action string
	Fields url.Values
}

var (
	forms  = regexp.MustCompile(`(?s)<form\b([^>]*)>(.*?)</form>`)
	inputs = regexp.MustCompile(`<(input|button|select)\b([^>]*)>`)
	attrs  = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)
)

func attributes(s string) map[string]string {
	out := map[string]string{}
	for _, a := range attrs.FindAllStringSubmatch(s, -1) {
		out[a[1]] = html.UnescapeString(a[2])
	}
	return out
}

// form finds the form whose action ends in that.
func (p *page) form(end string) *form {
	p.v.t.Helper()
	for _, m := range forms.FindAllStringSubmatch(p.Body, -1) {
		a := attributes(m[1])
		if a["method"] != "post" || !strings.HasSuffix(strings.SplitN(a["action"], "?", 2)[0], end) {
			continue
		}
		f := &form{p: p, Action: a["action"], Fields: url.Values{}}
		f.take(m[2], "")
		if a["id"] != "" {
			f.take(p.Body, a["id"])
		}
		return f
	}
	p.v.t.Fatalf("%s has no form to …%s: %s", p.url, end, clip(p.text()))
	return nil
}

// hasForm reports whether there is such a form.
func (p *page) hasForm(end string) bool {
	for _, m := range forms.FindAllStringSubmatch(p.Body, -1) {
		if a := attributes(m[1]); a["method"] == "post" && strings.HasSuffix(a["action"], end) {
			return true
		}
	}
	return false
}

// take reads the inputs of a text: all that belong to no other form, or those that belong to the form of that id.
func (f *form) take(text, id string) {
	for _, m := range inputs.FindAllStringSubmatch(text, -1) {
		a := attributes(m[2])
		if a["form"] != id || a["name"] == "" || m[1] == "button" || strings.Contains(m[2], " disabled") {
			continue
		}
		if (a["name"] == "keep" || a["type"] == "radio") && !strings.Contains(m[2], " checked") {
			continue // an unticked box, a choice not made
		}
		f.Fields.Set(a["name"], a["value"])
	}
}

// post fills in names and values, and sends the form.
func (f *form) post(pairs ...string) *page {
	f.p.v.t.Helper()
	fields := url.Values{}
	for name, values := range f.Fields {
		fields[name] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		fields.Set(pairs[i], pairs[i+1])
	}
	return f.p.v.send(http.MethodPost, f.Action, fields)
}

var links = regexp.MustCompile(`(?s)<a\b([^>]*)>(.*?)</a>`)

// link is where the link with these words leads, as a path or an address.
func (p *page) link(words string) string {
	p.v.t.Helper()
	for _, m := range links.FindAllStringSubmatch(p.Body, -1) {
		if strings.Contains(html.UnescapeString(tags.ReplaceAllString(m[2], "")), words) {
			return attributes(m[1])["href"]
		}
	}
	p.v.t.Fatalf("%s has no link %q: %s", p.url, words, clip(p.text()))
	return ""
}
