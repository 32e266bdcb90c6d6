package embedtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
)

// links are the sheets that the page links, in order, below the service's address.
func (v *visit) links() []string {
	v.t.Helper()
	return eval[[]string](v, v.fill(`[...document.querySelectorAll("link[rel=stylesheet]")].map(l => l.href.replace("{base}/embed/v1/", ""))`))
}

// own is a schedule of a location that has a stylesheet of its own.
var own = html(timetable).with("X-Svc-Css", "1")

// TestThemes: each theme's sheet is linked once, however many tags use it; none links nothing. E11, E74, E78.
func TestThemes(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, "")
	for _, c := range []struct {
		tags string
		want []string
	}{
		{tag("svc-schedule", `location="harbour"`) + tag("svc-classes", `location="harbour" theme="clean"`), []string{"themes/clean.css"}},
		{tag("svc-schedule", `location="harbour" theme="Card"`), []string{"themes/clean.css"}},
		{tag("svc-schedule", `location="harbour" theme="card"`) + tag("svc-classes", `location="harbour" theme="card"`), []string{"themes/card.css"}},
		{tag("svc-schedule", `location="harbour" theme="studio"`) + tag("svc-walkins", `location="harbour" theme="studio"`), []string{"harbour/theme.css"}},
		{tag("svc-schedule", `location="harbour" theme="none"`), []string{}},
	} {
		v.next(`{v1}` + c.tags)
		v.becomes(`[...document.querySelectorAll("svc-schedule, svc-classes, svc-walkins")].every(e => e.querySelector("[data-pf-v]"))`)
		if got := v.links(); !slices.Equal(got, c.want) {
			t.Errorf("%s: links %q, not %q", c.tags, got, c.want)
		}
		for _, path := range c.want {
			if n := o.count(v1(path)); n != 1 {
				t.Errorf("%s was asked for %d times", path, n)
			}
		}
	}
}

// TestOwnSheet: applies to every tag of the location, linked once, after the theme's, also when another theme comes
// later; only when a fragment announces one, and never for theme=none. E78, E87, E88.
func TestOwnSheet(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/times/sunrise"), html(times(10, "")).with("X-Svc-Css", "1"))
	o.say(v1("harbour/custom.css"), sheet(`svc-schedule, svc-times { color: rgb(1, 2, 3) }`))
	v := open(t, o, `{v1}`+tag("svc-schedule", `location="harbour"`)+tag("svc-times", `location="harbour" listing="sunrise"`)+`<main></main>`)
	v.shows("svc-schedule", "schedule")
	v.shows("svc-times", "times")
	for _, sel := range []string{"svc-schedule", "svc-times"} {
		if got := eval[string](v, `getComputedStyle(document.querySelector("`+sel+`")).color`); got != "rgb(1, 2, 3)" {
			t.Errorf("%s is %s", sel, got)
		}
	}
	v.run(`document.querySelector("main").innerHTML = '<svc-classes location=harbour theme=card></svc-classes>'`)
	v.shows("svc-classes", "list")
	if got := v.links(); !slices.Equal(got, []string{"themes/clean.css", "themes/card.css", "harbour/custom.css"}) {
		t.Errorf("the links are %q", got)
	}
	if n := o.count(v1("harbour/custom.css")); n != 1 {
		t.Errorf("the sheet was asked for %d times", n)
	}

	v = open(t, o, `{v1}`+tag("svc-schedule", `location="harbour" theme="none"`))
	v.shows("svc-schedule", "schedule")
	v.rests()
	if got := v.links(); len(got) > 0 || o.count(v1("harbour/custom.css")) != 1 {
		t.Errorf("without a theme it links %q", got)
	}
	v.run(`document.querySelector("svc-schedule").setAttribute("theme", "clean")`)
	v.becomes(`document.querySelectorAll("link").length === 2`)
	v.run(`document.querySelector("svc-schedule").setAttribute("theme", "none")`)
	v.rests()
	if n := o.count(v1("harbour/schedule")); n != 2 {
		t.Errorf("a change of theme asked for the fragment again: %d times", n)
	}

	o.say(v1("harbour/schedule"), html(timetable).with("X-Svc-Css", "0"))
	v = open(t, o, `{v1}`+tag("svc-schedule", `location="harbour"`))
	v.shows("svc-schedule", "schedule")
	if got := v.links(); !slices.Equal(got, []string{"themes/clean.css"}) {
		t.Errorf("without a sheet of its own it links %q", got)
	}
}

// TestTwoLocations each wear their own. E88.
func TestTwoLocations(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say(v1("harbour/schedule"), own).say(v1("annexe/schedule"), own)
	o.say(v1("harbour/custom.css"), sheet("/* a */")).say(v1("annexe/custom.css"), sheet("/* b */"))
	v := open(t, o, `{v1}`+tag("svc-schedule", `location="harbour"`)+tag("svc-schedule", `location="annexe"`))
	v.becomes(`document.querySelectorAll("[data-pf-v]").length === 2`)
	got := v.links()
	slices.Sort(got[1:])
	if !slices.Equal(got, []string{"themes/clean.css", "annexe/custom.css", "harbour/custom.css"}) {
		t.Errorf("the links are %q", got)
	}
}

// TestPrintedLinkIsEnough: a page that prints fragments on its server links the sheets itself. E88, E151.
func TestPrintedLinkIsEnough(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/custom.css"), sheet("/* own */"))
	v := open(t, o, `<link rel="stylesheet" href="{base}/embed/v1/themes/clean.css"><link rel="stylesheet" href="{base}/embed/v1/harbour/custom.css">{v1}`+
		`<svc-schedule location="harbour">`+timetable+`</svc-schedule>`)
	v.becomes(`document.querySelector("[data-pf=book]").href.includes("ref=")`)
	if got := v.links(); len(got) != 2 {
		t.Errorf("the links are %q", got)
	}
}

// holdWaits keeps timers of 1.5 seconds until a test lets them go, so that a slow machine proves nothing.
const holdWaits = `{ const soon = setTimeout; window.held = []; window.setTimeout = (run, ms, ...rest) => ms === 1500 ? held.push(run) : soon(run, ms, ...rest) }`

// lateScript brings the script when the page has loaded: a sheet that does not come before that holds the loading up,
// and the browser waits for it.
const lateScript = `<script>onload = () => document.head.append(Object.assign(document.createElement("script"), {src: "{base}/embed/v1.js"}))</script>`

// TestWaitForSheets: the first visible content is styled, but no sheet delays it for more than 1.5 seconds, and there
// is no second wait. E89.
func TestWaitForSheets(t *testing.T) {
	t.Parallel()
	never := answer{kind: "text/css", wait: make(chan struct{})}
	for name, c := range map[string]struct {
		theme         string
		clean, custom answer
		waits         bool
	}{
		"fast":            {"clean", sheet("/* clean */"), sheet("svc-schedule{color:red}"), false},
		"missing":         {"clean", answer{status: 404}, answer{status: 404}, false},
		"cut off":         {"clean", sheet("/* clean */"), answer{drop: true}, false},
		"of a wrong type": {"clean", sheet("/* clean */"), html("<h1>Sorry</h1>"), false},
		"never":           {"clean", sheet("/* clean */"), never, true},
		"never the theme": {"clean", never, sheet("/* fine */"), true},
		"no theme":        {"none", never, never, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/times/sunrise"), html(times(10, "")).with("X-Svc-Css", "1"))
			o.say(v1("harbour/custom.css"), c.custom).say(v1("themes/clean.css"), c.clean)
			v := open(t, o, "")
			v.print("/", lateScript+fmt.Sprintf(`<svc-schedule location="harbour" theme="%s">Book at Harbour Yoga</svc-schedule>`, c.theme))
			v.Before(holdWaits)
			v.Goto(v.site + "/")
			if c.waits {
				until(t, "both sheets are asked for", func() bool { return o.count(v1("harbour/custom.css"))+o.count(v1("themes/clean.css")) == 2 })
				v.keepsFallback("svc-schedule")
				if n := eval[int](v, "held.length"); n != 2 {
					t.Errorf("%d waits for two sheets", n)
				}
				v.run("held.forEach(done => done())")
			}
			v.shows("svc-schedule", "schedule")
			waited := eval[int](v, "held.length")
			v.run(fmt.Sprintf(`document.body.insertAdjacentHTML("beforeend", '<svc-times location="harbour" listing="sunrise" theme="%s"></svc-times>')`, c.theme))
			v.shows("svc-times", "times")
			if n := eval[int](v, "held.length"); n != waited {
				t.Error("the second tag waits again")
			}
		})
	}
}

// TestWaitEnds by itself, after 1.5 seconds. E89.
func TestWaitEnds(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/custom.css"), answer{kind: "text/css", wait: make(chan struct{})})
	v := open(t, o, `<main></main>`)
	v.run(`new MutationObserver(() => {
		if (document.querySelectorAll("link").length === 2) window.linked ??= performance.now();
		if (document.querySelector("[data-pf=schedule]")) window.shown ??= performance.now();
	}).observe(document, {subtree: true, childList: true})`)
	v.run(v.fill(`document.querySelector("main").innerHTML = '<svc-schedule location="harbour"></svc-schedule>';
		document.head.append(Object.assign(document.createElement("script"), {src: "{base}/embed/v1.js"}))`))
	v.becomes(`"shown" in window`)
	if took := eval[float64](v, `shown - linked`); took < 1450 || took > 10_000 {
		t.Errorf("it was shown %.0f ms after its sheet was linked", took)
	}
}

// TestFallbackWhileItWaits: nothing is removed before styled content can replace it. E3, E89.
func TestFallbackWhileItWaits(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	slow := sheet("svc-schedule{color:red}")
	slow.wait = gate
	o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/custom.css"), slow)
	v := open(t, o, "")
	v.print("/", lateScript+tag("svc-schedule", `location="harbour"`))
	v.Before(holdWaits)
	v.Goto(v.site + "/")
	until(t, "the sheet is asked for", func() bool { return o.count(v1("harbour/custom.css")) == 1 })
	v.keepsFallback("svc-schedule")
	close(gate)
	v.shows("svc-schedule", "schedule")
}

// TestUnderAStrictPolicy: a host page that allows the service's scripts, sheets and answers, and nothing inline. E7.
func TestUnderAStrictPolicy(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say(v1("harbour/schedule"), own).say(v1("harbour/custom.css"), sheet("svc-schedule{color:rgb(1,2,3)}"))
	o.say(v1("harbour/schedule.jsonld"), answer{body: `[{"@type":"Event"}]`, kind: "application/ld+json"})
	o.say("/frame", html(framePage("<p>Book here</p>")))
	v := website(t, o, map[string]string{"/": `{v1}<script src="{base}/embed.js" async></script>` + tag("svc-schedule", `location="harbour" data`) +
		tag("svc-times", `location="harbour" listing="sunrise"`) + tag("svc-walkins", `location="harbour" hide-when="open"`) +
		`<iframe data-svc src="{base}/frame"></iframe>`})
	v.csp = "default-src 'none'; script-src {base}; style-src {base}; connect-src {base}; frame-src {base}"
	v.come(browser.Options{})
	v.shows("svc-schedule", "schedule")
	v.becomes(`document.querySelector("svc-walkins").offsetHeight === 0 && !!document.querySelector("svc-schedule script")`)
	if got := eval[string](v, `getComputedStyle(document.querySelector("svc-schedule")).color`); got != "rgb(1, 2, 3)" {
		t.Errorf("its own sheet does not reach it: %s", got)
	}
	v.run(`document.querySelector("[data-pf=page]").click()`)
	v.becomes(`document.querySelector("svc-times [data-pf=day-name]").innerText === "June 11"`)
	v.becomes(`document.querySelector("iframe").style.height !== ""`)
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %s", strings.Join(said, "\n"))
	}
}
