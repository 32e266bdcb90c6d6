package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

//go:embed testdata/axe.min.js
var axe string

type violation struct {
	ID, Impact, Help string
	Nodes            []struct {
		Target         []string
		FailureSummary string
	}
}

// Axe fails the test for every accessibility rule the page breaks: WCAG 2.2 A and AA, and axe's own good practices.
// Rules that have no meaning for this page are named in without: an e-mail, for one, has no landmarks.
func (p *Page) Axe(t testing.TB, without ...string) {
	t.Helper()
	off := map[string]any{}
	for _, rule := range without {
		off[rule] = map[string]bool{"enabled": false}
	}
	rules, err := json.Marshal(off)
	if err != nil {
		t.Fatal(err)
	}
	// The browser paints its canvas behind a page without a background of its own, in the scheme of the page. Axe
	// takes it for white.
	look := `!window.axe ? null : (() => {
		const clear = (e) => getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)";
		const root = document.documentElement;
		if (clear(root) && clear(document.body)) root.style.backgroundColor = "Canvas";
		return axe.run(document, {
			resultTypes: ["violations"],
			rules: ` + string(rules) + `,
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
		}).then(r => r.violations);
	})()`
	found := Eval[[]violation](p, look)
	if found == nil {
		p.bringAxe()
		found = Eval[[]violation](p, look)
	}
	if found == nil {
		t.Fatal("browser: axe did not look")
	}
	for _, v := range found {
		var where strings.Builder
		for _, n := range v.Nodes {
			fmt.Fprintf(&where, "\n  %s: %s", strings.Join(n.Target, " "), strings.ReplaceAll(n.FailureSummary, "\n", " "))
		}
		t.Errorf("axe %s (%s): %s%s", v.ID, v.Impact, v.Help, where.String())
	}
}

// bringAxe loads axe into the document, and into later ones of the tab: sending its half a megabyte costs more than a
// check. Frames get none: in a frame, axe takes the content for a part of the page.
func (p *Page) bringAxe() {
	p.t.Helper()
	Eval[bool](p, axe+"; true")
	if p.host == nil && !p.axe {
		p.axe = true
		p.Before("if (window === window.top) {" + axe + "}")
	}
}
