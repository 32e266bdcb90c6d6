package browser

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Options say what kind of visitor it is. A size of zero is a phone's 390 × 844.
type Options struct {
	Width, Height int
	Dark          bool
	NoScript      bool
	// NoForeignCookies keeps no cookies for what is framed on another site's page, as many browsers do.
	NoForeignCookies bool
}

// Page is one tab. It is not safe for concurrent use.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu      sync.Mutex
	loading map[cdp.FrameID]bool // frames that are on their way to a page
	said    []string
	answers map[string]answer // by address
	offline bool
}

// patience is how long a method waits for what it needs.
const patience = 30 * time.Second

// New starts a browser with one empty tab, or opens a tab in the one that Share keeps.
func New(t testing.TB, o Options) *Page {
	t.Helper()
	ctx, end, err := tab(o)
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	t.Cleanup(end)
	p := &Page{t: t, ctx: ctx, loading: map[cdp.FrameID]bool{}}
	p.check("listen", chromedp.Listen(ctx, p.hear))
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	p.check("listen to the log", err)
	if o.NoScript {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		p.check("turn script off", err)
	}
	p.Resize(o.Width, o.Height)
	p.Scheme(o.Dark)
	return p
}

// hear keeps track of page loads and of what the browser complains about.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *page.EventFrameStartedLoading:
		p.loading[e.FrameID] = true
	case *page.EventFrameStoppedLoading:
		delete(p.loading, e.FrameID)
	case *page.EventFrameDetached:
		delete(p.loading, e.FrameID)
	case *fetch.EventRequestPaused:
		go p.fulfil(e)
	case *runtime.EventExceptionThrown:
		p.said = append(p.said, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.said = append(p.said, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// Complaints are the errors of scripts, the refusals of the content policy and the failed loads since the last call.
func (p *Page) Complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.said
	p.said = nil
	return said
}

// Resize sets the viewport.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	if width == 0 {
		width = 390
	}
	if height == 0 {
		height = 844
	}
	p.do(fmt.Sprintf("resize to %d × %d", width, height), chromedp.EmulateViewport(int64(width), int64(height)))
}

// Scheme prefers dark or light colours.
func (p *Page) Scheme(dark bool) {
	p.t.Helper()
	p.media("", "prefers-color-scheme", pick(dark, "dark", "light"))
}

// Print shows the page as it goes to paper, until Scheme is called.
func (p *Page) Print() { p.t.Helper(); p.media("print", "prefers-color-scheme", "light") }

// ForcedColors shows the page with the visitor's own few colours, until Scheme is called.
func (p *Page) ForcedColors() { p.t.Helper(); p.media("", "forced-colors", "active") }

func (p *Page) media(kind, feature, value string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: kind, Features: []*emulation.MediaFeature{{Name: feature, Value: value}},
	})
	p.check("emulate "+feature, err)
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// do runs steps with a deadline.
func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	p.check(what, chromedp.Do(ctx, steps...))
}

func (p *Page) check(what string, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("browser: %s: %v", what, err)
	}
}
