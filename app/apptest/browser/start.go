package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"foyer/app/apptest/scratch"
)

// shared is the browser of a test binary that keeps one; nil otherwise.
var shared context.Context

// Share runs a package's tests in one browser, and returns the exit code. It is for packages of many small tests,
// which would start a browser each. Every test still has a tab, cookies, storage and a cache of its own, and the
// focus in it: tests that call t.Parallel run side by side, in as many tabs as there are cores and in two at least,
// for a test waits half of its time.
//
//	func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }
func Share(m *testing.M) int {
	ctx, stop, err := start(Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		return 1
	}
	defer stop()
	shared = ctx
	if err := flag.Set("test.parallel", strconv.Itoa(max(2, runtime.GOMAXPROCS(0)))); err != nil { // flags of go test override it
		fmt.Fprintln(os.Stderr, "browser:", err)
		return 1
	}
	return m.Run()
}

// tab opens a tab for one test. A visitor with wishes about cookies has a browser of their own.
func tab(o Options) (ctx context.Context, end func(), err error) {
	if shared == nil || o.whole() || o.Camera != "" {
		return start(o)
	}
	ctx, end = chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, fmt.Errorf("open a tab: %w", err)
	}
	return ctx, end, nil
}

// start starts a browser. The context is its first tab.
func start(o Options) (ctx context.Context, end func(), err error) {
	scratch, err := os.MkdirTemp(scratch.Dir(), "browser-")
	if err != nil {
		return nil, nil, err
	}
	visitor, err := profile(scratch, o)
	if err != nil {
		return nil, nil, err
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Env("TMPDIR="+scratch), // Chromium leaves folders behind
		chromedp.UserDataDir(visitor),
	)
	if o.Camera != "" {
		flags = append(flags, chromedp.Flag("use-fake-device-for-media-stream", true),
			chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-file-for-fake-video-capture", o.Camera))
	}
	if path := shell(); path != "" && !o.whole() {
		flags = append(flags, chromedp.ExecPath(path))
	}
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium refuses its sandbox to root
	}
	machine, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, closeTab := chromedp.NewContext(machine, chromedp.WithErrorf(func(string, ...any) {}))
	end = func() {
		closeTab()
		stop()
		sweep(scratch)
	}
	// The first call starts the browser and binds its life to ctx, so it must not carry a deadline.
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, fmt.Errorf("start the browser: %w", err)
	}
	return ctx, end, nil
}

// whole reports whether this visitor needs Chromium itself: the shell gives frames no process of their own, and has
// no cookie settings. Long runs always use it.
func (o Options) whole() bool { return o.Whole || o.NoForeignCookies || os.Getenv("FOYER_LONG") != "" }

// shell is Chromium without a window, where the machine has it: for pages it is the same browser at two thirds of the
// work.
var shell = sync.OnceValue(func() string {
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
})

// sweep removes a folder in which Chromium's last helpers may still be writing.
func sweep(folder string) {
	for range 50 {
		if os.RemoveAll(folder) == nil {
			time.Sleep(10 * time.Millisecond)
			if _, err := os.Stat(folder); err != nil {
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// profile creates the folder of a visitor, with their cookie settings: builds of Chromium differ in the default.
func profile(scratch string, o Options) (string, error) {
	mode := map[bool]int{true: 1}[o.NoForeignCookies]
	wishes := fmt.Sprintf(`{"profile": {"cookie_controls_mode": %d, "block_third_party_cookies": %t}}`, mode, o.NoForeignCookies)
	folder := filepath.Join(scratch, "visitor")
	if err := os.MkdirAll(filepath.Join(folder, "Default"), 0o700); err != nil {
		return "", err
	}
	return folder, os.WriteFile(filepath.Join(folder, "Default", "Preferences"), []byte(wishes), 0o600)
}
