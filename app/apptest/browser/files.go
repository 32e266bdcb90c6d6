package browser

import (
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// ChooseFiles clicks the first match, a file field, and chooses files of this machine by their paths in the window
// that opens. It fails if the field accepts one file and there are several.
func (p *Page) ChooseFiles(sel string, files ...string) {
	p.t.Helper()
	p.askedForFiles(true)
	defer p.askedForFiles(false)
	x, y := p.point("choose files in "+sel, sel, 0.5, 0.5)
	p.mouse(sel, input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(sel, input.DispatchMouseEventTypeMouseReleased, x, y)
	select {
	case asked := <-p.choosers:
		if len(files) > 1 && asked.Mode != page.FileChooserOpenedModeSelectMultiple {
			p.t.Fatalf("browser: %s takes one file, and there are %d", sel, len(files))
		}
		_, err := chromedp.Call(p.ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: asked.BackendNodeID})
		p.check("choose files in "+sel, err)
	case <-time.After(patience):
		p.t.Fatalf("browser: %s opens no window to choose files in", sel)
	}
}

// askedForFiles reports open file choosers to ChooseFiles instead of showing them.
func (p *Page) askedForFiles(on bool) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: on})
	p.check("wait for a window that asks for files", err)
}

// DropFiles drags files of this machine, by their paths, from outside onto the first match, and drops them.
func (p *Page) DropFiles(sel string, files ...string) {
	p.t.Helper()
	x, y := p.point("drop files on "+sel, sel, 0.5, 0.5)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
	for _, step := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		_, err := chromedp.Call(p.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: step, X: x, Y: y, Data: data})
		p.check("drop files on "+sel, err)
	}
}
