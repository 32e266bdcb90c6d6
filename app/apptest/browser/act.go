package browser

import (
	"context"
	"os"
	"time"

	"github.com/chromedp/chromedp"
)

// Goto opens an address and waits until it has loaded.
func (p *Page) Goto(url string) {
	p.t.Helper()
	p.do("go to "+url, chromedp.Navigate(url))
	p.settle()
}

// Click presses the first match, and waits for the next page when it leads to one.
func (p *Page) Click(sel string) {
	p.t.Helper()
	p.do("click "+sel, chromedp.ScrollIntoView(chromedp.CSS(sel)), chromedp.Click(chromedp.CSS(sel), chromedp.NodeVisible))
	p.settle()
}

// Fill replaces what stands in a text field, by typing.
func (p *Page) Fill(sel, text string) {
	p.t.Helper()
	field := chromedp.CSS(sel)
	p.do("fill "+sel, chromedp.WaitVisible(field), chromedp.Clear(field), chromedp.SendKeys(field, text))
}

// Choose sets a select or a date field to a value.
func (p *Page) Choose(sel, value string) {
	p.t.Helper()
	p.do("choose in "+sel, chromedp.WaitVisible(chromedp.CSS(sel)), chromedp.SetValue(chromedp.CSS(sel), value))
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
	p.do("wait for "+sel, chromedp.WaitVisible(chromedp.CSS(sel)))
}

// Text is the visible text of the first match, for which it waits.
func (p *Page) Text(sel string) string {
	p.t.Helper()
	return run(p, "read "+sel, chromedp.Text(chromedp.CSS(sel), chromedp.NodeVisible))
}

// Exists tells whether something on the page matches now. It does not wait.
func (p *Page) Exists(sel string) bool {
	p.t.Helper()
	ids := run(p, "look for "+sel, chromedp.QueryNodeIDs(chromedp.CSSAll(sel), chromedp.AtLeast(0)))
	return len(ids) > 0
}

// URL is the address of the page.
func (p *Page) URL() string {
	p.t.Helper()
	return run(p, "read the address", chromedp.Location())
}

// Eval answers with the value of a JavaScript expression; a promise is awaited.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	return run(p, "evaluate "+expression, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Screenshot writes what the viewport shows to a PNG file.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	png := run(p, "take a picture", chromedp.CaptureScreenshot())
	p.check("write "+path, os.WriteFile(path, png, 0o644))
}

// FullPage writes the whole page, however long, to a PNG file.
func (p *Page) FullPage(path string) {
	p.t.Helper()
	png := run(p, "take a picture", chromedp.FullScreenshot(100))
	p.check("write "+path, os.WriteFile(path, png, 0o644))
}

func run[T any](p *Page, what string, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	p.check(what, err)
	return value
}

// settle gives a click the moment in which a navigation would start, and waits for the end of one that did.
func (p *Page) settle() {
	p.t.Helper()
	const moment = 60 * time.Millisecond
	end := time.Now().Add(patience)
	for quiet := time.Now().Add(moment); time.Now().Before(quiet); time.Sleep(5 * time.Millisecond) {
		for p.busy() {
			if time.Now().After(end) {
				p.t.Fatalf("browser: the page is still loading after %s", patience)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func (p *Page) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.loading) > 0
}
