package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// TestAFrameThatHasAskedIsBusy: between requesting a page and beginning to load it lies another process, which may be
// late.
func TestAFrameThatHasAskedIsBusy(t *testing.T) {
	const frame = cdp.FrameID("a")
	here, elsewhere := page.ClientNavigationDispositionCurrentTab, page.ClientNavigationDispositionNewTab
	p := newPage(t, t.Context())
	for i, step := range []struct {
		event any
		busy  bool
	}{
		{&page.EventFrameRequestedNavigation{FrameID: frame, Disposition: elsewhere}, false},
		{&page.EventFrameRequestedNavigation{FrameID: frame, Disposition: here}, true},
		{&page.EventFrameStartedLoading{FrameID: frame}, true},
		{&page.EventFrameStoppedLoading{FrameID: frame}, false},
		{&page.EventFrameRequestedNavigation{FrameID: frame, Disposition: here}, true},
		{&page.EventFrameDetached{FrameID: frame}, false},
	} {
		p.hear(step.event)
		if p.busy() != step.busy {
			t.Errorf("%d: after %T it is busy: %t", i, step.event, !step.busy)
		}
	}
}
