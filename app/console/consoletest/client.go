package consoletest

import (
	"bytes"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/web"
	"foyer/policy"
)

// Owner is the role of the studio's first owner.
const Owner policy.Role = "owner"

// Client is a browser without script, signed in as a member of the team.
type Client struct {
	t    testing.TB
	http *http.Client
	base string // of the console of the business
	root string
	Jar  http.CookieJar
}

// As returns a client of a new member with a role in the whole business; for Owner, of the owner.
func (s *Studio) As(t testing.TB, role policy.Role) *Client {
	t.Helper()
	if role == Owner {
		return s.SignedIn(t, s.Owner.Email)
	}
	return s.Member(t, string(role)+"@team.example.com", apptest.Everywhere(role))
}

// Member adds a member to the team and signs them in.
func (s *Studio) Member(t testing.TB, email string, roles ...business.RoleAt) *Client {
	t.Helper()
	s.Join(t, email, roles...)
	return s.SignedIn(t, email)
}

// SignedIn returns a client of a person with a new session.
func (s *Studio) SignedIn(t testing.TB, email string) *Client {
	t.Helper()
	c := s.Visitor(t)
	in, _ := s.People.SignIn(t, email)
	at, _ := url.Parse(s.URL)
	c.Jar.SetCookies(at, []*http.Cookie{{Name: "foyer_session", Value: in.Token, Path: "/"}})
	return c
}

// Visitor returns a client without a session.
func (s *Studio) Visitor(t testing.TB) *Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Client{t: t, http: &http.Client{Jar: jar}, base: s.URL + desk.Root + "/" + s.Studio.Business.Slug, root: s.URL, Jar: jar}
}

// Page is a response.
type Page struct {
	t      testing.TB
	Status int
	URL    *url.URL
	Header http.Header
	Body   string
	Zipped bool // came compressed
	doc    *html.Node
}

// at returns the full address of a path below the business's console, or of one of the whole site when it begins with
// it.
func (c *Client) at(path string) string {
	if strings.HasPrefix(path, c.root+"/") { // as a page of the processor is linked
		return path
	}
	for _, beside := range []string{desk.Root, "/my", "/invite/", "/__sim/", "/accounting/"} {
		if strings.HasPrefix(path, beside) {
			return c.root + path
		}
	}
	return c.base + path
}

// Get opens a page and follows redirects.
func (c *Client) Get(path string) *Page {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.at(path), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.do(r)
}

// Sheet opens a page in the side sheet.
func (c *Client) Sheet(path string) *Page {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.at(path), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Turbo-Frame", "sheet")
	return c.do(r)
}

// Send posts or gets a form with typed values: pairs of names and values, a name again for another value. A value
// replaces the form's own under its name.
func (c *Client) Send(f *Form, typed ...string) *Page {
	c.t.Helper()
	values := url.Values{}
	for name, v := range f.Values {
		values[name] = v
	}
	changed := map[string]bool{}
	for i := 0; i+1 < len(typed); i += 2 {
		if !changed[typed[i]] {
			values.Del(typed[i])
			changed[typed[i]] = true
		}
		values.Add(typed[i], typed[i+1])
	}
	to := c.root + f.Action
	if f.Method == http.MethodGet {
		return c.Get(strings.TrimPrefix(to+"?"+values.Encode(), c.root))
	}
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, to, strings.NewReader(values.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Referer", f.page)
	return c.do(r)
}

// Upload is a file for a form.
type Upload struct {
	Name string
	Data []byte
}

// SendFile posts a form with a file, with typed values, and headers in pairs.
func (c *Client) SendFile(f *Form, name string, data []byte, typed url.Values, headers ...string) *Page {
	c.t.Helper()
	return c.SendFiles(f, []Upload{{name, data}}, typed, headers...)
}

// SendFiles is SendFile with any number of files, all under its name.
func (c *Client) SendFiles(f *Form, files []Upload, typed url.Values, headers ...string) *Page {
	c.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	write := func(values url.Values) {
		for name, list := range values {
			for _, v := range list {
				if err := w.WriteField(name, v); err != nil {
					c.t.Fatal(err)
				}
			}
		}
	}
	kept := maps.Clone(f.Values)
	delete(kept, "file")
	for name := range typed {
		delete(kept, name)
	}
	write(kept)
	write(typed)
	for _, file := range files {
		part, err := w.CreateFormFile("file", file.Name)
		if err == nil {
			_, err = part.Write(file.Data)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		c.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.root+f.Action, &b)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Referer", f.page)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return c.do(r)
}

func (c *Client) do(r *http.Request) *Page {
	c.t.Helper()
	answer, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(string(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	p := &Page{t: c.t, Status: answer.StatusCode, URL: answer.Request.URL, Header: answer.Header, Body: string(body), doc: doc}
	p.Zipped = answer.Uncompressed
	return p
}

// Token returns the CSRF token of this browser's forms.
func (c *Client) Token() string { return c.Get("").Form("/manage/lock").Values.Get(web.FieldToken) }

// Session returns the session token.
func (c *Client) Session() string {
	at, _ := url.Parse(c.root)
	for _, cookie := range c.Jar.Cookies(at) {
		if cookie.Name == "foyer_session" {
			return cookie.Value
		}
	}
	return ""
}

// Post sends a form that is on no page, with headers in pairs.
func (c *Client) Post(path string, values url.Values, headers ...string) *Page {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.at(path), strings.NewReader(values.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return c.do(r)
}

// Call calls an operation of the API as the same person, with an empty body, and returns the status.
func (c *Client) Call(method, path string) int {
	c.t.Helper()
	var body io.Reader
	if method != http.MethodGet && method != http.MethodDelete {
		body = strings.NewReader("{}")
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.root+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.Session())
	answer, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}
