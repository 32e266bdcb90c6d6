package api_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/app/api"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/app/web"
	"foyer/app/web/assets"
	"foyer/app/web/op"
	"foyer/policy"
)

var shots = flag.String("shots", "", "write a picture of the reference to this folder")

// referenceSite serves the reference with nothing behind it, and returns its address.
func referenceSite(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	s := web.New(web.Options{
		BaseURL: url, Build: build, Secret: bytes.Repeat([]byte("w"), 32), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Known: policy.Known, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals, Examples: api.Examples,
		Hit:  func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{Allowed: true}, nil },
		Gate: op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nil }},
	})
	s.App().Get(assets.Prefix+"*", web.NewStatic(assets.Files()).Handler)
	api.Register(s, assembly.Services{})
	done := make(chan error, 1)
	go func() { done <- s.Serve(ln) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Shutdown(context.Background()), <-done); err != nil {
			t.Error(err)
		}
	})
	return url
}

// TestReference: a script of ours renders the page from the server's own document, under a policy without connections
// elsewhere; it violates no rule of accessibility on a desk and a phone, light and dark.
func TestReference(t *testing.T) {
	url := referenceSite(t)
	b := browser.New(t, browser.Options{})
	for n, width := range []int{1280, 390} {
		for _, dark := range walks.Schemes(n) {
			b.Resize(width, 844)
			b.Scheme(dark)
			b.Goto(url + api.ReferencePath)
			b.Wait("[data-document] h1")
			for _, said := range []string{"Foyer", "2.0.0"} {
				if !strings.Contains(b.Text("body"), said) {
					t.Errorf("%d: the page does not say %q", width, said)
				}
			}
			b.Axe(t)
			if *shots != "" {
				b.FullPage(filepath.Join(*shots, fmt.Sprintf("reference-%d-%t.png", width, dark)))
			}
		}
	}
	b.Goto(url + api.ReferencePath + "#/storefront/holdcart")
	b.Wait("[data-document] h1")
	drawn := `new Promise(done => { const look = () => document.body.innerText.includes("Hold the seats of a cart") ? done(true) : setTimeout(look, 50); look() })`
	if !browser.Eval[bool](b, drawn) {
		t.Error("an operation's own address does not show it")
	}
	if complaints := b.Complaints(); len(complaints) > 0 {
		t.Errorf("the browser complains: %v", complaints)
	}
	foreign := browser.Eval[[]string](b, `performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith(location.origin) && !n.startsWith("data:"))`)
	if len(foreign) > 0 {
		t.Errorf("the page asks others: %v", foreign)
	}
}

// TestReferenceWithoutScript: without script the page lists every operation, and violates no rule either.
func TestReferenceWithoutScript(t *testing.T) {
	url := referenceSite(t)
	res, err := http.Get(url + api.ReferencePath)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		t.Fatal(err)
	}
	listed := 0
	for template, item := range description(t).Paths {
		for method := range item {
			listed++
			if want := "<code>" + strings.ToUpper(method) + " " + template + "</code>"; !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s %s is not listed", method, template)
			}
		}
	}
	if listed < 140 || res.StatusCode != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%d listed, %d %s", listed, res.StatusCode, res.Header.Get("Content-Type"))
	}
	policy := res.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'self'") || strings.Contains(policy, "script-src") || strings.Contains(policy, "https:") {
		t.Errorf("policy %q", policy)
	}
	b := browser.New(t, browser.Options{NoScript: true})
	for _, width := range []int{1280, 390} {
		b.Resize(width, 844)
		b.Goto(url + api.ReferencePath)
		if wide := b.Text("h1"); wide != "API reference" {
			t.Errorf("%d: %q", width, wide)
		}
		if *shots != "" {
			b.FullPage(filepath.Join(*shots, fmt.Sprintf("reference-plain-%d.png", width)))
		}
	}
}
