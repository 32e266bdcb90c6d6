package embedtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
)

const bar = "harbour/walkins"

// door is a visitor at a page with a walk-ins bar.
func door(t *testing.T, o *origin, attributes string, options ...browser.Options) *visit {
	t.Helper()
	v := open(t, o, `{v1}<main>`+tag("svc-walkins", `location="harbour" `+attributes)+`</main>`, options...)
	until(t, "the bar is asked for", func() bool { return len(o.fragments()) > 0 })
	return v
}

// label is the text of the bar.
func (v *visit) label() string {
	v.t.Helper()
	return eval[string](v, `document.querySelector("svc-walkins [data-pf=status] [data-pf=label]")?.innerText ?? ""`)
}

// beats lets 30 seconds go by, and waits for their requests.
func (v *visit) beats(o *origin) {
	v.t.Helper()
	n := len(o.fragments())
	v.run("beat()")
	until(v.t, "the beat asks", func() bool { return len(o.fragments()) > n })
	v.rests()
}

// TestWalkinsBar shows the state, reports it to the page, and reloads every 30 seconds. E22, E115, E116, E128.
func TestWalkinsBar(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, `listing="sauna"`)
	v.shows("svc-walkins", "walkins")
	want := `[{"state":"open","level":"plenty","spotsOpen":7,"until":"2026-06-11T00:00:00Z","listing":"sauna"}]`
	if got := eval[string](v, "JSON.stringify(told)"); got != want {
		t.Errorf("the page was told %s", got)
	}
	if got := eval[[]int](v, "pending()"); !slices.Equal(got, []int{30_000}) {
		t.Errorf("the beats are %v", got)
	}
	for n := 2; n < 5; n++ {
		v.beats(o)
		if got := o.count(v1(bar)); got != n || eval[int](v, "pending().length") != 1 {
			t.Fatalf("after %d beats it asked %d times", n-1, got)
		}
	}
	if got := eval[int](v, "told.length"); got != 1 {
		t.Errorf("an unchanged door was told %d times", got)
	}
}

// TestEventsFollowTheState: on the tag itself, with exactly five keys, whenever something changed. E115, E116.
func TestEventsFollowTheState(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}`+tag("svc-walkins", `location="harbour"`)+`<script>heard = []; document.querySelector("svc-walkins").addEventListener("svc:walkins", e => heard.push([e.target.localName, e.type, ...Object.keys(e.detail)].join(" ")))</script>`)
	v.shows("svc-walkins", "walkins")
	for _, c := range []struct {
		says answer
		want string // the event, or nothing
	}{
		{html(openNow), `{"state":"open","level":"plenty","spotsOpen":7,"until":null,"listing":null}`},
		{html(openNow), ``},
		{html(walkins("open", "filling_up", 5, "5 spots open")), `{"state":"open","level":"filling_up","spotsOpen":5,"until":null,"listing":null}`},
		{answer{status: 500}, ``},
		{html(fullNow), `{"state":"full","level":"full","spotsOpen":0,"until":null,"listing":null}`},
		{html(closedNow), `{"state":"closed","level":null,"spotsOpen":0,"until":null,"listing":null}`},
		{answer{status: 204}, `{"state":"off","level":null,"spotsOpen":0,"until":null,"listing":null}`},
		{answer{status: 204}, ``},
		{html(busyNow).with("X-Svc-Until", "2026-06-11T01:00:00Z"), `{"state":"busy","level":"nearly_full","spotsOpen":1,"until":"2026-06-11T01:00:00Z","listing":null}`},
	} {
		o.say(v1(bar), c.says)
		v.run("told = []")
		v.beats(o)
		if got := eval[string](v, `told.map(d => JSON.stringify(d)).join()`); got != c.want {
			t.Errorf("%d %s: the page was told %q, not %q", c.says.status, c.says.body, got, c.want)
		}
	}
	for _, got := range eval[[]string](v, "heard") {
		if got != "svc-walkins svc:walkins state level spotsOpen until listing" {
			t.Errorf("the tag heard %q", got)
		}
	}
}

// TestUnchangedRefreshTouchesNothing. E132: not one mutation, and so nothing is announced.
func TestUnchangedRefreshTouchesNothing(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, "")
	v.shows("svc-walkins", "walkins")
	v.run(`watch(document)`)
	for range 3 {
		v.beats(o)
	}
	if got := eval[[]string](v, "changes"); len(got) > 0 {
		t.Errorf("it changed %q", got)
	}
}

// TestChangedRefreshSpeaksOnce: text and attributes change within the existing nodes, the focus stays, and the page's
// own additions stay too. E133.
func TestChangedRefreshSpeaksOnce(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, "")
	v.shows("svc-walkins", "walkins")
	v.run(`live = document.querySelector("[aria-live=polite]"); book = document.querySelector("[data-pf=book]"); book.classList.add("btn"); book.focus(); watch(document)`)
	o.say(v1(bar), html(busyNow))
	v.beats(o)
	if got := v.label(); got != "1 spot open" {
		t.Errorf("it says %q", got)
	}
	if !eval[bool](v, `live === document.querySelector("[aria-live=polite]") && live.isConnected && document.activeElement === book && book.className === "btn"`) {
		t.Error("the live region, the focus or the page's class is gone")
	}
	if got := eval[[]string](v, "changes.sort()"); !slices.Equal(got, []string{"attributes", "attributes", "attributes", "characterData"}) {
		t.Errorf("it changed %q: three attributes and one text would do", got)
	}
	o.say(v1(bar), html(closedNow))
	v.beats(o)
	if !eval[bool](v, `live.isConnected && !live.hasAttribute("data-pf-level") && live.dataset.pfState === "closed"`) {
		t.Errorf("when closed it is %s", eval[string](v, "live.outerHTML"))
	}
	o.say(v1(bar), html(strings.Replace(openNow, `<a data-pf="book"`, `<a target="_blank" data-pf="book"`, 1)+" "))
	v.beats(o)
	if !eval[bool](v, `book.isConnected && book.target === "_blank" && live.dataset.pfLevel === "plenty"`) {
		t.Errorf("when open again it is %s", eval[string](v, "document.querySelector('svc-walkins').outerHTML"))
	}
	o.say(v1(bar), html(`<div data-pf="walkins" data-pf-v="1"><span data-pf="status" data-pf-state="full" data-pf-spots="0" aria-live="polite"><span data-pf="label">Full</span></span></div>`))
	v.beats(o)
	if got := eval[string](v, `document.querySelector("svc-walkins").innerText.trim()`); got != "Full" || !eval[bool](v, "live.isConnected && !book.isConnected") {
		t.Errorf("with less to say it says %q", got)
	}
}

// TestHiddenTabAsksNothing: it requests nothing, and reloads at once when it becomes visible again, each time. E129,
// E130, E131.
func TestHiddenTabAsksNothing(t *testing.T) {
	// Serial: it hides its tab.
	o := newOrigin(t).usual()
	v := door(t, o, "", browser.Options{Whole: true})
	v.shows("svc-walkins", "walkins")
	for n := 2; n < 5; n++ {
		v.Hide()
		v.run("beat(); beat()")
		v.rests()
		if got := eval[[]int](v, "pending()"); len(got) > 0 || o.count(v1(bar)) != n-1 {
			t.Fatalf("a hidden tab asked %d times, and would again: %v", o.count(v1(bar)), got)
		}
		o.say(v1(bar), html(walkins("open", "plenty", n, fmt.Sprintf("%d spots open", n))))
		v.Show()
		v.becomes(fmt.Sprintf(`document.querySelector("svc-walkins").innerText.includes("%d spots open")`, n))
		if got := o.count(v1(bar)); got != n || !slices.Equal(eval[[]int](v, "pending()"), []int{30_000}) {
			t.Fatalf("looked at again, it asked %d times", got)
		}
	}
}

// TestOpenedInTheBackground: a tab that was never visible requests nothing. E129, E130.
func TestOpenedInTheBackground(t *testing.T) {
	// Serial: it hides its tab.
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}<main></main>`, browser.Options{Whole: true})
	v.becomes("defined.length === 7")
	v.Hide()
	v.run(`document.querySelector("main").innerHTML = '<svc-walkins location="harbour"></svc-walkins>'`)
	v.rests()
	if n := len(o.fragments()); n != 0 {
		t.Errorf("it asked %d times", n)
	}
	v.Show()
	v.shows("svc-walkins", "walkins")
}

// TestBackAgain: a page from the back-forward cache reloads at once when the visitor returns to it. E130.
func TestBackAgain(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, "")
	v.shows("svc-walkins", "walkins")
	o.say(v1(bar), html(busyNow))
	v.run(`dispatchEvent(new PageTransitionEvent("pageshow", {persisted: false}))`)
	v.rests()
	if n := o.count(v1(bar)); n != 1 {
		t.Errorf("a page that was only shown asked %d times", n)
	}
	v.run(`dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}))`)
	v.becomes(`document.querySelector("svc-walkins").innerText.includes("1 spot open")`)
	if n := eval[int](v, "pending().length"); n != 1 {
		t.Errorf("%d beats are under way", n)
	}
}

// TestOneBeatForAnAddress: tags that show the same share one timer and one request; one that leaves takes nothing
// with it, and the last one ends the beat. E131, E135.
func TestOneBeatForAnAddress(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, "")
	v.shows("svc-walkins", "walkins")
	v.run(`document.querySelector("main").insertAdjacentHTML("beforeend", '<svc-walkins location="harbour" hide-when="closed" theme="card"></svc-walkins><svc-walkins location="harbour" listing="sauna"></svc-walkins>')`)
	v.becomes(`document.querySelectorAll("[data-pf=walkins]").length === 3`)
	if got := o.fragments(); !slices.Equal(got, []string{bar, bar + "?listing=sauna"}) {
		t.Errorf("asked for %q", got)
	}
	o.say(v1(bar), html(busyNow))
	v.beats(o)
	if got := eval[string](v, `[...document.querySelectorAll("svc-walkins")].map(e => e.dataset.x ?? e.innerText.trim().slice(0, 6)).join()`); got != "1 spot,1 spot,1 spot" {
		t.Errorf("the bars say %q", got)
	}
	v.run(`document.querySelectorAll("svc-walkins")[0].remove(); document.querySelectorAll("svc-walkins")[1].remove()`)
	v.rests()
	if n := eval[int](v, "pending().length"); n != 1 {
		t.Errorf("%d beats are left for one bar", n)
	}
	v.run(`bar = document.querySelector("svc-walkins"); bar.remove()`)
	v.rests()
	before := len(o.fragments())
	v.run("beat(); document.dispatchEvent(new Event('visibilitychange'))")
	v.rests()
	if n := eval[int](v, "pending().length"); n != 0 || len(o.fragments()) != before {
		t.Errorf("without a bar there are %d beats and %d more requests", n, len(o.fragments())-before)
	}
	v.run(`document.querySelector("main").append(bar)`)
	until(t, "it asks at once when it is back", func() bool { return len(o.fragments()) == before+1 })
}

// TestFailedRefresh keeps the current content, and the next interval tries again. E134, E4.
func TestFailedRefresh(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := door(t, o, "")
	v.shows("svc-walkins", "walkins")
	v.run("watch(document)")
	for _, bad := range []answer{{status: 500}, {status: 502, body: busyNow}, {status: 429}, {drop: true}, {}, html("<h1>Busy</h1>")} {
		o.say(v1(bar), bad)
		v.beats(o)
	}
	v.Offline(true)
	v.run("beat()")
	v.rests()
	v.Offline(false)
	if got := eval[[]string](v, "changes"); len(got) > 0 || v.label() != "7 spots open" {
		t.Errorf("it says %q after %q", v.label(), got)
	}
	o.say(v1(bar), html(busyNow))
	v.beats(o)
	if got := v.label(); got != "1 spot open" {
		t.Errorf("afterwards it says %q", got)
	}

	o = newOrigin(t).say(v1(bar), answer{status: 503})
	v = door(t, o, "")
	v.keepsFallback("svc-walkins")
	o.say(v1(bar), html(openNow))
	v.beats(o)
	if got := v.label(); got != "7 spots open" {
		t.Errorf("when it works at last it says %q", got)
	}
}

// TestUnknownListing keeps the fallback, warns once however often it is refused, and never reports that walk-ins are
// closed. E68.
func TestUnknownListing(t *testing.T) {
	t.Parallel()
	unknown := answer{status: 404, body: closedNow}.with("X-Svc-Walkins", "unknown_listing")
	o := newOrigin(t).usual().say(v1(bar+"?listing=nope"), unknown)
	v := door(t, o, `listing="nope"`)
	v.keepsFallback("svc-walkins")
	v.beats(o)
	v.run(`document.body.insertAdjacentHTML("beforeend", '<svc-walkins location="harbour" listing="nope"></svc-walkins>')`)
	v.rests()
	v.keepsFallback("svc-walkins")
	if got := eval[[]string](v, "warned"); len(got) != 1 || !strings.Contains(got[0], "nope") || !strings.Contains(got[0], "harbour") {
		t.Errorf("it warns %q", got)
	}
	if n := eval[int](v, "told.length"); n != 0 {
		t.Errorf("the page was told %d times", n)
	}

	// A listing that goes away takes the bar with it; one that is collapsed has its fallback back.
	for name, first := range map[string]answer{"open": html(openNow), "collapsed": {status: 204}} {
		o := newOrigin(t).usual().say(v1(bar+"?listing=sauna"), first)
		v := door(t, o, `listing="sauna"`)
		v.becomes(`!document.querySelector("svc-walkins").innerText.includes("Book at")`)
		o.say(v1(bar+"?listing=sauna"), unknown)
		v.beats(o)
		v.keepsFallback("svc-walkins")
		if got := eval[[]string](v, "warned"); len(got) != 1 {
			t.Errorf("%s: it warns %q", name, got)
		}
	}
}

// TestCollapse: which states render nothing, without reserved height, and come back. E71, E72.
func TestCollapse(t *testing.T) {
	t.Parallel()
	says := map[string]answer{
		"open": html(openNow), "busy": html(busyNow), "full": html(fullNow), "closed": html(closedNow), "off": {status: 204},
		"unknown": html(walkins("paused", "", 0, "Paused")),
	}
	cases := []struct{ hide, collapses string }{
		{``, "off unknown"},
		{`hide-when=""`, "off unknown"},
		{`hide-when="off"`, "off unknown"},
		{`hide-when="closed"`, "closed off unknown"},
		{`hide-when="full"`, "full off unknown"},
		{`hide-when="closed full"`, "closed full off unknown"},
		{`hide-when="closed, full,off"`, "closed full off unknown"},
		{`hide-when="nonsense"`, "off unknown"},
	}
	page := `{v1}<style>svc-walkins { padding: 1em; border: 1px solid }</style>`
	for _, c := range cases {
		page += tag("svc-walkins", `location="harbour" `+c.hide)
	}
	o := newOrigin(t).usual()
	v := open(t, o, page)
	v.becomes(`document.querySelectorAll("[data-pf=walkins]").length === 8`)
	for _, state := range []string{"closed", "open", "full", "off", "busy", "unknown", "open"} {
		o.say(v1(bar), says[state])
		v.beats(o)
		gone := eval[[]bool](v, `[...document.querySelectorAll("svc-walkins")].map(e => e.offsetHeight === 0 && e.getClientRects().length === 0 && !e.hasChildNodes())`)
		for i, c := range cases {
			if gone[i] != strings.Contains(c.collapses, state) {
				t.Errorf("%s, %s: collapsed is %v", c.hide, state, gone[i])
			}
		}
	}
}

// TestCollapsedFromTheStart: the fallback goes too, and the attribute works when it changes. E71, E72, E5.
func TestCollapsedFromTheStart(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1(bar), html(closedNow))
	v := door(t, o, `hide-when="closed"`)
	v.becomes(`document.querySelector("svc-walkins").offsetHeight === 0`)
	v.run(`bar = document.querySelector("svc-walkins"); bar.removeAttribute("hide-when")`)
	v.becomes(`bar.offsetHeight > 0 && bar.innerText.includes("Closed")`)
	v.run(`bar.setAttribute("hide-when", "full closed")`)
	v.becomes(`bar.offsetHeight === 0 && !bar.hasChildNodes()`)
	if n := o.count(v1(bar)); n != 1 {
		t.Errorf("the attribute asked %d times", n)
	}
	// A copy of a page keeps the tag as it was: it is not hidden for ever.
	v.run(`document.querySelector("main").append(copy = bar.cloneNode(true)); bar.remove(); copy.removeAttribute("hide-when")`)
	v.becomes(`copy.offsetHeight > 0 && copy.innerText.includes("Closed")`)
	// And content hidden by the page itself stays hidden.
	v.run(`copy.remove(); document.querySelector("main").innerHTML = '<svc-walkins hidden location="harbour">Book</svc-walkins>'`)
	v.becomes(`document.querySelector("svc-walkins").textContent.includes("Closed")`)
	if eval[int](v, `document.querySelector("svc-walkins").offsetHeight`) != 0 {
		t.Error("a tag that the page hides is shown")
	}
}

// TestBookLink: the service determines its target; the script adds the customer's source. E70, E73.
func TestBookLink(t *testing.T) {
	t.Parallel()
	there := strings.Replace(openNow, `<a data-pf="book" href="{base}/harbour"`, `<a data-pf="book" target="_blank" rel="noopener" href="{base}/harbour/sauna"`, 1)
	o := newOrigin(t).usual().say(v1(bar+"?book=sauna&target=_blank"), html(there))
	v := door(t, o, `book="sauna" target="_blank"`)
	v.shows("svc-walkins", "walkins")
	got := eval[[]string](v, `(a => [a.href, a.target, a.rel])(document.querySelector("[data-pf=book]"))`)
	want := []string{o.URL + "/harbour/sauna?ref=" + eval[string](v, "encodeURIComponent(location.href)"), "_blank", "noopener"}
	if !slices.Equal(got, want) {
		t.Errorf("the link is %q, not %q", got, want)
	}
	for _, other := range []string{"_self", "_parent", "_top", "shop", ""} {
		v.run(fmt.Sprintf(`document.querySelector("svc-walkins").setAttribute("target", "%s")`, other))
		v.rests()
	}
	if got := o.fragments(); !slices.Equal(got, []string{bar + "?book=sauna&target=_blank", bar + "?book=sauna&target=_self", bar + "?book=sauna"}) {
		t.Errorf("asked for %q", got)
	}
}

// TestBeatsGoOnByThemselves: with a clock that runs 600 times as fast and no calls of the test, it reloads again and
// again, and each time waits for half a minute first. E128, E131.
func TestBeatsGoOnByThemselves(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := website(t, o, map[string]string{"/": `{v1}` + tag("svc-walkins", `location="harbour"`)})
	v.Page = browser.New(t, browser.Options{})
	v.Before(`waits = []; { const soon = setTimeout; window.setTimeout = (run, ms) => { waits.push(ms); return soon(run, ms / 600) } }`)
	v.Goto(v.site + "/")
	v.shows("svc-walkins", "walkins")
	before := o.count(v1(bar))
	until(t, "it asked four times more", func() bool { return o.count(v1(bar)) >= before+4 })
	asked := o.count(v1(bar))
	waits := slices.DeleteFunc(eval[[]int](v, "waits"), func(ms int) bool { return ms <= 1500 }) // those are for sheets
	if slices.Min(waits) != 30_000 || slices.Max(waits) != 30_000 || len(waits) < asked {
		t.Errorf("it asked %d times and waited for %v", asked, waits)
	}
}
