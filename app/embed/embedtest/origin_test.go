package embedtest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"foyer/app/web/assets"
)

// origin stands in for the service.
type origin struct {
	t   testing.TB
	URL string

	mu      sync.Mutex
	answers map[string]answer // by path with query, else by path
	asked   []*http.Request
	closing chan struct{}
}

// answer is the response of an address. The zero answer is an empty 200.
type answer struct {
	status int
	body   string
	kind   string            // content type; HTML when empty
	header map[string]string // besides those that every answer has
	wait   <-chan struct{}   // nothing is sent before this is closed
	drop   bool              // the connection is cut instead
}

func html(body string) answer { return answer{body: body} }

func sheet(css string) answer { return answer{body: css, kind: "text/css; charset=utf-8"} }

// with adds a header.
func (a answer) with(name, value string) answer {
	header := map[string]string{name: value}
	for n, v := range a.header {
		header[n] = v
	}
	a.header = header
	return a
}

func newOrigin(t testing.TB) *origin {
	o := &origin{t: t, answers: map[string]answer{}, closing: make(chan struct{})}
	for path, name := range map[string]string{"/embed/v1.js": "v1.js", "/embed.js": "embed.js", "/app.js": "app.js", "/app.css": "app.css"} {
		f := assets.Content(name)
		o.answers[path] = answer{body: string(f.Body), kind: f.Type}
	}
	for served, f := range assets.Files() {
		if f.Type == assets.TypeFont { // app.css names them
			o.answers[assets.Prefix+served] = answer{body: string(f.Body), kind: f.Type}
		}
	}
	for _, theme := range []string{"clean", "card"} {
		o.answers[v1("themes/"+theme+".css")] = sheet("/* " + theme + " */")
	}
	o.answers[v1("harbour/theme.css")] = sheet("/* studio */")
	server := httptest.NewServer(o)
	t.Cleanup(func() { close(o.closing); server.Close() })
	o.URL = server.URL
	return o
}

func v1(path string) string { return "/embed/v1/" + path }

// say sets the answer of an address from now on; {base} in the body is the origin.
func (o *origin) say(path string, a answer) *origin {
	o.mu.Lock()
	defer o.mu.Unlock()
	a.body = strings.ReplaceAll(a.body, "{base}", o.URL)
	o.answers[path] = a
	return o
}

// requests are those for a path, or for a path with query.
func (o *origin) requests(path string) []*http.Request {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []*http.Request
	for _, r := range o.asked {
		if r.URL.Path == path || r.URL.RequestURI() == path {
			found = append(found, r)
		}
	}
	return found
}

func (o *origin) count(path string) int { return len(o.requests(path)) }

// fragments are the addresses of the requested fragments, in order.
func (o *origin) fragments() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []string
	for _, r := range o.asked {
		if strings.HasPrefix(r.URL.Path, "/embed/v1/") && !strings.HasSuffix(r.URL.Path, ".css") {
			found = append(found, strings.TrimPrefix(r.URL.RequestURI(), "/embed/v1/"))
		}
	}
	return found
}

// forget begins to count anew.
func (o *origin) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = nil
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	o.asked = append(o.asked, r)
	a, ok := o.answers[r.URL.RequestURI()]
	if !ok {
		a, ok = o.answers[r.URL.Path]
	}
	o.mu.Unlock()
	if !ok {
		a = answer{status: http.StatusNotFound}
	}
	if a.wait != nil {
		select {
		case <-a.wait:
		case <-o.closing:
			return
		case <-r.Context().Done():
			return
		}
	}
	if a.drop {
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "X-Svc-Css, X-Svc-Walkins, X-Svc-Until")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache") // a test that counts must see every request
	h.Set("Content-Type", "text/html; charset=utf-8")
	if a.kind != "" {
		h.Set("Content-Type", a.kind)
	}
	for name, value := range a.header {
		h.Set(name, value)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = w.Write([]byte(a.body))
}
