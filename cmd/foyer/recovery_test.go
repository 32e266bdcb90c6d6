package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/app/apptest"
)

// get sends one request to a server, on a connection of its own.
func (p *process) get(t *testing.T, path string) (status int, h http.Header, body string, err error) {
	t.Helper()
	c := truthful(t)
	c.Timeout = 20 * time.Second
	res, err := c.Get(p.base + path)
	if err != nil {
		return 0, nil, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(text), err
}

// startOwn starts a server with a Postgres of its own, which its data directory holds.
func startOwn(t *testing.T) (p *process, data string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "foyer-own") // short, and open: Postgres runs as another account
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // it holds nothing that is secret
		t.Fatal(err)
	}
	data = filepath.Join(dir, "data")
	p, err = startProcess([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "FOYER_DATA_DIR=" + data, "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(t) })
	return p, data
}

// end is SIGTERM, and waits until the process is gone.
func (p *process) end(t *testing.T) {
	t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may be gone already
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		p.kill()
		t.Error("the server does not end")
	}
}

// postmaster is the process of a data directory's server; 0 when there is none.
func postmaster(data string) int {
	text, err := os.ReadFile(filepath.Join(data, "pg", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

const anyLocation = "/storefront/locations/0199a000-0000-7000-8000-000000000000/schedule"

// TestAKilledPostgresComesBack kills the server's own Postgres: calls get Retry-After until it is there again, by
// itself. Rules 50 and 51 of security.md.
func TestAKilledPostgresComesBack(t *testing.T) {
	t.Parallel()
	p, data := startOwn(t)
	if status, _, body, err := p.get(t, "/readyz"); err != nil || status != 200 {
		t.Fatalf("before: %d %s %v", status, body, err)
	}
	address := strings.TrimPrefix(p.base, "http://")
	if out, err := exec.Command("foyer", "health").CombinedOutput(); err == nil {
		t.Errorf("a server that is not there is ready: %s", out)
	}
	ask := exec.Command("foyer", "health")
	ask.Env = []string{"PATH=" + os.Getenv("PATH"), "FOYER_ADDR=" + address, "GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	if out, err := ask.CombinedOutput(); err != nil || string(out) != "ready\n" {
		t.Errorf("health: %s %v", out, err)
	}
	for range 2 {
		old := postmaster(data)
		if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the database does not come back")
			}
			status, h, body, err := p.get(t, anyLocation)
			if err != nil {
				t.Fatalf("a call while the database is away: %v", err)
			}
			if status == 404 { // by the next one, or by a process of the killed one that has not noticed
				if now := postmaster(data); now != 0 && now != old {
					break
				}
				continue
			}
			var said struct {
				Error struct {
					Code    string
					Details struct{ Reason string }
				}
			}
			if err := json.Unmarshal([]byte(body), &said); err != nil || status != 500 || said.Error.Code != "internal_error" ||
				said.Error.Details.Reason != "unavailable" || h.Get("Retry-After") == "" {
				t.Fatalf("while the database is away: %d, Retry-After %q, %s", status, h.Get("Retry-After"), body)
			}
		}
		if status, _, body, err := p.get(t, "/readyz"); err != nil || status != 200 {
			t.Errorf("after: %d %s %v", status, body, err)
		}
	}
}

// keptOpen is a connection as a load balancer keeps it.
type keptOpen struct {
	net.Conn
	r *bufio.Reader
}

func (k keptOpen) get(path string) (*http.Response, error) {
	if _, err := fmt.Fprintf(k, "GET %s HTTP/1.1\r\nHost: foyer.test\r\n\r\n", path); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(k.r, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, res.Body)
	}
	return res, err
}

// TestNoRequestIsLostWhenTheServerEnds sends requests on connections that were open and idle when the server was told
// to end, and on new ones. Rule 53 of security.md.
func TestNoRequestIsLostWhenTheServerEnds(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	p, err := startProcess([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "DATABASE_URL=" + w.URL("foyer_app"), "DATABASE_MAX_CONNS=4",
		"FOYER_SECRET=" + killSecret, "FOYER_SEAL_KEYS=" + killSealKeys, "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	dial := func() keptOpen {
		c, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return keptOpen{c, bufio.NewReader(c)}
	}
	var idle []keptOpen
	for range 72 {
		k := dial()
		if res, err := k.get(anyLocation); err != nil || res.StatusCode != 404 || res.Close {
			t.Fatalf("before: %v %v", res, err)
		}
		idle = append(idle, k)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for { // it returns 503 on a connection that it still accepts
		k := dial()
		res, err := k.get("/readyz")
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode == 503 {
			break
		}
	}
	for i, k := range idle {
		res, err := k.get(anyLocation)
		if err != nil || res.StatusCode != 404 || !res.Close {
			t.Fatalf("connection %d after the end was asked for: %v %v", i, res, err)
		}
	}
	select {
	case <-p.ended: // no connection is open
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d: %s", code, strings.Join(p.lines, "\n"))
	}
}
