package browser

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Click comes and goes between two frames, so that a page never shows itself pressed. A hand is slower: these hold
// long enough for the page to be painted, and only then can content under a finger shift away.

// PressAt presses and releases the mouse at a point of the first match: 0 is its left or upper edge and 1 the other.
func (p *Page) PressAt(sel string, across, down float64) {
	p.t.Helper()
	x, y := p.point("press "+sel, sel, across, down)
	p.mouse(sel, input.DispatchMouseEventTypeMousePressed, x, y)
	p.painted()
	p.mouse(sel, input.DispatchMouseEventTypeMouseReleased, x, y)
	p.settle()
}

// TapAt is PressAt with a finger.
func (p *Page) TapAt(sel string, across, down float64) {
	p.t.Helper()
	_, err := chromedp.Call(p.screen(), emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p.check("have a touch screen", err)
	x, y := p.point("press "+sel, sel, across, down)
	p.painted() // hit testing uses the last paint, before the page was scrolled
	_, err = chromedp.Call(p.screen(), input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}},
	})
	p.check("tap "+sel, err)
	p.painted()
	_, err = chromedp.Call(p.screen(), input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{},
	})
	p.check("let go of "+sel, err)
	p.settle()
}

func (p *Page) mouse(sel string, what input.DispatchMouseEventType, x, y float64) {
	p.t.Helper()
	_, err := chromedp.Call(p.screen(), input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: what, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1})
	p.check("press "+sel, err)
}

// painted waits until the page has been painted twice: once with the latest change.
func (p *Page) painted() {
	p.t.Helper()
	Eval[bool](p, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}
