package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// window is a tab of a browser of its own.
type window struct {
	ctx   context.Context
	close func()
}

func openWindow() (*window, error) {
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.DisableGPU, chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium refuses its sandbox to root
	}
	machine, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, shut := chromedp.NewContext(machine, chromedp.WithErrorf(func(string, ...any) {}))
	w := &window{ctx: ctx, close: func() { shut(); stop() }}
	if err := chromedp.Do(ctx); err != nil {
		w.close()
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	return w, nil
}

// signIn gives the browser the owner's session.
func (w *window) signIn(d demo) error {
	if err := w.open(d.BaseURL + "/livez"); err != nil {
		return err
	}
	_, err := eval[string](w, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", d.token()))
	return err
}

// patience is how long a page may take.
const patience = time.Minute

// open opens an address and waits until the page is complete and its type is there.
func (w *window) open(address string) error {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise((done) => {
		const rest = () => document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
		document.readyState === "complete" ? rest() : addEventListener("load", rest);
	})`, chromedp.EvalAwaitPromise))
	return err
}

func (w *window) resize(width, height int64) error {
	return chromedp.Do(w.ctx, chromedp.EmulateViewport(width, height))
}

// slow makes the page's processor so many times slower.
func (w *window) slow(rate float64) error {
	_, err := chromedp.Call(w.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate})
	return err
}

// picture is what the window shows.
func (w *window) picture() ([]byte, error) {
	quality := int64(62)
	shot, err := chromedp.Call(w.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality})
	return shot.Data, err
}

// before runs a script in every page ahead of its own.
func (w *window) before(script string) error {
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return err
}

// mouse does one thing with the mouse at a place of the window.
func (w *window) mouse(what input.DispatchMouseEventType, x, y float64) error {
	_, err := chromedp.Call(w.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: what, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1})
	return err
}

// keys types.
func (w *window) keys(text string) error { return chromedp.Do(w.ctx, chromedp.KeyEvent(text)) }

// eval answers with the value of an expression; a promise is awaited.
func eval[T any](w *window, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}
