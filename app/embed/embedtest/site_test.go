package embedtest_test

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest/browser"
)

//go:embed beat.js
var beat string

// visit is a visitor at a page of a studio's website, which uses an origin.
type visit struct {
	*browser.Page
	t     testing.TB
	o     *origin
	site  string // address of the website, on a host of its own
	mu    sync.Mutex
	pages map[string]string // by path; {base} is the origin, {v1} its script, as studios paste it
	csp   string            // of every page
}

// open starts a browser and a website that has a page.
func open(t testing.TB, o *origin, page string, options ...browser.Options) *visit {
	t.Helper()
	var opt browser.Options
	if len(options) > 0 {
		opt = options[0]
	}
	v := website(t, o, map[string]string{"/": page})
	return v.come(opt)
}

// come opens the website in a browser of its own.
func (v *visit) come(o browser.Options) *visit {
	v.t.Helper()
	v.Page = browser.New(v.t, o)
	v.Before(beat)
	v.Goto(v.site + "/")
	return v
}

// next replaces the open page by another one, and opens it. The origin drops its recorded requests.
func (v *visit) next(page string) *visit {
	v.t.Helper()
	v.print("/", page)
	v.Goto("about:blank")
	v.o.forget()
	v.Goto(v.site + "/")
	return v
}

// allow sets the content policy of the website's pages.
func (v *visit) allow(csp string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.csp = csp
}

// print changes the website.
func (v *visit) print(path, page string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pages[path] = page
}

// website starts a website, not opened yet.
func website(t testing.TB, o *origin, pages map[string]string) *visit {
	v := &visit{t: t, o: o, pages: pages}
	v.site = serveAt(t, http.HandlerFunc(v.serve))
	return v
}

func (v *visit) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	v.mu.Lock()
	page, ok := v.pages[r.URL.Path]
	csp := strings.ReplaceAll(v.csp, "{base}", v.o.URL)
	v.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if csp != "" {
		w.Header().Set("Content-Security-Policy", csp)
	}
	_, _ = io.WriteString(w, v.fill(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour Yoga</title>`+page))
}

func (v *visit) fill(page string) string {
	page = strings.ReplaceAll(page, "{v1}", `<script src="{base}/embed/v1.js" async></script>`)
	return strings.ReplaceAll(page, "{base}", v.o.URL)
}

// tag is one tag as studios paste it: its child is a link to the location's hosted page.
func tag(name, attributes string) string {
	return fmt.Sprintf(`<%[1]s %[2]s><a href="{base}/harbour">Book at Harbour Yoga</a></%[1]s>`, name, attributes)
}

// eval answers with the value of an expression.
func eval[T any](v *visit, expression string) T {
	v.t.Helper()
	return browser.Eval[T](v.Page, expression)
}

// run runs statements in the page.
func (v *visit) run(statements string) {
	v.t.Helper()
	eval[bool](v, "(() => {"+statements+"})(), true")
}

// becomes waits until an expression is true.
func (v *visit) becomes(expression string) {
	v.t.Helper()
	for end := time.Now().Add(20 * time.Second); !eval[bool](v, expression); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			v.t.Fatalf("it does not become true that %s; the page is %s", expression, eval[string](v, "document.body.innerHTML"))
		}
	}
}

// shows waits until a tag shows something with a hook.
func (v *visit) shows(sel, hook string) {
	v.t.Helper()
	v.becomes(fmt.Sprintf(`!!document.querySelector('%s [data-pf=%s]')`, sel, hook))
}

// rests waits for pending work: a fetch, a frame, a microtask.
func (v *visit) rests() {
	v.t.Helper()
	eval[bool](v, `new Promise(done => rest(() => done(true)))`)
}

// keepsFallback fails when a tag does not hold the link that was pasted with it, and only that.
func (v *visit) keepsFallback(sel string) {
	v.t.Helper()
	v.rests()
	if got := eval[string](v, fmt.Sprintf(`document.querySelector('%s').innerText`, sel)); got != "Book at Harbour Yoga" {
		v.t.Errorf("%s shows %q", sel, got)
	}
}

// arrives waits until the page's address begins with url.
func (v *visit) arrives(url string) {
	v.t.Helper()
	until(v.t, "the visitor is at "+url, func() bool { return strings.HasPrefix(v.URL(), url) })
}

// until waits for something that is not in the page.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}

// serveAt serves a handler on the website's host for as long as the test runs, and returns its address.
func serveAt(t testing.TB, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}
