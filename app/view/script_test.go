package view_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
	"foyer/app/web/assets"
)

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Errorf("did not happen: %s", what)
}

func TestHoldCountsDownSpeaksAndEnds(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	// The visible and the announced text are read in one step: between two, a busy machine may let seconds go by.
	type moment struct{ Shown, Said string }
	look := func() moment {
		return browser.Eval[moment](p, `({Shown: document.querySelector("[data-hold]").innerText, Said: document.querySelector("[data-hold-say]").textContent})`)
	}

	p.Goto(s.url + "/gallery/cart?left=123")
	shown := map[string]bool{}
	eventually(t, "it speaks at two minutes", func() bool {
		m := look()
		shown[m.Shown] = true
		if early := strings.HasPrefix(m.Shown, "Held for 2:0") && !strings.HasPrefix(m.Shown, "Held for 2:00"); early && m.Said != "" {
			t.Errorf("it spoke too early: %+v", m)
		}
		return m.Said == "2 minutes left to finish your booking."
	})
	eventually(t, "it counts", func() bool {
		shown[look().Shown] = true
		return len(shown) > 1
	})
	for text := range shown {
		if !strings.HasPrefix(text, "Held for 2:0") && !strings.HasPrefix(text, "Held for 1:") {
			t.Errorf("it shows %q", text)
		}
	}
	p.Goto(s.url + "/gallery/cart?left=31")
	eventually(t, "it speaks at thirty seconds", func() bool { return look().Said == "30 seconds left to finish your booking." })
	p.Goto(s.url + "/gallery/cart?left=1")
	eventually(t, "it ends in words", func() bool { return strings.HasPrefix(p.Text("[data-hold]"), "The hold has expired") })
	if !strings.HasSuffix(p.URL(), "/gallery/cart?left=1") {
		t.Errorf("it moved the visitor to %s", p.URL())
	}
}

func TestFormIsSentOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	p.Goto(s.url + "/gallery/cart")
	busy := browser.Eval[string](p, `(() => { const b = document.querySelector("#go .btn"); b.click(); b.click(); return "" + b.ariaBusy })()`)
	if busy != "true" {
		t.Error("the button does not say that it is busy")
	}
	eventually(t, "the form is sent", func() bool { return s.posts.Load() > 0 })
	time.Sleep(200 * time.Millisecond)
	if n := s.posts.Load(); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

func TestSummaryTakesTheFocusAndLeadsToTheField(t *testing.T) {
	t.Parallel()
	p := browser.New(t, browser.Options{})
	p.Goto(serve(t).url + "/gallery/details")
	if !browser.Eval[bool](p, `document.activeElement.matches("[data-focus]")`) {
		t.Error("the error summary has no focus")
	}
	p.Press("\t")
	p.Press("\r")
	if got := browser.Eval[string](p, `document.activeElement.id`); got != "name" {
		t.Errorf("the first link leads to %q", got)
	}
}

func TestCodeCanBeSentAgainLater(t *testing.T) {
	t.Parallel()
	p := browser.New(t, browser.Options{})
	p.Goto(serve(t).url + "/gallery/code")
	if got := p.Text("button[data-wait]"); !strings.HasPrefix(got, "Send a new code in 0:") || !p.Exists("button[data-wait]:disabled") {
		t.Errorf("the button says %q", got)
	}
}

func TestPrintAppearsWithScriptOnly(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	p.Goto(s.url + "/gallery/receipt")
	p.Wait("[data-print]")
}

// E145: Back uses the tab's history while the studio's page is still behind; otherwise it goes to the link's address.
func TestBackKeepsTheVisitorsPlace(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{})
	p.Goto(s.url + "/site")
	p.Click("#book")
	p.Click("[data-back]")
	if got := p.URL(); got != s.url+"/site" {
		t.Errorf("back from the link led to %s", got)
	}
	p.Goto(s.url + "/gallery/receipt?local=1")
	p.Click("[data-back]")
	if got := p.URL(); got != s.url+"/front" {
		t.Errorf("back without a page behind led to %s", got)
	}
}

// E119: no script of the booking pages listens to the host.
func TestScriptsHearNothingFromTheHost(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"app.js", "pay.js", "live.js"} {
		body := assets.Files()[strings.TrimPrefix(assets.Path(name), assets.Prefix)].Body
		if strings.Contains(string(body), `"message"`) || strings.Contains(string(body), "onmessage") {
			t.Errorf("%s listens to messages", name)
		}
	}
}

// E117: the frame reports its height and, only in its first message, that the customer navigated.
func TestFrameTellsItsHeightAndShrinks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{Width: 1000})
	p.Goto(s.url + "/site")
	heard := func() int { return browser.Eval[int](p, "heard.length") }
	eventually(t, "the first message", func() bool { return heard() > 0 })
	if !browser.Eval[bool](p, `heard[0].type === "svc:resize" && heard[0].navigated === true && Object.keys(heard[0]).length === 3`) {
		t.Errorf("first message: %s", browser.Eval[string](p, "JSON.stringify(heard)"))
	}
	wide := browser.Eval[int](p, "heard.at(-1).height")
	browser.Eval[bool](p, `document.querySelector("iframe").width = 240, true`)
	eventually(t, "it grows", func() bool { return browser.Eval[int](p, "heard.at(-1).height") > wide })
	browser.Eval[bool](p, `document.querySelector("iframe").width = 600, true`)
	eventually(t, "it shrinks again", func() bool { return browser.Eval[int](p, "heard.at(-1).height") == wide })
	if !browser.Eval[bool](p, `heard.slice(1).every(m => !("navigated" in m))`) {
		t.Errorf("later messages: %s", browser.Eval[string](p, "JSON.stringify(heard)"))
	}
}

// Every step is a plain form: without script the page is complete, or has a message about it.
func TestPagesWorkWithoutScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := browser.New(t, browser.Options{NoScript: true})
	p.Goto(s.url + "/gallery/cart")
	if got := p.Text("[data-hold]"); got != "Held for 9:41, until 5:59" {
		t.Errorf("the hold says %q", got)
	}
	p.Goto(s.url + "/gallery/code")
	if p.Exists("button[data-wait]:disabled") {
		t.Error("a new code cannot be asked for")
	}
	p.Goto(s.url + "/gallery/pay-live")
	if got := p.Text("noscript .note"); !strings.Contains(got, "needs JavaScript") {
		t.Errorf("the payment page says %q", got)
	}
}
