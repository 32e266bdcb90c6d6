package browser

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Frame is the first frame of the page that shows an address beginning with url, on another site than the page's own: such
// a frame has a process of its own. It stays the same however the visitor moves inside it. Complaints, Answer and the like
// are its own, too. It waits for the frame.
func (p *Page) Frame(url string) *Page {
	p.t.Helper()
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
	f := &Page{t: p.t, ctx: ctx, loading: map[cdp.FrameID]bool{}}
	f.check("enter the frame of "+url, chromedp.Do(ctx))
	f.check("listen", chromedp.Listen(ctx, f.hear))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	f.check("listen to the log", err)
	f.until("the frame is loaded", func() bool { return Eval[string](f, "document.readyState") == "complete" })
	return f
}
