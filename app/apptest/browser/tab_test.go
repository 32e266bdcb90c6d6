package browser_test

import (
	"testing"

	"foyer/app/apptest/browser"
)

func TestTabHidesAndLosesTheNetwork(t *testing.T) {
	url := site(t)
	p := browser.New(t, browser.Options{Whole: true})
	p.Before("seen = []; document.addEventListener('visibilitychange', () => seen.push(document.visibilityState))")
	p.Goto(url)
	p.Hide()
	p.Show()
	if got := browser.Eval[string](p, "seen.join()"); got != "hidden,visible" {
		t.Errorf("the page saw %q", got)
	}
	reach := func() bool {
		return browser.Eval[bool](p, "fetch('/', {cache: 'no-store'}).then(() => true, () => false)")
	}
	p.Offline(true)
	if reach() {
		t.Error("the page reaches its server without a network")
	}
	p.Offline(false)
	if !reach() {
		t.Error("the network did not come back")
	}
}
