package browser

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ArrowDown is the key of that name, for Type and Press.
const ArrowDown = kb.ArrowDown

// Type sends keys to the focused element. Unlike Press it does not wait for a navigation.
func (p *Page) Type(keys string) {
	p.t.Helper()
	p.do("type", chromedp.KeyEvent(keys))
}

// Focused has the page believe that its window is in front, whichever is: two people in one test each have the focus.
func (p *Page) Focused() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.check("put the window in front", err)
}

// Drag presses the mouse on the middle of the first match, moves it in steps as a hand does, and releases it so many
// pixels further.
func (p *Page) Drag(sel string, dx, dy float64) {
	p.t.Helper()
	x, y := p.point("drag "+sel, sel, 0.5, 0.5)
	p.mouse(sel, input.DispatchMouseEventTypeMouseMoved, x, y)
	p.mouse(sel, input.DispatchMouseEventTypeMousePressed, x, y)
	const steps = 8
	for i := range steps {
		part := float64(i+1) / steps
		p.mouse(sel, input.DispatchMouseEventTypeMouseMoved, x+part*dx, y+part*dy)
	}
	p.painted()
	p.mouse(sel, input.DispatchMouseEventTypeMouseReleased, x+dx, y+dy)
	p.settle()
}
