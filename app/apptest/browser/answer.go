package browser

import (
	"github.com/chromedp/cdproto/fetch"
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
	patterns := make([]*fetch.RequestPattern, 0, len(p.answers))
	for known := range p.answers {
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: known})
	}
	p.mu.Unlock()

	_, err := chromedp.Call(p.ctx, fetch.Enable, fetch.EnableParams{Patterns: patterns})
	p.check("answer for "+url, err)
}

type answer struct{ contentType, body string }

// fulfil answers one request that the browser holds. It runs beside the listener, which must not send commands.
func (p *Page) fulfil(e *fetch.EventRequestPaused) {
	p.mu.Lock()
	a := p.answers[e.Request.URL]
	p.mu.Unlock()
	// An error means that the page went away meanwhile; then nobody waits for the answer.
	_, _ = chromedp.Call(p.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: 200, Body: []byte(a.body),
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: a.contentType}},
	})
}
