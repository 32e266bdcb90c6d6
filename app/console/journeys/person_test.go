package journeys_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
)

// person is a user of a browser. Buttons are found by their text, in the open dialog or else on the page.
type person struct {
	*browser.Page
	t      testing.TB
	s      *consoletest.Studio
	way    way
	keys   bool // without a pointer: everything is done with Tab, Enter, the space bar and letters
	clicks int
	inputs int // fields filled in and boxes ticked
	turn   string
}

// turns numbers the states of the pages: it counts the pages that Turbo has shown in this document. It also keeps the
// texts of toasts, which disappear after eight seconds, also on a slow machine.
const turns = `(() => {
	const turn = (window.turnOf = { n: 0, toasts: [] });
	for (const name of ["turbo:load", "turbo:render", "turbo:frame-load"]) addEventListener(name, () => { turn.n++; });
	new MutationObserver(() => {
		for (const toast of document.querySelectorAll("[data-toast]:not([data-heard])")) {
			toast.setAttribute("data-heard", "");
			turn.toasts.push(toast.textContent);
		}
	}).observe(document, { childList: true, subtree: true });
})()`

// come returns a new person with a browser of their own.
func come(t testing.TB, s *consoletest.Studio, w way) *person {
	t.Helper()
	o := browser.Options{
		Width: w.Width, Height: w.height(), NoScript: w.NoScript,
		Zone: "America/New_York", Whole: w.Clipboard, Camera: w.Camera,
	}
	p := &person{Page: browser.New(t, o), t: t, s: s, way: w}
	p.Before(turns)
	p.Focused()
	return p
}

// signedIn returns a person with a session, on Today.
func signedIn(t testing.TB, s *consoletest.Studio, w way, email string) *person {
	t.Helper()
	p := come(t, s, w)
	p.Goto(s.URL + "/livez")
	browser.Eval[string](p.Page, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", s.SignedIn(t, email).Session()))
	p.at("")
	return p
}

// at opens an address of the console, as a bookmark does.
func (p *person) at(path string) {
	p.t.Helper()
	p.Goto(p.s.URL + "/manage/" + p.s.Studio.Business.Slug + path)
	p.rests()
}

// quoted returns a text as a JavaScript literal.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// finder marks the first visible element with a text, and returns its kind: "" for none yet. A label for screen
// readers counts like visible text, and a prefix counts when no text is equal. The key beside a word is not part of
// it.
const finder = `((what, kinds) => {
	for (const e of document.querySelectorAll("[data-found]")) e.removeAttribute("data-found");
	const key = (e) => [...e.querySelectorAll("kbd")].map((k) => k.innerText).join("");
	const word = (e) => key(e) && e.innerText.trimEnd().endsWith(key(e)) ? e.innerText.trimEnd().slice(0, -key(e).length) : e.innerText;
	const said = (e) => [e.getAttribute("aria-label"), word(e)].map((s) => (s ?? "").trim().replace(/\s+/g, " "));
	const root = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
	const seen = [...root.querySelectorAll(kinds)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
	const found = seen.find((e) => said(e).includes(what)) ?? seen.find((e) => said(e).some((s) => s.startsWith(what)));
	if (!found) return "";
	found.setAttribute("data-found", "");
	return found.matches("a[href]:not([href^='#']), button:not([type=button]), input[type=submit]") && !found.closest("form[method=dialog]") ? "goes" : "stays";
})`

const pressed = "a[href], button, summary, label, [role=button]"

// press presses the element with that text, and waits for the result.
func (p *person) press(what string) {
	p.t.Helper()
	kind := ""
	p.steadily(func() {
		p.until(fmt.Sprintf("there is %q to press", what), func() bool {
			kind = asks[string](p, fmt.Sprintf("%s(%s, %s)", finder, quoted(what), quoted(pressed)))
			return kind != ""
		})
	})
	p.pressFound(kind == "goes")
}

// steadily finds an element on a stable page: while a page is loading, found elements belong to the one before.
func (p *person) steadily(find func()) {
	p.t.Helper()
	p.until("the page stays", func() bool {
		p.rests()
		turn := p.now()
		find()
		if !p.way.NoScript {
			asks[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
		}
		p.rests()
		return p.now() == turn && p.Exists("[data-found]")
	})
}

// pressFound presses the marked element.
func (p *person) pressFound(goes bool) {
	p.t.Helper()
	p.clicks++
	p.turn = p.now()
	browser.Eval[bool](p.Page, "window.turnOf && (window.turnOf.toasts = []), true")
	if p.keys {
		p.tabTo("[data-found]")
		p.Press("\r")
	} else {
		if !p.way.NoScript { // which removes a toast
			p.until("nothing lies over it", func() bool { return asks[bool](p, uncovered) })
		}
		p.Click("[data-found]")
	}
	p.settles(goes)
}

// uncovered reports whether a pointer reaches the found element: a toast covers the end of a page for some seconds.
// It scrolls away from the toast as far as possible.
const uncovered = `((found) => {
	found?.scrollIntoView({ block: "center", behavior: "instant" });
	const r = found?.getBoundingClientRect(), hit = r && document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
	return !hit || found.contains(hit) || hit.contains(found) || !hit.closest("[data-toasts]");
})(document.querySelector("[data-found]"))`

// settles waits until the page of a press is there.
func (p *person) settles(goes bool) {
	p.t.Helper()
	if goes && !p.way.NoScript {
		p.until("another page comes", func() bool { return p.now() != p.turn })
	}
	p.rests()
	p.fits()
}

// fits fails when the page scrolls sideways.
func (p *person) fits() {
	p.t.Helper()
	if wide := asks[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		p.t.Errorf("%s: %s is %d pixels too wide", p.way, p.URL(), wide)
	}
}

// sound fails when something sticks out of the page, or a short word is broken, and for barriers.
func (p *person) sound() {
	p.t.Helper()
	p.Fits(p.t, []int{p.way.Width})
	p.Resize(p.way.Width, p.way.height())
	p.checked()
}

// asks evaluates an expression in the current page: one that is being left does not respond, and then the next one is
// used.
func asks[T any](p *person, expression string) T {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) { // real time: a browser's
		if answer, ok := browser.TryEval[T](p.Page, expression); ok {
			return answer
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s: no page stays long enough to answer %s", p.way, expression)
		}
	}
}

// now returns another text whenever another page or sheet has come.
func (p *person) now() string {
	p.t.Helper()
	return asks[string](p, "performance.timeOrigin + ' ' + (window.turnOf?.n ?? 0)")
}

// rests waits until nothing is loading.
func (p *person) rests() {
	p.t.Helper()
	p.until("the page rests", func() bool {
		return asks[bool](p, `document.readyState === "complete" &&
			!document.querySelector("html[aria-busy=true], html[data-turbo-preview], turbo-frame[busy], form[aria-busy=true]")`)
	})
}

// until waits for a state of the page.
func (p *person) until(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) { // real time: a browser's
		if time.Now().After(end) {
			p.t.Fatalf("%s: it is not so that %s, on %s, which says %.1500q", p.way, what, p.URL(), p.said())
		}
	}
}

// said returns the visible text: of the open dialog, else of the page, and of toasts since the last press.
func (p *person) said() string {
	p.t.Helper()
	return strings.Join(strings.Fields(asks[string](p, `((open) => [...(open.length ? open : [document.body]).map((e) => e.innerText),
		...(window.turnOf?.toasts ?? [])].join(" "))([...document.querySelectorAll("dialog[open]")])`)), " ")
}

// reads waits until all of the texts are visible.
func (p *person) reads(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.until(fmt.Sprintf("%q can be read", text), func() bool { return strings.Contains(p.said(), text) })
	}
}

// misses fails when one of the texts is visible.
func (p *person) misses(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if said := p.said(); strings.Contains(said, text) {
			p.t.Errorf("%s: %s says %q", p.way, p.URL(), text)
		}
	}
}

// offers reports whether an element with that text can be pressed now.
func (p *person) offers(what string) bool {
	p.t.Helper()
	return asks[string](p, fmt.Sprintf("%s(%s, %s)", finder, quoted(what), quoted(pressed))) != ""
}

// leaves checks, at the end, that the page does not scroll sideways and that the browser logged no error.
func (p *person) leaves() {
	p.t.Helper()
	p.fits()
	for _, said := range p.Complaints() {
		if !strings.Contains(said, "favicon") && !strings.Contains(said, "422") && !strings.Contains(said, "400") {
			p.t.Errorf("%s: the browser complains: %s", p.way, said)
		}
	}
}
