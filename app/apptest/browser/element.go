package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Elements are found by a script in the page itself. chromedp's own queries search a copy of the document that they
// maintain by the events of the browser; when a navigation's events come in another order the copy stays empty, and a
// query waits for an existing element until its timeout (chromedp/chromedp#1593).

// Click presses the first match, and waits for the next page when it leads to one.
func (p *Page) Click(sel string) {
	p.t.Helper()
	x, y := p.aim("click "+sel, sel)
	p.mouse(sel, input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(sel, input.DispatchMouseEventTypeMouseReleased, x, y)
	p.settle()
}

// aim returns the middle of the first match on the screen. The browser finds what is under the pointer in a frame by
// the last pictures of both pages, which a busy machine draws long after one has scrolled or was sized: the pointer
// moves there until the frame's page says that it is over the match.
func (p *Page) aim(what, sel string) (x, y float64) {
	p.t.Helper()
	x, y = p.point(what, sel, 0.5, 0.5)
	if p.host == nil {
		return x, y
	}
	p.until(what+": the pointer is over it", func() bool {
		_, err := chromedp.Call(p.screen(), input.DispatchMouseEvent,
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y})
		p.check("point at "+sel, err)
		if Eval[bool](p, fmt.Sprintf("document.querySelector(%q)?.matches(':hover') ?? false", sel)) {
			return true
		}
		p.host.painted()
		x, y = p.point(what, sel, 0.5, 0.5)
		return false
	})
	return x, y
}

// Fill replaces the content of a text field, by typing.
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

// Press sends keys to the focused element: "\t", "\r", or text.
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

// Text returns the visible text of the first match, and waits for it.
func (p *Page) Text(sel string) string {
	p.t.Helper()
	p.Wait(sel)
	return Eval[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", sel))
}

// Exists reports whether an element on the page matches now. It does not wait.
func (p *Page) Exists(sel string) bool {
	p.t.Helper()
	return Eval[bool](p, fmt.Sprintf("document.querySelector(%q) !== null", sel))
}

// point returns a point of the first match on the screen, and scrolls to it at once, even if the page scrolls
// smoothly: 0 is its left or upper edge and 1 the other. The page around a frame sizes the frame and scrolls to its
// content in a process of its own: the result is the point that is found twice, with a picture of both pages in
// between.
func (p *Page) point(what, sel string, across, down float64) (x, y float64) {
	p.t.Helper()
	place := fmt.Sprintf("(e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}), "+
		"(r => [r.x + %g * r.width, r.y + %g * r.height])(e.getClientRects()[0]))", across, down)
	at := p.visible(what, sel, place)
	if p.host == nil {
		return at[0], at[1]
	}
	p.until(what+": it stays where it is", func() bool {
		left, top := p.corner()
		was := [2]float64{x, y}
		x, y = left+at[0], top+at[1]
		p.host.painted()
		at = p.visible(what, sel, place)
		return was == [2]float64{x, y} && Eval[bool](p.host, fmt.Sprintf("document.elementFromPoint(%g, %g)?.localName === 'iframe'", x, y))
	})
	return x, y
}

// corner is where a frame begins on the page around it.
func (p *Page) corner() (left, top float64) {
	p.t.Helper()
	owner, err := chromedp.Call(p.host.ctx, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: p.id})
	p.check("find the frame", err)
	frame, err := chromedp.Call(p.host.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: owner.BackendNodeID})
	p.check("find the place of the frame", err)
	return frame.Quads[0][0], frame.Quads[0][1]
}

// screen is the page that a hand presses on.
func (p *Page) screen() context.Context {
	if p.host != nil {
		return p.host.ctx
	}
	return p.ctx
}

// visible waits until the first match is visible, and then answers with two numbers that an expression makes of it,
// as e.
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
