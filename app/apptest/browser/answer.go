package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Answer makes the browser take what is at url from the test instead of from the network: tests reach no other machine.
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

// intercept has the browser hold the requests that fulfil has something to say about.
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

// fulfil answers one request that the browser holds, lets it fail, or lets it go. It runs beside the listener, which must not send commands.
func (p *Page) fulfil(e *fetch.EventRequestPaused) {
	p.mu.Lock()
	a, known := p.answers[e.Request.URL]
	offline := p.offline
	p.mu.Unlock()
	// An error means that the page went away meanwhile; then nobody waits for the answer.
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
