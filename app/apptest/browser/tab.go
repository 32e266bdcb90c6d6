package browser

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Hide puts another tab in front of the page, as a visitor does who turns to something else.
func (p *Page) Hide() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	p.check("open another tab", err)
	p.until("the page is hidden", func() bool { return Eval[bool](p, "document.hidden") })
}

// Show puts the page in front again.
func (p *Page) Show() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{})
	p.check("bring the page to the front", err)
	p.until("the page is visible", func() bool { return !Eval[bool](p, "document.hidden") })
}

// Offline takes the network away from the page, and gives it back. Requests are stopped one by one: the commands that cut the
// network as a whole come and go between versions of Chromium.
func (p *Page) Offline(off bool) {
	p.t.Helper()
	p.mu.Lock()
	p.offline = off
	p.mu.Unlock()
	p.intercept("cut the network")
}

// Before runs a script in every document that the page opens from now on, ahead of the document's own scripts.
func (p *Page) Before(script string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	p.check("add a script", err)
}

func (p *Page) until(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("browser: after %s it is not so that %s", patience, what)
		}
	}
}
