package console_test

import (
	"fmt"
	"testing"

	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
)

// covered returns the first bar that overlaps the focused element. Elements of the bars themselves are never covered,
// and neither is an element on top of a bar, such as the link to the content, nor one too tall to fit between them.
const covered = `(() => {
	const e = document.activeElement;
	if (e === document.body) return "";
	const r = e.getBoundingClientRect();
	for (const bar of document.querySelectorAll(".top, .bottom, .save, .tray")) {
		const b = bar.getBoundingClientRect();
		if (!b.height || bar.contains(e) || getComputedStyle(bar).position === "static") continue;
		if (r.top < b.bottom - 1 && r.bottom > b.top + 1 && r.left < b.right && r.right > b.left) {
			const x = (Math.max(r.left, b.left) + Math.min(r.right, b.right)) / 2, y = (Math.max(r.top, b.top) + Math.min(r.bottom, b.bottom)) / 2;
			if (e.contains(document.elementFromPoint(x, y)) || r.height > innerHeight / 2) continue;
			return bar.className + " over " + e.outerHTML.slice(0, 120);
		}
	}
	return "";
})()`

// TestNoBarCoversTheFocus goes through forms and lists with Tab, on a phone and on a desktop: the focused element is
// between the bars (WCAG 2.4.11).
func TestNoBarCoversTheFocus(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	s.Fill(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	class := s.AddOffering(t)
	c := s.As(t, consoletest.Owner)
	p := browser.New(t, browser.Options{})
	p.Goto(s.URL + "/livez")
	browser.Eval[string](p, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", c.Session()))
	p.Focused()
	for _, width := range []int{390, 1280} {
		p.Resize(width, 844)
		for _, at := range []string{
			"", "/catalog/" + class.ID.String(), "/settings/places/" + s.Location.ID.String(), "/bookings", "/customers",
			"/settings/accounting/accounts",
		} {
			p.Goto(s.URL + "/manage/" + s.Studio.Business.Slug + at)
			for i := range 60 {
				p.Type("\t")
				if what := browser.Eval[string](p, covered); what != "" {
					t.Errorf("%s at %d px, after %d tabs: %s", at, width, i+1, what)
					break
				}
			}
		}
	}
}
