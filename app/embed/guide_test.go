package embed_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/cssguard"
	"foyer/app/view"
	"foyer/app/web/assets"
)

var shots = flag.String("shots", "", "write pictures of the guide and of every state to this folder")

// house is the service with the other files that its pages load: assets, the branding, and a page for the booking
// frame.
func (w *world) house() string {
	w.t.Helper()
	to, err := url.Parse(w.url)
	if err != nil {
		w.t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", httputil.NewSingleHostReverseProxy(to))
	mux.HandleFunc("GET "+assets.Prefix+"{name}", func(out http.ResponseWriter, r *http.Request) {
		f, ok := assets.Files()[r.PathValue("name")]
		if !ok {
			http.NotFound(out, r)
			return
		}
		out.Header().Set("Content-Type", f.Type)
		_, _ = out.Write(f.Body)
	})
	mux.HandleFunc("GET /harbour", func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(out, `<!doctype html><html lang="en"><title>Frame</title><main><h1>`+r.FormValue("embed")+`</h1></main>`)
	})
	mux.HandleFunc("GET /harbour/look.css", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/css")
		_, _ = io.WriteString(out, view.Branding{}.CSS())
	})
	server := httptest.NewServer(mux)
	w.t.Cleanup(server.Close)
	return server.URL
}

// everyScheme runs on a phone and on a desk, in light and in dark.
func everyScheme(p *browser.Page, name string, check func()) {
	for n, width := range []int{390, 1280} {
		p.Resize(width, 844)
		for _, dark := range walks.Schemes(n) {
			p.Scheme(dark)
			check()
			if *shots != "" {
				scheme := map[bool]string{false: "light", true: "dark"}[dark]
				p.FullPage(filepath.Join(*shots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)))
			}
		}
	}
}

// TestGuide shows every tag with the real thing beside it, and has nothing that axe finds.
func TestGuide(t *testing.T) {
	t.Parallel()
	w := open(t)
	catalogue(w)
	url := w.house()
	p := browser.New(t, browser.Options{})
	flow := w.class("יוגה לזריחה")
	w.date(flow, "2026-06-12T16:30:00Z")
	look := func() {
		t.Helper()
		p.Goto(url + "/embed/guide/" + w.Location.Slug)
		p.Wait(".piece svc-schedule [data-pf=item]")
		p.Wait(".piece svc-times [data-pf=item]")
		if wide := browser.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("the guide is %d px too wide", wide)
		}
	}
	everyScheme(p, "guide", func() {
		look()
		p.Axe(t)
	})
	p.Resize(320, 640)
	look()
	if walks.Long() {
		p.Axe(t)
	}
	p.Fits(t, browser.Phones, "Harbour Yoga", "Harbour", "יוגה לזריחה")
	if said := p.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// TestConformancePage has every state in every theme, and nothing that axe finds; no fragment is wider than its
// place, nor in a column of 280 pixels. E85.
func TestConformancePage(t *testing.T) {
	t.Parallel()
	w := open(t)
	url := w.house() + "/embed/conformance"
	p := browser.New(t, browser.Options{})
	fits := func() {
		t.Helper()
		if n := browser.Eval[int](p, `[...document.querySelectorAll(".stage")].filter(s => s.scrollWidth > s.clientWidth).length`); n > 0 {
			t.Errorf("%d fragments are too wide", n)
		}
		if wide := browser.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("the page is %d px too wide", wide)
		}
	}
	everyScheme(p, "states", func() {
		p.Goto(url)
		p.Axe(t)
		fits()
	})
	p.Resize(390, 844)
	for _, theme := range []string{"clean", "card", "studio", "none"} {
		p.Goto(url + "?theme=" + theme)
		fits()
	}
	if walks.Long() { // the page of all themes is checked already
		p.Axe(t)
	}
	if said := p.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// code is the text of a snippet, as it is marked and copied.
func code(p *browser.Page, label string) string {
	return browser.Eval[string](p, fmt.Sprintf(`document.querySelector('pre[aria-label="%s"]').textContent`, label))
}

// TestSnippets are the pasted snippets: an async script, and a tag around a link to the booking page; a frame with
// its initial height; the sheets of a server in their order. E123, E149, E151.
func TestSnippets(t *testing.T) {
	t.Parallel()
	w := open(t)
	catalogue(w)
	p := browser.New(t, browser.Options{NoScript: true})
	p.Goto(w.house() + "/embed/guide/" + w.Location.Slug)
	for label, want := range map[string]string{
		"HTML: the snippet of Schedule": `<script src="https://book.example/embed/v1.js" async></script>
<svc-schedule location="harbour">
  <a href="https://book.example/harbour">See the schedule and book at Harbour Yoga</a>
</svc-schedule>`,
		"HTML: the snippet of One heading": `<script src="https://book.example/embed/v1.js" async></script>
<svc-listings location="harbour" group="Appointments">
  <a href="https://book.example/harbour">See what can be booked at Harbour Yoga</a>
</svc-listings>`,
		"HTML: the booking frame": `<script src="https://book.example/embed.js" async></script>
<iframe data-svc src="https://book.example/harbour?embed=1" title="Book at Harbour Yoga"
  allow="payment" height="48" style="display: block; width: 100%; border: 0"></iframe>`,
		"HTML: the walk-ins bar": `<script src="https://book.example/embed.js" async></script>
<iframe data-svc src="https://book.example/harbour?embed=live" title="Walk in at Harbour Yoga"
  allow="payment" height="48" style="display: block; width: 100%; border: 0"></iframe>`,
		"HTML: what a server prints": `<link rel="stylesheet" href="https://book.example/embed/v1/themes/card.css">
<link rel="stylesheet" href="https://book.example/embed/v1/harbour/custom.css">
<svc-schedule location="harbour" theme="card">
  … the body of https://book.example/embed/v1/harbour/schedule …
</svc-schedule>`,
	} {
		if got := code(p, label); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", label, got, want)
		}
	}
	for _, tag := range []string{"schedule", "classes", "appointments", "rentals", "listings", "times", "walkins"} {
		if link := p.Text(".piece svc-" + tag + " > a"); !strings.HasSuffix(link, " at Harbour Yoga") {
			t.Errorf("the fallback of svc-%s is %q", tag, link)
		}
	}
	for _, word := range []string{"X-Svc-Css: 1", "Referrer-Policy"} {
		if !strings.Contains(p.Text("#servers ~ .notes"), word) {
			t.Errorf("printing on a server does not speak of %s", word)
		}
	}
}

// TestThemePicker changes the preview and the copied snippet, and the stylesheets can be tried on.
func TestThemePicker(t *testing.T) {
	t.Parallel()
	w := open(t)
	catalogue(w)
	p := browser.New(t, browser.Options{Width: 1280, Height: 900})
	p.Goto(w.house() + "/embed/guide/" + w.Location.Slug)
	p.Wait(".piece svc-classes [data-pf=item]")
	for _, theme := range []string{"card", "studio", "none", "clean"} {
		p.Click(`.picker input[value=` + theme + `]`)
		want := map[bool]string{true: "", false: ` theme="` + theme + `"`}[theme == "clean"]
		if got := code(p, "HTML: the snippet of Classes"); !strings.Contains(got, `<svc-classes location="harbour"`+want+`>`) {
			t.Errorf("%s copies %s", theme, got)
		}
		border := map[string]string{"card": "1px", "studio": "1px"}[theme]
		if border == "" {
			border = "0px"
		}
		until(p, fmt.Sprintf(`getComputedStyle(document.querySelector(".piece svc-classes li")).borderTopWidth === %q`, border))
	}
	look := func(i int) string { return fmt.Sprintf(`[data-try=look-%d]`, i) }
	p.Click(look(1))
	until(p, `getComputedStyle(document.querySelector("[data-mirror] [data-pf=day-name]")).borderBottomWidth === "2px"`)
	until(p, `getComputedStyle(document.querySelector(".piece svc-schedule [data-pf=day-name]")).borderBottomWidth === "0px"`)
	p.Click(look(8))
	until(p, `getComputedStyle(document.querySelector("[data-mirror] svc-classes [data-pf=item]")).display === "grid"`)
	if said := p.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// until waits for an expression.
func until(p *browser.Page, expression string) {
	browser.Eval[bool](p, `new Promise((yes, no) => {
		const end = Date.now() + 20000;
		(function look() { `+expression+` ? yes(true) : Date.now() > end ? no(Error(`+"`"+`not true: `+strings.ReplaceAll(expression, "`", "")+"`"+`)) : setTimeout(look, 20) })();
	})`)
}

// TestExampleThemesKeepTheRules: each of the twelve may be saved as a location's stylesheet, is written against hooks,
// and says nothing about what is not there. E139.
func TestExampleThemesKeepTheRules(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	s.show("", dressed(t, "")+wornTag(t, "schedule-paused", ""))
	if len(view.GuideBrandings) != 12 {
		t.Errorf("there are %d looks", len(view.GuideBrandings))
	}
	for _, l := range view.GuideBrandings {
		warnings, refused := cssguard.Check(l.CSS)
		if refused != nil || len(warnings) > 0 {
			t.Errorf("%s: %+v %+v", l.Name, refused, warnings)
		}
		for _, r := range cssRules(l.CSS) {
			if strings.ContainsAny(strings.ReplaceAll(r.selector, ":has([", ""), ">+~#.*") || strings.Contains(r.selector, ":nth") {
				t.Errorf("%s: %s is not written against hooks", l.Name, r.selector)
			}
			if !browser.Eval[bool](s.Page, fmt.Sprintf(`!!document.querySelector(%q)`, r.selector)) {
				t.Errorf("%s: nothing is %s", l.Name, r.selector)
			}
		}
	}
}

// TestGuideIsThere for a location that the public sees, in any of its names, and small.
func TestGuideIsThere(t *testing.T) {
	t.Parallel()
	w := open(t)
	a := w.ask(http.MethodGet, "/embed/guide/HARBOUR").want(200, "<!doctype html>", "your-class")
	a.headers("Content-Type", "text/html; charset=utf-8", "Cache-Control", "no-cache", "Set-Cookie", "")
	if csp := a.header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("the policy is %s", csp)
	}
	if n := len(w.ask(http.MethodGet, "/embed/guide/harbour", "Accept-Encoding", "gzip").body); n > 14<<10 {
		t.Errorf("the guide is %d bytes", n)
	}
	w.ask(http.MethodGet, "/embed/guide/nowhere").want(404)
	w.ask(http.MethodGet, "/embed/guide/"+w.Business.Slug).want(404)
}

// TestConformancePageIsWhole: every state in each theme, with links that lead nowhere, from no database.
func TestConformancePageIsWhole(t *testing.T) {
	t.Parallel()
	w := open(t)
	var all, card answer
	if n := w.Statements(func() {
		all = w.ask(http.MethodGet, "/embed/conformance").want(200)
		card = w.ask(http.MethodGet, "/embed/conformance?theme=card").want(200)
		w.ask(http.MethodGet, "/embed/conformance/studio.css").want(200, "specimen").headers("Content-Type", "text/css; charset=utf-8")
	}); n != 0 {
		t.Errorf("%d statements", n)
	}
	states := strings.Count(all.body, `class="state"`)
	for _, theme := range []string{"clean", "card", "studio", "none"} {
		if n := strings.Count(all.body, `location="specimen" theme="`+theme+`"`); n != states || states < 25 {
			t.Errorf("%s: %d of %d states", theme, n, states)
		}
	}
	if strings.Contains(card.body, `theme="studio"`) || strings.Count(card.body, `location="specimen" theme="card"`) != 2*states {
		t.Error("one theme shows others")
	}
	w.ask(http.MethodGet, "/embed/conformance?theme=evil").want(200).lacks("evil")
	for _, hook := range []string{"list", "items", "item", "name", "link", "meta", "next", "duration", "price", "mode", "description", "empty", "schedule", "day", "day-name",
		"time", "instructor", "spots", "book", "label", "times", "head", "jump", "pages", "page", "walkins", "status", "detail"} {
		if !strings.Contains(all.body, `data-pf="`+hook+`"`) {
			t.Errorf("no state has %s", hook)
		}
	}
	for _, mark := range []string{"data-pf-full", `data-pf-state="open"`, `data-pf-state="busy"`, `data-pf-state="full"`, `data-pf-state="closed"`, `data-pf-level="plenty"`,
		`data-pf-level="filling_up"`, `data-pf-level="nearly_full"`, `data-pf-level="full"`, `data-pf-kind="class"`, `data-pf-kind="appointment"`, `data-pf-kind="rental"`,
		`data-pf-kind="group"`, `dir="rtl"`, ">Details<", ">Waitlist<"} {
		if !strings.Contains(all.body, mark) {
			t.Errorf("no state has %s", mark)
		}
	}
	if links := regexp.MustCompile(`data-pf="(?:link|book|page)" [^>]*href="([^"]*)"`).FindAllStringSubmatch(all.body, -1); len(links) == 0 {
		t.Error("no links")
	} else {
		for _, l := range links {
			if !strings.HasPrefix(l[1], base+"/embed/conformance#") {
				t.Errorf("a link leads to %s", l[1])
			}
		}
	}
}
