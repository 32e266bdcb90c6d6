package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Elements are looked for by asking the page itself. chromedp's own queries look in a copy of the document, which they keep by
// the events that the browser sends; when a navigation's events come in another order the copy stays empty, and a query waits
// for an element that is there until its time is over (chromedp/chromedp#1593).

// Click presses the first match, and waits for the next page when it leads to one.
func (p *Page) Click(sel string) {
	p.t.Helper()
	x, y := p.point("click "+sel, sel, 0.5, 0.5)
	p.mouse(sel, input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(sel, input.DispatchMouseEventTypeMouseReleased, x, y)
	p.settle()
}

// Fill replaces what stands in a text field, by typing.
func (p *Page) Fill(sel, text string) {
	p.t.Helper()
	p.visible("fill "+sel, sel, "(e.focus(), e.value = '', [0, 0])")
	p.do("fill "+sel, chromedp.KeyEvent(text))
}

// Choose sets a select or a date field to a value.
func (p *Page) Choose(sel, value string) {
	p.t.Helper()
	p.visible("choose in "+sel, sel, fmt.Sprintf(
		"(e.value = %q, ['input', 'change'].forEach(name => e.dispatchEvent(new Event(name, {bubbles: true}))), [0, 0])", value))
}

// Press sends keys to what has the focus: "\t", "\r", or text.
func (p *Page) Press(keys string) {
	p.t.Helper()
	p.do("press keys", chromedp.KeyEvent(keys))
	p.settle()
}

// Wait waits until the first match is visible.
func (p *Page) Wait(sel string) {
	p.t.Helper()
	p.visible("wait for "+sel, sel, "[0, 0]")
}

// Text is the visible text of the first match, for which it waits.
func (p *Page) Text(sel string) string {
	p.t.Helper()
	p.Wait(sel)
	return Eval[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", sel))
}

// Exists tells whether something on the page matches now. It does not wait.
func (p *Page) Exists(sel string) bool {
	p.t.Helper()
	return Eval[bool](p, fmt.Sprintf("document.querySelector(%q) !== null", sel))
}

// point is a place of the first match on the screen, to which it is scrolled: 0 is its left or upper edge and 1 the other. Pages scroll
// smoothly, so the scroll is told to be there at once: a place on a page that still moves is somewhere else when it is pressed.
func (p *Page) point(what, sel string, across, down float64) (x, y float64) {
	p.t.Helper()
	at := p.visible(what, sel, fmt.Sprintf(
		"((r => (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) &&"+
			" e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'}))(e.getBoundingClientRect()), (r => [r.x + %g * r.width, r.y + %g * r.height])(e.getClientRects()[0]))", across, down))
	return at[0], at[1]
}

// visible waits until the first match is visible, and then answers with two numbers that an expression makes of it, as e.
func (p *Page) visible(what, sel, expression string) []float64 {
	p.t.Helper()
	ask := fmt.Sprintf("(e => e && e.getClientRects().length ? %s : [])(document.querySelector(%q))", expression, sel)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		// An error means that the page is being left.
		found, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](ask))
		if err == nil && len(found) == 2 {
			return found
		}
		if ctx.Err() != nil {
			p.t.Fatalf("browser: %s: it is not visible after %s (%v) on %s, which says %.600q",
				what, patience, err, p.URL(), Eval[string](p, "document.body.innerText"))
		}
		time.Sleep(5 * time.Millisecond)
	}
}
