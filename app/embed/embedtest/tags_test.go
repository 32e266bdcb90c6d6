package embedtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
)

const snippet = `{v1}
<svc-schedule location="harbour"><a href="{base}/harbour">Book at Harbour Yoga</a></svc-schedule>`

// TestTagWorksWhereverTheScriptStands. E1, and E149: the first row is the snippet as studios get it.
func TestTagWorksWhereverTheScriptStands(t *testing.T) {
	t.Parallel()
	bare := tag("svc-schedule", `location="harbour"`)
	v := open(t, newOrigin(t).usual(), "")
	inject := `<script>setTimeout(() => document.body.append(Object.assign(document.createElement("script"), {src: "{base}/embed/v1.js"})), 50)</script>`
	for name, page := range map[string]string{
		"the snippet":                    snippet,
		"script after the tag":           bare + `{v1}`,
		"script in the head, at once":    `<head><script src="{base}/embed/v1.js"></script></head><p>Words</p>` + bare + `<p>More words</p>`,
		"nothing after the tag":          `<head><script src="{base}/embed/v1.js"></script></head><body>` + bare,
		"deferred":                       `<script defer src="{base}/embed/v1.js?v=3"></script>` + bare,
		"a module":                       `<script type="module" src="{base}/embed/v1.js"></script>` + bare,
		"injected later":                 bare + inject,
		"tag inserted later by script":   `{v1}<main></main><script>setTimeout(() => document.querySelector("main").innerHTML = '<svc-schedule location="harbour"></svc-schedule>', 300)</script>`,
		"made by script, then connected": `{v1}<script>setTimeout(() => { const s = document.createElement("svc-schedule"); s.setAttribute("location", "harbour"); document.body.append(s) }, 300)</script>`,
		"in a shadow root of the page":   `{v1}<div><template shadowrootmode="open">` + bare + `</template></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			v.t = t
			v.next(page)
			root := `document.querySelector('svc-schedule')`
			if strings.Contains(page, "shadowroot") {
				root = `document.querySelector('div').shadowRoot.querySelector('svc-schedule')`
			}
			v.becomes(root + `?.querySelector('[data-pf=schedule]') !== null && ` + root + ` !== null`)
			v.rests()
			if got := eval[int](v, root+`.childNodes.length`); got != 1 {
				t.Errorf("the tag has %d children: the fallback is still there", got)
			}
			if n := v.o.count(v1("harbour/schedule")); n != 1 {
				t.Errorf("asked %d times", n)
			}
			if said := v.Complaints(); len(said) > 0 {
				t.Errorf("the browser complains: %q", said)
			}
		})
	}
}

// TestPageThatArrivesSlowly: while the parser is still inside a tag, its later content is fallback. E1, E3.
func TestPageThatArrivesSlowly(t *testing.T) {
	t.Parallel()
	rest := make(chan struct{})
	o := newOrigin(t).usual()
	v := website(t, o, nil)
	v.site = serveAt(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, v.fill(`<!doctype html><head><script src="{base}/embed/v1.js"></script></head><body><svc-schedule location="harbour">`))
		w.(http.Flusher).Flush()
		<-rest
		_, _ = fmt.Fprint(w, `<a href="/book">Book at Harbour Yoga</a></svc-schedule>`)
	}))
	go func() {
		for o.count(v1("harbour/schedule")) == 0 {
			time.Sleep(time.Millisecond)
		}
		close(rest)
	}()
	v.come(browser.Options{})
	v.shows("svc-schedule", "schedule")
	v.rests()
	if eval[bool](v, `document.body.innerText.includes("Book at Harbour Yoga")`) {
		t.Error("the fallback stands beside the schedule")
	}
}

// TestScriptTwice: the elements are defined once, whichever copy comes first, and nothing is thrown. E2.
func TestScriptTwice(t *testing.T) {
	t.Parallel()
	v := open(t, newOrigin(t).usual(), `{v1}{v1}`+tag("svc-schedule", `location="harbour"`)+`<script src="{base}/embed/v1.js?again"></script>`)
	v.shows("svc-schedule", "schedule")
	v.rests()
	if n := v.o.count(v1("harbour/schedule")); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if got := eval[int](v, "defined.length"); got != 7 {
		t.Errorf("%d elements are defined", got)
	}
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// TestFallbackUntilTheScriptRuns. E3.
func TestFallbackUntilTheScriptRuns(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	script := o.answers["/embed/v1.js"]
	gate := make(chan struct{})
	script.wait = gate
	o.say("/embed/v1.js", script)
	v := website(t, o, map[string]string{"/": bareHead + tag("svc-schedule", `location="harbour"`)})
	v.come(browser.Options{})
	v.run(v.fill(`document.head.append(Object.assign(document.createElement("script"), {src: "{base}/embed/v1.js"}))`))
	if got := v.Text("svc-schedule"); got != "Book at Harbour Yoga" {
		t.Errorf("before the script the tag shows %q", got)
	}
	close(gate)
	v.shows("svc-schedule", "schedule")
}

const bareHead = `<meta name="viewport" content="width=device-width">`

// TestFallbackStays. E4, E153: nothing comes, or nothing that is a fragment.
func TestFallbackStays(t *testing.T) {
	t.Parallel()
	page := snippet + tag("svc-times", `location="harbour" listing="gone"`) + tag("svc-walkins", `location="harbour"`)
	o := newOrigin(t)
	v := open(t, o, "")
	for name, a := range map[string]answer{
		"unknown location":        {status: 404},
		"unknown, with a page":    {status: 404, body: timetable},
		"broken":                  {status: 500, body: timetable},
		"busy":                    {status: 503},
		"too many":                {status: 429},
		"cut off":                 {drop: true},
		"empty":                   {},
		"words":                   html("Sorry."),
		"a page of somebody else": html("<!doctype html><html><body><h1>Sign in to the Wi-Fi</h1></body></html>"),
		"another contract":        html(strings.ReplaceAll(timetable, `data-pf-v="1"`, `data-pf-v="2"`)),
		"the API's envelope":      {body: `{"error":{"code":"not_found"}}`, kind: "application/json"},
		"no content":              {status: 206},
	} {
		t.Run(name, func(t *testing.T) {
			v.t = t
			for _, path := range []string{"schedule", "times/gone", "walkins"} {
				o.say(v1("harbour/"+path), a)
			}
			v.next(page)
			for _, sel := range []string{"svc-schedule", "svc-times", "svc-walkins"} {
				v.keepsFallback(sel)
			}
			asked := o.fragments() // browsers try again where a connection was cut
			slices.Sort(asked)
			if got := slices.Compact(asked); len(got) != 3 {
				t.Errorf("asked for %q", got)
			}
			if said := eval[[]string](v, "warned"); len(said) > 0 {
				t.Errorf("it warns: %q", said)
			}
		})
	}
}

// TestFallbackStaysWithoutAnAddress: a tag without a required attribute sends no request. E4, E153.
func TestFallbackStaysWithoutAnAddress(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}`+tag("svc-schedule", "")+tag("svc-classes", `location=""`)+tag("svc-rentals", `location="  "`)+
		tag("svc-times", `location="harbour"`)+tag("svc-walkins", `listing="sauna"`))
	for _, sel := range []string{"svc-schedule", "svc-classes", "svc-rentals", "svc-times", "svc-walkins"} {
		v.keepsFallback(sel)
	}
	if asked := o.fragments(); len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
}

// TestFallbackWithoutScriptAndOffline. E4.
func TestFallbackWithoutScriptAndOffline(t *testing.T) {
	t.Parallel()
	v := open(t, newOrigin(t).usual(), snippet, browser.Options{NoScript: true})
	if got := v.Text("svc-schedule"); got != "Book at Harbour Yoga" {
		t.Errorf("without script the tag shows %q", got)
	}

	o := newOrigin(t).usual()
	v = open(t, o, `{v1}<main></main>`)
	v.becomes(`defined.length === 7`)
	v.Offline(true)
	v.run(`document.querySelector("main").innerHTML = '<svc-schedule location="harbour">Book at Harbour Yoga</svc-schedule>'`)
	v.keepsFallback("svc-schedule")
	if n := len(o.fragments()); n != 0 {
		t.Errorf("%d requests arrived without a network", n)
	}
}

// TestTagsOfSiteBuilders sets attributes after connecting, several at once, moves, removes and connects again. E5.
func TestTagsOfSiteBuilders(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	o.say(v1("annexe/classes"), html(list("class", "tango")))
	v := open(t, o, `{v1}<main></main><aside></aside>`)
	v.becomes(`defined.length === 7`)
	v.run(`tag = document.createElement("svc-times"); tag.append("Book"); document.querySelector("main").append(tag)`)
	v.rests()
	v.run(`tag.setAttribute("listing", "sunrise"); tag.setAttribute("theme", "card"); tag.setAttribute("location", "harbour")`)
	v.shows("svc-times", "times")
	if got := o.fragments(); !slices.Equal(got, []string{"harbour/times/sunrise"}) {
		t.Errorf("asked for %q", got)
	}

	v.run(`tag = document.createElement("svc-classes"); tag.setAttribute("location", "harbour"); document.querySelector("main").append("", tag)`)
	v.shows("svc-classes", "list")
	v.run(`tag.append("Book"); tag.lastChild.remove(); watch(tag); list = tag.firstChild; for (let i = 0; i < 20; i++) document.querySelector(i % 2 ? "main" : "aside").append(tag)`)
	v.rests()
	if n := v.o.count(v1("harbour/classes")); n != 1 || !eval[bool](v, `changes.length === 0 && tag.firstChild === list`) {
		t.Errorf("moved about, it asked %d times and changed %v", n, eval[[]string](v, "changes"))
	}
	v.run(`tag.remove()`)
	v.rests()
	v.run(`document.querySelector("main").append(tag)`)
	until(t, "it asks again after a time away", func() bool { return v.o.count(v1("harbour/classes")) == 2 })
	v.rests()
	if !eval[bool](v, `changes.length === 0 && tag.firstChild === list`) {
		t.Errorf("what had not changed was written again: %v", eval[[]string](v, "changes"))
	}

	v.run(`tag.setAttribute("location", "annexe")`)
	v.becomes(`tag.innerText.includes("tango")`)
}

// TestOtherPlaceShowsNothingOfTheFirst: an attribute leads to an address that is not there, and the fallback is back.
// E4, E5.
func TestOtherPlaceShowsNothingOfTheFirst(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("broken/schedule"), answer{status: 500})
	v := open(t, o, snippet)
	for _, other := range []string{`setAttribute("location", "gone")`, `setAttribute("location", "broken")`, `removeAttribute("location")`} {
		v.run(`document.querySelector("svc-schedule").setAttribute("location", "harbour")`)
		v.shows("svc-schedule", "schedule")
		v.run(`document.querySelector("svc-schedule").` + other)
		v.becomes(`!document.querySelector("[data-pf]")`)
		v.keepsFallback("svc-schedule")
	}
}

// TestLateAnswerOfAnEarlierAddress is not shown. E5.
func TestLateAnswerOfAnEarlierAddress(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	slow := html(list("class", "slow"))
	slow.wait = gate
	o := newOrigin(t).usual().say(v1("slow/classes"), slow)
	v := open(t, o, `{v1}`+tag("svc-classes", `location="slow"`))
	until(t, "it asks", func() bool { return o.count(v1("slow/classes")) == 1 })
	v.run(`document.querySelector("svc-classes").setAttribute("location", "harbour")`)
	v.shows("svc-classes", "list")
	close(gate)
	v.rests()
	if got := v.Text("svc-classes"); !strings.Contains(got, "sunrise") {
		t.Errorf("it shows %q", got)
	}
}

// TestTagsInASiteBuildersFrame: the theme carries the branding inside the frame, links open in a new tab, and report
// it to the page around the frame. E6.
func TestTagsInASiteBuildersFrame(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("themes/clean.css"), sheet("svc-times [data-pf=name]{color:rgb(1,2,3)}"))
	v := open(t, o, `{v1}`+tag("svc-schedule", `location="harbour"`)+`<iframe src="/inner"></iframe>`)
	v.print("/inner", `{v1}`+tag("svc-times", `location="harbour" listing="sunrise"`)+tag("svc-walkins", `location="harbour" target="_self"`))
	v.Goto(v.site + "/")
	v.becomes(`!!frames[0].document.querySelector('[data-pf=times]') && !!frames[0].document.querySelector('[data-pf=walkins]')`)
	if !eval[bool](v, `[...frames[0].document.querySelectorAll("[data-pf] a")].every(a => a.target === "_blank" && a.relList.contains("noopener"))`) {
		t.Error("a link in the frame stays in it")
	}
	if !eval[bool](v, `frames[0].document.querySelector("[data-pf=page]").relList.contains("next") && frames[0].document.querySelector("form").target === "_blank"`) {
		t.Error("the way to later times lost what it was")
	}
	if got := eval[string](v, `new URL(frames[0].document.querySelector("[data-pf=book]").href).searchParams.get("ref")`); got != v.site+"/" {
		t.Errorf("the frame's links say that the customer comes from %q", got)
	}
	if got := eval[[]string](v, `[...frames[0].document.querySelectorAll("link[rel=stylesheet]")].map(l => l.href)`); !slices.Equal(got, []string{o.URL + v1("themes/clean.css")}) {
		t.Errorf("the sheets in the frame are %q", got)
	}
	if got := eval[string](v, `frames[0].getComputedStyle(frames[0].document.querySelector("[data-pf=name]")).color`); got != "rgb(1, 2, 3)" {
		t.Errorf("in the frame the theme carries no look: %s", got)
	}
	v.shows("svc-schedule", "schedule")
	if eval[bool](v, `[...document.querySelectorAll("[data-pf] a")].some(a => a.target || a.rel)`) {
		t.Error("a link on the page itself opens elsewhere")
	}
	// Later times still come in place.
	v.run(`frames[0].document.querySelector("[data-pf=page]").click()`)
	v.becomes(`frames[0].document.querySelector("[data-pf=day-name]").innerText === "June 11"`)
}

// TestPageKeepsWhatItWas: the script adds its elements, links to its sheets, and the content of its tags. E8, E9.
func TestPageKeepsWhatItWas(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	o.say(v1("harbour/schedule"), html(timetable).with("X-Svc-Css", "1")).say(v1("harbour/custom.css"), sheet("svc-schedule p{color:red}"))
	v := open(t, o, tag("svc-schedule", `location="harbour"`)+tag("svc-walkins", `location="harbour"`))
	// The same host as the service's, so that a cookie would travel if the script sent one.
	v.site = strings.Replace(v.site, "localhost", "127.0.0.1", 1)
	v.Goto(v.site + "/")
	v.run(`document.cookie = "visitor=ana"; names = new Set(Object.getOwnPropertyNames(window)); names.add("names"); before = document.head.childElementCount; names.add("before");
		outside = () => { const copy = document.documentElement.cloneNode(true); copy.querySelectorAll("svc-schedule, svc-walkins, link[rel=stylesheet], script").forEach(e => e.remove()); return copy.outerHTML };
		names.add("outside"); was = outside(); names.add("was")`)
	v.run(v.fill(`document.head.append(Object.assign(document.createElement("script"), {src: "{base}/embed/v1.js", crossOrigin: "anonymous"}))`))
	v.shows("svc-schedule", "schedule")
	v.shows("svc-walkins", "walkins")
	v.rests()
	if got := eval[[]string](v, `Object.getOwnPropertyNames(window).filter(n => !names.has(n))`); len(got) > 0 {
		t.Errorf("new globals: %q", got)
	}
	if got := eval[[]string](v, `[...document.querySelectorAll("link")].map(l => l.href)`); !slices.Equal(got, []string{o.URL + v1("themes/clean.css"), o.URL + v1("harbour/custom.css")}) {
		t.Errorf("the links are %q", got)
	}
	if !eval[bool](v, `outside() === was`) {
		t.Errorf("the page became %s", eval[string](v, "outside()"))
	}
	if got := eval[string](v, `document.cookie + localStorage.length + sessionStorage.length`); got != "visitor=ana00" {
		t.Errorf("kept in the browser: %q", got)
	}
	if said := eval[[]string](v, `[...document.querySelector("svc-schedule").attributes, ...document.querySelector("svc-walkins").attributes].map(a => a.name)`); !slices.Equal(said, []string{"location", "location"}) {
		t.Errorf("the tags have the attributes %q", said)
	}
	if got := eval[[]string](v, `performance.getEntriesByType("resource").map(e => new URL(e.name).origin)`); slices.ContainsFunc(got, func(s string) bool { return s != o.URL && s != v.site }) {
		t.Errorf("it talked to %q", got)
	}
	for _, r := range o.asked {
		if r.Header.Get("Cookie")+r.Header.Get("Authorization") != "" {
			t.Errorf("%s was sent with %q", r.URL, r.Header.Get("Cookie"))
		}
		if r.Method != http.MethodGet {
			t.Errorf("%s %s: a fragment needs no preflight", r.Method, r.URL)
		}
	}
}

// TestPropertiesOfTags: frameworks set an attribute as a property where the element has one, so it has none. E5, E8.
func TestPropertiesOfTags(t *testing.T) {
	t.Parallel()
	v := open(t, newOrigin(t).usual(), `{v1}`)
	v.becomes(`defined.length === 7`)
	if got := eval[[]string](v, `(() => { const found = []; const e = document.createElement("svc-walkins"); for (const n in e) if (!(n in document.createElement("svc-none"))) found.push(n); return found })()`); !slices.Equal(got, []string{}) {
		t.Errorf("a tag has properties of its own: %q", got)
	}
}

// TestSevenTagsAndTheirAddresses: the request of each tag, and that it shows the answer. E10, E11, E12, E13, E14,
// E15, E16, E17, E18, E21, E22, E23, E97.
func TestSevenTagsAndTheirAddresses(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}<main></main>`)
	v.becomes(`defined.length >= 7`)
	want := []string{"svc-schedule", "svc-classes", "svc-appointments", "svc-rentals", "svc-listings", "svc-times", "svc-walkins"}
	if got := eval[[]string](v, "defined"); !slices.Equal(got, want) {
		t.Fatalf("the tags are %q", got)
	}
	for _, c := range []struct{ tag, attributes, asks string }{
		{"svc-schedule", `location="harbour"`, "harbour/schedule"},
		{"svc-schedule", `location=" harbour " group="x" listing="y" after="z" class="wide" data-x="1"`, "harbour/schedule"},
		{"svc-classes", `location="harbour" theme="card"`, "harbour/classes"},
		{"svc-appointments", `location="harbour" theme="studio"`, "harbour/appointments"},
		{"svc-rentals", `location="harbour" theme="none"`, "harbour/rentals"},
		{"svc-listings", `location="harbour" theme="nonsense"`, "harbour/listings"},
		{"svc-listings", `location="harbour" group=""`, "harbour/listings"},
		{"svc-listings", `location="harbour" group="Kids &amp; Teens"`, "harbour/listings?group=Kids+%26+Teens"},
		{"svc-times", `location="harbour" listing="sunrise"`, "harbour/times/sunrise"},
		{"svc-walkins", `location="harbour"`, "harbour/walkins"},
		{"svc-walkins", `location="harbour" listing="sauna" target="_top"`, "harbour/walkins?listing=sauna"},
		{"svc-walkins", `location="harbour" listing="sauna, pool" book="sauna" hide-when="closed" target="_blank"`, "harbour/walkins?listing=sauna%2Cpool&book=sauna&target=_blank"},
		{"svc-schedule", `location="a/b?c#d"`, "a%2Fb%3Fc%23d/schedule"},
	} {
		before := len(o.fragments())
		v.run(fmt.Sprintf("document.querySelector('main').innerHTML = `%s`", v.fill(tag(c.tag, c.attributes))))
		until(t, c.attributes, func() bool { return len(o.fragments()) > before })
		if got := o.fragments()[before]; got != c.asks {
			t.Errorf("%s %s asks for %s, not %s", c.tag, c.attributes, got, c.asks)
		}
		if !strings.HasPrefix(c.asks, "harbour") {
			continue
		}
		v.shows(c.tag, map[bool]string{true: "items", false: "status"}[c.tag != "svc-walkins"])
		v.keepsAttributes(c.tag, c.attributes)
	}
}

// keepsAttributes fails when a tag has not exactly the attributes it was pasted with. E12.
func (v *visit) keepsAttributes(sel, attributes string) {
	v.t.Helper()
	if !eval[bool](v, fmt.Sprintf("(() => { const e = document.createElement('div'); e.innerHTML = `<%s %s></%[1]s>`; const own = document.querySelector('%[1]s'); "+
		"return own.cloneNode().outerHTML === e.firstChild.outerHTML })()", sel, attributes)) {
		v.t.Errorf("%s %s became %s", sel, attributes, eval[string](v, `document.querySelector("`+sel+`").cloneNode().outerHTML`))
	}
}

// TestOneRequestForEqualTags. E131.
func TestOneRequestForEqualTags(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}`+strings.Repeat(tag("svc-classes", `location="harbour"`)+tag("svc-walkins", `location="harbour"`), 3))
	v.becomes(`document.querySelectorAll("[data-pf=list], [data-pf=walkins]").length === 6`)
	if a, b := o.count(v1("harbour/classes")), o.count(v1("harbour/walkins")); a != 1 || b != 1 {
		t.Errorf("asked %d and %d times", a, b)
	}
}

// TestMarkupInThePage: hooks only, no class, no id, no style, no shadow, links to the booking page. E24, E25, E26,
// E30, E31, E150.
func TestMarkupInThePage(t *testing.T) {
	t.Parallel()
	v := open(t, newOrigin(t).usual(), `{v1}`+tag("svc-schedule", `location="harbour"`)+tag("svc-times", `location="harbour" listing="sunrise"`)+
		tag("svc-rentals", `location="harbour"`)+tag("svc-walkins", `location="harbour"`))
	v.becomes(`document.querySelectorAll("[data-pf-v='1']").length === 4`)
	v.rests()
	if got := eval[[]string](v, `[...document.querySelectorAll("[data-pf-v] *, [data-pf-v]")].flatMap(e => e.getAttributeNames()).filter(n => /^(class|id|style|on.*)$/.test(n))`); len(got) > 0 {
		t.Errorf("the page got %q", got)
	}
	if eval[bool](v, `[...document.querySelectorAll("body *")].some(e => e.shadowRoot) || !!document.querySelector("[data-pf] :is(script, style, iframe, link)")`) {
		t.Error("there is more than plain HTML")
	}
	if !eval[bool](v, v.fill(`[...document.querySelectorAll("[data-pf-v] a")].every(a => a.getAttribute("href").startsWith("{base}/harbour"))`)) {
		t.Error("a link leads away from the booking page")
	}
	if !eval[bool](v, `[...document.querySelectorAll("[data-pf=item] time")].every(time => time.closest("a") || time.closest("li").querySelector("a[data-pf=book]"))`) {
		t.Error("a time cannot be booked")
	}
}
