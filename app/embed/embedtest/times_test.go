package embedtest_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
)

// pagedTimes is a visitor at a page with times, between enough words to scroll.
func pagedTimes(t *testing.T, o *origin) *visit {
	t.Helper()
	v := open(t, o, `{v1}<p style="height:300px">Our classes</p>`+tag("svc-times", `location="harbour" listing="sunrise"`)+`<p style="height:900px">Find us</p>`)
	v.shows("svc-times", "pages")
	return v
}

const firstDay = `document.querySelector("svc-times [data-pf=day-name]").innerText`

// TestLaterTimesComeInPlace, with the focus and the viewport led to their beginning. E21, E57.
func TestLaterTimesComeInPlace(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := pagedTimes(t, o)
	v.Click("[data-pf=page]")
	v.becomes(firstDay + ` === "June 11"`)
	if v.URL() != v.site+"/" || eval[int](v, "history.length") > 2 {
		t.Errorf("the page moved to %s", v.URL())
	}
	if !eval[bool](v, `document.activeElement.matches("svc-times [data-pf=day-name]")`) {
		t.Errorf("the focus is on %s", eval[string](v, "document.activeElement.outerHTML"))
	}
	if top := eval[float64](v, `document.querySelector("[data-pf=times]").getBoundingClientRect().top`); top < -1 || top > 844 {
		t.Errorf("the times begin at %.0f", top)
	}
	if eval[bool](v, `!!document.querySelector("[data-pf=pages], [aria-busy]")`) {
		t.Error("after the last page it offers more, or is still busy")
	}
	want := []string{"harbour/times/sunrise", "harbour/times/sunrise?after=2026-06-11T04%3A00%3A00Z"}
	if got := o.fragments(); !slices.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
}

// TestAnotherDateComesInPlace, also one without times, after which there is a way back. E21, E57, E59.
func TestAnotherDateComesInPlace(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := pagedTimes(t, o)
	at := eval[float64](v, "scrollY")
	v.Choose("[name=from]", "2026-06-20")
	v.Click("[data-pf=jump] button")
	v.becomes(firstDay + ` === "June 20"`)
	if got := eval[string](v, `document.querySelector("[name=from]").value`); got != "2026-06-20" {
		t.Errorf("the field forgot the date: %q", got)
	}
	v.Choose("[name=from]", "2026-07-20")
	v.run(`document.querySelector("[name=from]").focus()`)
	v.Press("\r")
	v.becomes(`!!document.querySelector("[data-pf=times] [data-pf=empty]")`)
	if !eval[bool](v, `document.activeElement.matches("[data-pf=empty]")`) {
		t.Errorf("the focus is on %s", eval[string](v, "document.activeElement.outerHTML"))
	}
	v.Choose("[name=from]", "")
	v.Click("[data-pf=jump] button")
	v.becomes(`!!document.querySelector("[data-pf=times] [data-pf=pages]")`)
	if got := o.fragments(); got[len(got)-1] != "harbour/times/sunrise" {
		t.Errorf("without a date it asked for %s", got[len(got)-1])
	}
	if got := eval[float64](v, "scrollY"); v.URL() != v.site+"/" || got != at {
		t.Errorf("the visitor is at %s, %.0f instead of %.0f down", v.URL(), got, at)
	}
}

// TestBusyWhileItLoads: the last of two requests wins, and a focus that has left the tag stays. E57.
func TestBusyWhileItLoads(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	slow := html(times(11, ""))
	slow.wait = gate
	o := newOrigin(t).usual().say(v1("harbour/times/sunrise?after=2026-06-11T04%3A00%3A00Z"), slow)
	v := pagedTimes(t, o)
	v.run(`document.body.insertAdjacentHTML("beforeend", "<input id=mail>"); document.querySelector("[data-pf=page]").click()`)
	v.becomes(`document.querySelector("[data-pf=times]").ariaBusy === "true"`)
	v.run(`document.querySelector("[name=from]").value = "2026-06-20"; document.querySelector("[data-pf=jump]").requestSubmit(); mail.focus()`)
	v.becomes(firstDay + ` === "June 20"`)
	close(gate)
	v.rests()
	if got := eval[string](v, firstDay); got != "June 20" || eval[bool](v, `!!document.querySelector("[aria-busy]")`) {
		t.Errorf("the earlier request came last and shows %s", got)
	}
	if got := eval[string](v, "document.activeElement.id"); got != "mail" {
		t.Errorf("the focus went from the field to %q", got)
	}
}

// TestClicksForTheBrowser: with a modifier, with another button, or prevented by the page. E57.
func TestClicksForTheBrowser(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := pagedTimes(t, o)
	left := eval[[]string](v, `["{ctrlKey:true}", "{metaKey:true}", "{shiftKey:true}", "{altKey:true}", "{button:1}"].filter(how => {
		const click = new MouseEvent("click", {bubbles: true, cancelable: true, ...eval("(" + how + ")")});
		let ours; addEventListener("click", e => { ours = e.defaultPrevented; e.preventDefault() }, {once: true});
		document.querySelector("[data-pf=page]").dispatchEvent(click);
		return ours })`)
	if len(left) > 0 {
		t.Errorf("taken from the browser: %q", left)
	}
	v.run(`document.querySelector("[data-pf=times]").addEventListener("click", e => e.preventDefault(), {once: true}); document.querySelector("[data-pf=page]").click()`)
	v.run(`document.querySelectorAll("[data-pf=book]")[1].addEventListener("click", e => { window.book = e.defaultPrevented; e.preventDefault() }); document.querySelectorAll("[data-pf=book]")[1].click()`)
	v.rests()
	if len(o.fragments()) != 1 || eval[bool](v, "window.book") {
		t.Errorf("it asked for %q", o.fragments())
	}
}

// TestTimesThatDoNotCome: the current content stays, and the next click is the browser's, to the booking page. E57,
// E58.
func TestTimesThatDoNotCome(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say("/harbour/sunrise", html("<h1>Sunrise Vinyasa</h1>"))
	v := open(t, o, `{v1}`+tag("svc-times", `location="harbour" listing="sunrise"`))
	for name, a := range map[string]answer{"broken": {status: 500}, "cut off": {drop: true}, "gone": {status: 404}} {
		t.Run(name, func(t *testing.T) {
			v.t = t
			o.say(v1("harbour/times/sunrise?after=2026-06-11T04%3A00%3A00Z"), a)
			v.Goto(v.site + "/")
			v.shows("svc-times", "pages")
			v.Click("[data-pf=page]")
			v.rests()
			if got := eval[string](v, firstDay); got != "June 10" || eval[bool](v, `!!document.querySelector("[aria-busy]")`) {
				t.Errorf("it shows %q, or is busy", got)
			}
			v.Click("[data-pf=page]")
			v.arrives(o.URL + "/harbour/sunrise?after=2026-06-11T04:00:00Z&ref=")
		})
	}
}

// TestPrintedTimesWorkWithoutTheScript: the link and the form lead to the booking page. E58.
func TestPrintedTimesWorkWithoutTheScript(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual().say("/harbour/sunrise", html("<h1>Sunrise Vinyasa</h1>"))
	page := `<svc-times location="harbour" listing="sunrise">` + times(10, "2026-06-11T04:00:00Z") + `</svc-times>`
	v := open(t, o, page, browser.Options{NoScript: true})
	v.Click("[data-pf=page]")
	v.arrives(o.URL + "/harbour/sunrise?after=2026-06-11T04:00:00Z")
	v.Goto(v.site + "/")
	v.Choose("[name=from]", "2026-06-20")
	v.Click("[data-pf=jump] button")
	v.arrives(o.URL + "/harbour/sunrise?from=2026-06-20")
}

// TestPrintedTimesAreTakenOver: times printed by the page's server are the fallback, and work as such until the
// script has shown its own. E4, E58.
func TestPrintedTimesAreTakenOver(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}<svc-times location="harbour" listing="sunrise">`+strings.ReplaceAll(times(9, ""), `data-pf="times"`, `data-pf="times" data-printed`)+`</svc-times>`)
	v.becomes(`!document.querySelector("[data-printed]") && document.querySelectorAll("[data-pf=times]").length === 1`)
}
