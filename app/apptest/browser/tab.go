package browser

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Hide opens another tab in front of the page.
func (p *Page) Hide() {
	p.t.Helper()
	p.needsWhole()
	_, err := chromedp.Call(p.ctx, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	p.check("open another tab", err)
	p.until("the page is hidden", func() bool { return Eval[bool](p, "document.hidden") })
}

// needsWhole fails at once if the shell cannot do it.
func (p *Page) needsWhole() {
	p.t.Helper()
	if !p.whole {
		p.t.Fatal("browser: this needs Options.Whole")
	}
}

// Show puts the page in front again.
func (p *Page) Show() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{})
	p.check("bring the page to the front", err)
	p.until("the page is visible", func() bool { return !Eval[bool](p, "document.hidden") })
}

// Offline takes the page off the network, or puts it back. Requests are stopped one by one: the commands that cut the
// network as a whole differ between versions of Chromium.
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

// Frame returns the first frame of the page with an address beginning with url, on another site than the page's own:
// such a frame has a process of its own. It stays the same across navigations inside it. It has its own Complaints,
// Answer and the like. Frame waits for it.
func (p *Page) Frame(url string) *Page {
	p.t.Helper()
	p.needsWhole()
	var id target.ID
	p.until("there is a frame of "+url, func() bool {
		infos, err := chromedp.Targets(p.ctx)
		p.check("list the frames", err)
		for _, info := range infos {
			if info.Type == "iframe" && strings.HasPrefix(info.URL, url) {
				id = info.TargetID
			}
		}
		return id != ""
	})
	ctx, leave := chromedp.NewContext(p.ctx, chromedp.WithTargetID(id))
	p.t.Cleanup(leave)
	f := newPage(p.t, ctx)
	f.host, f.id = p, cdp.FrameID(id)
	f.check("enter the frame of "+url, chromedp.Do(ctx))
	f.check("listen", chromedp.Listen(ctx, f.hear))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	f.check("listen to the log", err)
	f.until("the frame is loaded", func() bool { return Eval[string](f, "document.readyState") == "complete" })
	return f
}

// Answer makes the browser load url from the test instead of from the network: tests reach no other machine.
func (p *Page) Answer(url, contentType, body string) {
	p.t.Helper()
	p.mu.Lock()
	if p.answers == nil {
		p.answers = map[string]answer{}
	}
	p.answers[url] = answer{contentType, body}
	p.mu.Unlock()
	p.intercept("answer for " + url)
}

// intercept makes the browser hold the requests for fulfil.
func (p *Page) intercept(what string) {
	p.t.Helper()
	p.mu.Lock()
	var patterns []*fetch.RequestPattern
	for known := range p.answers {
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: known})
	}
	if p.offline {
		patterns = []*fetch.RequestPattern{{URLPattern: "*"}}
	}
	p.mu.Unlock()

	var err error
	if len(patterns) == 0 { // to enable it without a pattern is to hold everything
		_, err = chromedp.Call(p.ctx, fetch.Disable, cdp.Empty{})
	} else {
		_, err = chromedp.Call(p.ctx, fetch.Enable, fetch.EnableParams{Patterns: patterns})
	}
	p.check(what, err)
}

type answer struct{ contentType, body string }

// fulfil answers one request that the browser holds, lets it fail, or lets it go. It runs beside the listener, which
// must not send commands.
func (p *Page) fulfil(e *fetch.EventRequestPaused) {
	p.mu.Lock()
	a, known := p.answers[e.Request.URL]
	offline := p.offline
	p.mu.Unlock()
	// An error means that the page was left meanwhile; then the answer is not needed.
	switch {
	case offline:
		_, _ = chromedp.Call(p.ctx, fetch.FailRequest, fetch.FailRequestParams{
			RequestID: e.RequestID, ErrorReason: network.ErrorReasonInternetDisconnected,
		})
	case known:
		_, _ = chromedp.Call(p.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
			RequestID: e.RequestID, ResponseCode: 200, Body: []byte(a.body),
			ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: a.contentType}},
		})
	default: // it was held while there was no network
		_, _ = chromedp.Call(p.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	}
}
