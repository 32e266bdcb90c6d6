package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
)

// guest is a page that shows the request's cookie, and sets one.
func guest(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/", Secure: true, SameSite: http.SameSiteNoneMode})
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Guest</title><h1>%s</h1><a href="/next">Next</a>`, r.Header.Get("Cookie"))
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// TestFrameOfAnotherSite moves inside the frame. Its cookies come back, unless the visitor keeps none for such a
// frame; on pages of its own they always do.
func TestFrameOfAnotherSite(t *testing.T) {
	inside := guest(t)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>Host</title><h1>Host</h1><iframe src="`+inside+`/framed"></iframe>`)
	}))
	t.Cleanup(host.Close)
	for none, want := range map[bool]string{true: "", false: "seen=yes"} {
		p := browser.New(t, browser.Options{NoForeignCookies: none, Whole: true})
		p.Goto(host.URL)
		f := p.Frame(inside)
		f.Click("a")
		if got := browser.Eval[string](f, "document.querySelector('h1').innerText"); got != want || f.URL() != inside+"/next" {
			t.Errorf("no foreign cookies %v: %s was asked for with %q", none, f.URL(), got)
		}
		if got := p.Text("h1"); got != "Host" {
			t.Errorf("the page around it says %q", got)
		}
		p.Goto(inside)
		p.Click("a")
		if got := p.Text("h1"); got != "seen=yes" {
			t.Errorf("no foreign cookies %v: on its own page the cookies are %q", none, got)
		}
	}
}
