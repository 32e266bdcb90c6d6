package web_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

// Common clients, with every early refusal.

// curl sends with curl, which looks for an answer while it sends. A rate bounds it, in bytes a second.
func (e early) curl(addr, expect string, rate int) (status, sent int, err error) {
	args := []string{"-sS", "-X", e.method, "-H", "Content-Type: " + e.contentType, "-H", expect, "--data-binary", "@-", "-o", os.DevNull,
		"-w", "%{http_code} %{size_upload}", "http://" + addr + e.path}
	if e.token != "" {
		args = append(args, "-H", "Authorization: Bearer "+e.token)
	}
	if rate > 0 {
		args = append(args, "--limit-rate", strconv.Itoa(rate))
	}
	curl := exec.Command("curl", args...)
	curl.Stdin = io.LimitReader(zeros{}, int64(e.size))
	out, err := curl.CombinedOutput()
	_, scanned := fmt.Sscan(string(out), &status, &sent)
	if err = errors.Join(err, scanned); err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return status, sent, err
}

// TestRefusedEarlyByCurl: curl sends Expect: 100-continue, and is refused at once; without it, it sends, fast or
// slowly.
func TestRefusedEarlyByCurl(t *testing.T) {
	_, addr := earlyWorld(t)
	var all sync.WaitGroup
	for _, e := range earlyOnes() {
		all.Go(func() {
			for _, expect := range []string{"Expect: 100-continue", "Expect:"} {
				status, sent, err := e.curl(addr, expect, 0)
				if err != nil || status != e.status || sent > 0 && expect != "Expect:" {
					t.Errorf("%s, %s: %d, %d bytes sent, %v", e.name, expect, status, sent, err)
				}
			}
			if status, _, err := e.curl(addr, "Expect:", 4<<20); err != nil || status != e.status {
				t.Errorf("%s, slowly: %d %v", e.name, status, err)
			}
		})
	}
	all.Wait()
}

// TestRefusedEarlyInABrowser: a script of a page gets the reason, and so does a posted form, over a fast line and a
// slow one.
func TestRefusedEarlyInABrowser(t *testing.T) {
	_, addr := earlyWorld(t)
	for _, line := range []struct {
		name, addr string
		forms      int
	}{{"a fast line", addr, 2}, {"a slow line", slowLine(t, addr), 1}} {
		p := browser.New(t, browser.Options{})
		p.Goto("http://" + line.addr + "/page")
		for _, e := range earlyOnes() {
			if e.method == "GET" || e.size > 12<<20 { // fetch sends no body with GET; the largest are those of the form below
				continue
			}
			if got := e.byFetch(p); got != strconv.Itoa(e.status) {
				t.Errorf("%s, fetched on %s: %s", e.name, line.name, got)
			}
		}
		for _, form := range []string{"text", "file"}[:line.forms] {
			p.Goto("http://" + line.addr + "/page")
			if form == "file" {
				p.ChooseFiles("#file input", largeFile(t))
			} else {
				browser.Eval[bool](p, `(document.querySelector("#text textarea").value = "x".repeat(6 << 20), true)`)
			}
			p.Click("#" + form + " button")
			if said := p.Text("body"); !strings.Contains(said, "is too large") || !strings.HasSuffix(p.URL(), "/form") {
				t.Errorf("a form with a %s on %s leads to %s, which says %.200s", form, line.name, p.URL(), said)
			}
		}
		p.Complaints() // of refusals, which are expected
	}
}

// slowLine is a proxy to a server with sixteen megabytes a second towards it. A reset at one end resets the other.
func slowLine(t *testing.T, addr string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			near, err := ln.Accept()
			if err != nil {
				return
			}
			go relay(near.(*net.TCPConn), addr)
		}
	}()
	return ln.Addr().String()
}

// relay is one connection over a slow line.
func relay(near *net.TCPConn, addr string) {
	defer func() { _ = near.Close() }()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	far := conn.(*net.TCPConn)
	defer func() { _ = far.Close() }()
	var both sync.WaitGroup
	both.Go(func() {
		for buf := make([]byte, 64<<10); ; time.Sleep(4 * time.Millisecond) { // the rate of the line
			n, err := near.Read(buf)
			if err != nil {
				_ = far.CloseWrite()
				return
			}
			if _, err := far.Write(buf[:n]); err != nil {
				_ = errors.Join(near.SetLinger(0), near.Close())
				return
			}
		}
	})
	both.Go(func() {
		if _, err := io.Copy(near, far); err != nil {
			_ = errors.Join(near.SetLinger(0), near.Close())
			return
		}
		_ = near.CloseWrite()
	})
	both.Wait()
}

// byFetch sends from a script of the page that is open, and returns the status or why there is none.
func (e early) byFetch(p *browser.Page) string {
	return browser.Eval[string](p, fmt.Sprintf(`fetch(%q, { method: %q, headers: { "Content-Type": %q, ...(%q ? { Authorization: "Bearer " + %q } : {}) },
		body: new Blob([new Uint8Array(%d)]) }).then(async (r) => (await r.text()).length ? String(r.status) : "nothing to read", String)`,
		e.path, e.method, e.contentType, e.token, e.token, e.size))
}

// largeFile is a file that no form takes.
func largeFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "large.jpg")
	err := os.WriteFile(file, nil, 0o600)
	if err = errors.Join(err, os.Truncate(file, 60<<20)); err != nil {
		t.Fatal(err)
	}
	return file
}
