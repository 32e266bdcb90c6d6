package cssguard_test

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/cssguard"
)

var (
	drawn = flag.Int("sheets", 0, "accepted random sheets that Chromium wears, instead of the length of the walk; it runs out of something after some thousands")
	first = flag.Int("seed", 0, "where the random sheets begin")
)

// TestChromiumAsksHTTPSOnly: Chromium wears every accepted sheet of the tables and some hundred random ones, which
// try to reach a plain server and to restyle the page around the tags: neither happens. Sheets that are refused do
// both, so the test can see it. E92a, E92c, E92d, E92e, E92g.
func TestChromiumAsksHTTPSOnly(t *testing.T) {
	w := newWardrobe(t)
	var worn []string
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		worn = append(worn, accepted[name]...)
	}
	seen, random := len(worn), *drawn
	if random == 0 {
		random = walks.Steps(75, 1500)
	}
	for seed := *first; len(worn) < seen+random; seed++ {
		if seed > *first+50*(seen+random) {
			t.Fatal("the grammar draws next to no sheet that is accepted")
		}
		if sheet := sheets().Example(seed); w.passes(sheet) {
			worn = append(worn, sheet)
		}
	}
	for _, sheet := range controls {
		if w.passes(sheet) {
			t.Errorf("%q is accepted, and shall be the proof of a refusal", sheet)
		}
	}
	results := w.wear(append(worn, controls...))
	for i, sheet := range worn {
		if r := results[i]; r.asked != "" || r.restyled {
			t.Errorf("%q asks for %q, and restyles the page: %v", sheet, r.asked, r.restyled)
		}
	}
	for i, sheet := range controls {
		if r := results[len(worn)+i]; r.asked == "" && !r.restyled {
			t.Errorf("the refused sheet %q does no harm: the test proves nothing", sheet)
		}
	}
	t.Logf("%d sheets of the tables, %d random ones", seen, len(worn)-seen)
}

// controls are refused sheets, with forbidden effects in Chromium.
var controls = []string{
	"svc-times{background:url(HIT)}",
	"svc-times{background:u\\72l(HIT)}",
	"svc-times{background:url('ht\\74p:RESTHIT')}",
	"svc-times{background:url(RELHIT)}",
	"svc-times{background:url('//HOSTHIT')}",
	"svc-times{background:image-set('HIT' 1x)}",
	"svc-times{--b:'HIT';background:image-set(var(--b) 1x)}",
	"svc-times{--b:url(HIT);background:var(--b)}",
	"svc-times{p{@media screen{background:-webkit-image-set(url(RELHIT) 1x)}}}",
	"@\\69mport 'HIT';",
	"svc-times:has(~ input[value^='s']){background:url(HIT)}",
	"p{outline:5px solid red}",
	"svc-times, p{outline:5px solid red}",
	":is(svc-times, p){outline:5px solid red}",
	"svc-times + p{outline:5px solid red}",
	"svc-times/**/~/**/p{outline:5px solid red}",
	"svc-times{+ p{outline:5px solid red}}",
	"svc-times{&:not(a) + p{outline:5px solid red}}",
	"svc-times{:not(&){outline:5px solid red}}",
	"svc-times{main:has(&){outline:5px solid red}}",
	"svc-times{outline:{} + p{outline:5px solid red}}",
	"@media screen{main{outline:5px solid red}}",
	"<!-- p{outline:5px solid red}",
}

// wardrobe is a plain server of pages that wear a sheet each. Every other request to it is harm.
type wardrobe struct {
	t    *testing.T
	url  string
	page *browser.Page

	mu     sync.Mutex
	sheets []string
	asked  map[int]string // by sheet
}

// fitting is the effect of a sheet.
type fitting struct {
	asked    string // the address that Chromium requested
	restyled bool   // something around the tags looks different
}

func newWardrobe(t *testing.T) *wardrobe {
	w := &wardrobe{t: t, asked: map[int]string{}}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.page = browser.New(t, browser.Options{Width: 800, Height: 600})
	return w
}

// passes reports whether a sheet of the tables or the grammar is accepted once its addresses are filled in.
func (w *wardrobe) passes(sheet string) bool {
	_, refused := cssguard.Check(w.aimed(sheet, 0))
	return refused == nil
}

// aimed fills in the addresses of a sheet: they tell which sheet they were in.
func (w *wardrobe) aimed(sheet string, n int) string {
	path := "/hit/" + strconv.Itoa(n)
	rest := strings.TrimPrefix(w.url, "http:")
	return strings.NewReplacer("RESTHIT", rest+path, "HOSTHIT", rest[2:]+path, "RELHIT", path, hit, w.url+path,
		"http://x", w.url+path, "http://y", w.url+path).Replace(sheet)
}

// around is the page around the tags; a sheet may not restyle it. It uses the names of the rules that the grammar
// draws.
const around = `<main class="a"><p>p</p><div data-pf="item"><a href="#">a</a></div><input value="secret"><p id="b">p</p>%s<input value="secret"><a class="a">a</a><div><p class="a">p</p></div></main>`

const tagBody = `<div data-pf="item"><p>p</p><p class="a">p <a href="#">a</a> <a>a</a></p><p id="b">p</p></div><p data-pf="head">p</p><p>p</p>`

// fit runs at the end of a page, when its sheet has loaded: reading the styles starts the loading of pictures, and
// the page's load event waits for them.
const fit = `<script>
const look = e => ["", "::before", "::after"].map(part => { const s = getComputedStyle(e, part); return [s.outline, s.backgroundImage, s.color, s.content, s.listStyle, s.maskImage, s.cursor].join() }).join()
const tags = [...document.querySelectorAll("svc-times,svc-schedule,svc-classes,svc-appointments,svc-rentals,svc-listings,svc-walkins")]
const inTag = e => tags.some(t => t.contains(e))
const all = [...document.querySelectorAll("*")]
all.forEach(look)
window.looks = all.filter(e => !inTag(e)).map(look).join("\n")
</script>`

func (w *wardrobe) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	n, err := strconv.Atoi(rest)
	show := func(kind, body string) {
		rw.Header().Set("Content-Type", "text/"+kind+"; charset=utf-8")
		_, _ = io.WriteString(rw, body)
	}
	switch {
	case r.URL.Path == "/":
		show("html", "<!doctype html><title>The wardrobe</title>")
	case kind == "sheet" && err == nil && r.URL.RawQuery == "":
		show("css", w.sheets[n])
	case kind == "page" && err == nil && r.URL.RawQuery == "":
		var tags strings.Builder
		for _, tag := range []string{"svc-times", "svc-schedule", "svc-classes", "svc-appointments", "svc-rentals", "svc-listings", "svc-walkins"} {
			fmt.Fprintf(&tags, `<%[1]s location="a" class="a">%[2]s</%[1]s><p>p</p>`, tag, tagBody)
		}
		show("html", fmt.Sprintf(`<!doctype html><html lang="en"><title>%d</title><link rel="stylesheet" href="/sheet/%d"><body>`+around+fit, n, n, tags.String()))
	default:
		w.harm(r)
		http.NotFound(rw, r)
	}
}

// harm records a request that no page makes by itself, with the sheet it comes from; -1 when that is not to be seen.
func (w *wardrobe) harm(r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/hit/"))
	if err != nil {
		n, err = strconv.Atoi(strings.TrimPrefix(r.Header.Get("Referer"), w.url+"/sheet/"))
	}
	if err != nil {
		n = -1
	}
	w.mu.Lock()
	w.asked[n] = r.URL.String()
	w.mu.Unlock()
}

// wear shows every sheet in a frame of its own, some frames at a time. Sheet 0 is empty: it shows how the page looks.
func (w *wardrobe) wear(list []string) []fitting {
	w.sheets = []string{""}
	for i, sheet := range list {
		w.sheets = append(w.sheets, w.aimed(sheet, i+1))
	}
	looks := make([]string, 0, len(w.sheets))
	const atOnce = 25
	for from := 0; from < len(w.sheets); from += atOnce {
		w.page.Goto(w.url + "/") // a fresh page: frames leave memory behind
		looks = append(looks, browser.Eval[[]string](w.page, fmt.Sprintf(`Promise.all(Array.from({length: %d}, (_, i) => new Promise(done => {
			const f = document.createElement("iframe")
			const over = () => { let looks; try { looks = f.contentWindow.looks } catch (e) { looks = String(e) } done(looks || "nothing"); f.remove() }
			f.width = 700
			f.onload = () => requestAnimationFrame(() => setTimeout(over, 50))
			setTimeout(over, 8000) // an https address may never answer
			f.src = "/page/" + (%d + i)
			document.body.append(f)
		})))`, min(atOnce, len(w.sheets)-from), from))...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if asked := w.asked[-1]; asked != "" {
		w.t.Errorf("one of the sheets asks for %s", asked)
	}
	if len(looks[0]) < 500 {
		w.t.Fatalf("the page looks like %q", looks[0])
	}
	out := make([]fitting, len(list))
	for i := range list {
		out[i] = fitting{w.asked[i+1], looks[i+1] != looks[0]}
	}
	return out
}
