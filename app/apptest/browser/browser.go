package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Options describe the visitor. A size of zero is a phone's 390 × 844.
type Options struct {
	Width, Height int
	Dark          bool
	NoScript      bool
	// NoForeignCookies blocks cookies of frames on another site's page, as many browsers do.
	NoForeignCookies bool
	// Whole requests Chromium itself and not its shell: for frames of other sites and hidden tabs.
	Whole bool
	Zone  string // the time zone of the visitor's clock; empty: the machine's
	// Camera is a file of Y4M pictures that the visitor's camera shows, over and over; pages may use it. Empty: there is
	// no camera. It takes a browser of its own.
	Camera string
}

// Page is one tab. It is not safe for concurrent use.
type Page struct {
	t   testing.TB
	ctx context.Context

	whole bool // it is in Chromium itself
	axe   bool // documents come with axe

	host *Page // of a frame with a process of its own
	id   cdp.FrameID

	mu      sync.Mutex
	asked   map[cdp.FrameID]bool // frames with a requested page that has not begun to load
	loading map[cdp.FrameID]bool // frames that are on their way to a page
	said    []string
	answers map[string]answer // by address
	offline bool

	choosers chan *page.EventFileChooserOpened // open file choosers
}

// patience is the timeout of a method that waits.
const patience = 2 * time.Minute // a busy machine is no defect

// New starts a browser with one empty tab, or opens a tab in the one that Share keeps.
func New(t testing.TB, o Options) *Page {
	t.Helper()
	ctx, end, err := tab(o)
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	t.Cleanup(end)
	p := newPage(t, ctx)
	p.whole = o.whole() || shell() == ""
	p.check("listen", chromedp.Listen(ctx, p.hear))
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	p.check("listen to the log", err)
	if o.NoScript {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		p.check("turn script off", err)
	}
	if o.Zone != "" {
		_, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: o.Zone})
		p.check("set the clock of "+o.Zone, err)
	}
	p.Resize(o.Width, o.Height)
	p.Scheme(o.Dark)
	return p
}

func newPage(t testing.TB, ctx context.Context) *Page {
	return &Page{
		t: t, ctx: ctx, asked: map[cdp.FrameID]bool{}, loading: map[cdp.FrameID]bool{}, choosers: make(chan *page.EventFileChooserOpened, 1),
	}
}

// hear keeps track of page loads and of the browser's complaints.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *page.EventFrameRequestedNavigation:
		if e.Disposition == page.ClientNavigationDispositionCurrentTab {
			p.asked[e.FrameID] = true
		}
	case *page.EventFrameStartedLoading:
		delete(p.asked, e.FrameID)
		p.loading[e.FrameID] = true
	case *page.EventFrameStoppedLoading:
		delete(p.loading, e.FrameID)
	case *page.EventFrameDetached:
		delete(p.asked, e.FrameID)
		delete(p.loading, e.FrameID)
	case *page.EventFileChooserOpened:
		select {
		case p.choosers <- e:
		default: // no test waits for more than one
		}
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
	p.media("prefers-color-scheme", map[bool]string{true: "dark", false: "light"}[dark])
}

// ForcedColors shows the page with the visitor's own few colours, until Scheme is called.
func (p *Page) ForcedColors() { p.t.Helper(); p.media("forced-colors", "active") }

func (p *Page) media(feature, value string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: feature, Value: value}},
	})
	p.check("emulate "+feature, err)
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

// Goto opens an address and waits until it has loaded.
func (p *Page) Goto(url string) {
	p.t.Helper()
	p.do("go to "+url, chromedp.Navigate(url))
	p.settle()
}

// URL is the address of the page.
func (p *Page) URL() string {
	p.t.Helper()
	return run(p, "read the address", chromedp.Location())
}

// Eval returns the value of a JavaScript expression; a promise is awaited.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	return run(p, "evaluate "+expression, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// left are Chromium's errors for a page that has gone during a call.
var left = []string{"Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context with specified id"}

// TryEval is Eval for a page that may be navigating: ok is false if the page was left before it answered.
func TryEval[T any](p *Page, expression string) (value T, ok bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	var said *cdproto.Error
	if errors.As(err, &said) && slices.ContainsFunc(left, func(s string) bool { return strings.HasPrefix(said.Message, s) }) {
		return value, false
	}
	p.check("evaluate "+expression, err)
	return value, true
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

// settle waits for the end of a navigation that a click or a key has started. The press has been handled when the
// browser reports it, but a form is sent in a task after it. So: a moment, then a call to the page, which it answers
// after earlier tasks. A page without a processor for a second is then late with both.
func (p *Page) settle() {
	p.t.Helper()
	const moment = 30 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		time.Sleep(moment)
		if !p.busy() && p.idle() {
			time.Sleep(moment) // earlier events may still be on their way to hear
			if !p.busy() {
				return
			}
		}
		if time.Now().After(end) {
			p.t.Fatalf("browser: the page is still loading after %s", patience)
		}
	}
}

// idle makes a call to the page. A page that is being left may not answer.
func (p *Page) idle() bool {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("true"))
	return err == nil
}

func (p *Page) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked) > 0 || len(p.loading) > 0
}
