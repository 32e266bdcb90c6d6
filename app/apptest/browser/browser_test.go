package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
)

const first = `<!doctype html><html lang="en"><title>First</title><style>button{min-height:24px}</style><main><h1>First</h1>
<form method="post" action="/next"><label for="name">Name</label><input id="name" name="name" value="old">
<button>Send</button></form><button id="late" type="button">Later</button><p id="scheme"></p>
<script>
document.getElementById("late").onclick = () => setTimeout(() => document.querySelector("h1").insertAdjacentHTML("afterend", "<p id=came>came</p>"), 300);
document.getElementById("scheme").textContent = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
</script></main></html>`

func site(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, first)
	})
	mux.HandleFunc("POST /next", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/done?name="+r.FormValue("name"), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /done", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>Done</title><h1>Hello %s</h1><img src=/gone.png>", r.FormValue("name"))
	})
	mux.HandleFunc("GET /gone.png", http.NotFound)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFormLeadsToTheNextPage(t *testing.T) {
	url := site(t)
	p := browser.New(t, browser.Options{Dark: true})
	p.Goto(url)
	if got := p.Text("#scheme"); got != "dark" {
		t.Errorf("scheme is %q", got)
	}
	p.Click("#late")
	if p.Exists("#came") {
		t.Error("it came too early to prove anything")
	}
	if got := p.Text("#came"); got != "came" {
		t.Errorf("waited for %q", got)
	}
	p.Fill("#name", "Ana")
	p.Click("form button")
	if got := p.Text("h1"); got != "Hello Ana" || !strings.HasPrefix(p.URL(), url+"/done") {
		t.Errorf("%s says %q", p.URL(), got)
	}
	if said := p.Complaints(); len(said) != 1 || !strings.Contains(said[0], "gone.png") {
		t.Errorf("complaints: %q", said)
	}
	p.FullPage(filepath.Join(t.TempDir(), "page.png"))
}

// TestClickOnAPageThatScrollsSmoothly: the press must not fall where the element was before the scroll.
func TestClickOnAPageThatScrollsSmoothly(t *testing.T) {
	p := browser.New(t, browser.Options{})
	p.Goto(site(t))
	browser.Eval[bool](p, `(document.documentElement.style.scrollBehavior = "smooth", document.querySelector("form").style.marginTop = "3000px", true)`)
	p.Fill("#name", "Ana")
	p.Click("form button")
	if got := p.Text("h1"); got != "Hello Ana" {
		t.Errorf("%s says %q", p.URL(), got)
	}
}

func TestAnswerStandsInForAnotherMachine(t *testing.T) {
	p := browser.New(t, browser.Options{})
	p.Goto(site(t))
	p.Answer("https://other.example/a.js", "text/javascript", "window.came = 'from the test'")
	browser.Eval[bool](p, `(document.head.append(Object.assign(document.createElement("script"), {src: "https://other.example/a.js", onload: () => document.title = came})), true)`)
	p.Wait("h1")
	if got := browser.Eval[string](p, `new Promise(done => setTimeout(() => done(document.title), 300))`); got != "from the test" {
		t.Errorf("the title is %q", got)
	}
}

// A page that is left during a call gives no answer; one that stays does.
func TestAskedOfAPageThatIsLeft(t *testing.T) {
	p := browser.New(t, browser.Options{})
	p.Goto(site(t))
	if got, ok := browser.TryEval[string](p, "document.title"); got != "First" || !ok {
		t.Errorf("it answers %q, %t", got, ok)
	}
	if got, ok := browser.TryEval[bool](p, `(setTimeout(() => location.assign("/done?name=Ana")), new Promise(() => {}))`); ok {
		t.Errorf("a page that is gone answers %t", got)
	}
	if got := p.Text("h1"); got != "Hello Ana" {
		t.Errorf("it is at %q", got)
	}
}

func TestWithoutScript(t *testing.T) {
	p := browser.New(t, browser.Options{Width: 1280, Height: 800, NoScript: true})
	p.Goto(site(t))
	p.Click("#late")
	if p.Exists("#came") || browser.Eval[string](p, `document.getElementById("scheme").textContent`) != "" {
		t.Error("a script ran")
	}
	if got := browser.Eval[int](p, "innerWidth"); got != 1280 {
		t.Errorf("the viewport is %d wide", got)
	}
}

// recorder records the failures of a test.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(form string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(form, a...))
}

func TestAxeNamesTheRuleAndThePlace(t *testing.T) {
	p := browser.New(t, browser.Options{})
	p.Goto(site(t))
	p.Axe(t)
	browser.Eval[bool](p, `document.querySelector("label").remove(), true`)
	r := &recorder{TB: t}
	p.Axe(r)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "axe label") || !strings.Contains(r.errors[0], "#name") {
		t.Errorf("axe said %q", r.errors)
	}
	p.Goto(site(t))
	browser.Eval[bool](p, `document.body.append(Object.assign(document.createElement("iframe"), { title: "Another", srcdoc: "<h3>Alone</h3>" })), true`)
	if got := browser.Eval[string](p, `String([!!window.axe, !!frames[frames.length - 1].axe])`); got != "true,false" {
		t.Errorf("the next page has axe, and so has its frame: %s", got)
	}
}
