package bench

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/valyala/fasthttp"
)

// brief is long enough for something to happen in it.
var brief = timing{warm: 5 * time.Millisecond, window: 20 * time.Millisecond}

// TestLoad: all clients work, each one operation at a time, and the total is returned beside the rate of the window.
func TestLoad(t *testing.T) {
	const clients = 3
	var busy [clients]atomic.Int32
	var worked [clients]atomic.Int64
	s, done, err := load(t.Context(), brief, clients, cpuOf{}, func(_ context.Context, client int) error {
		if busy[client].Add(1) != 1 {
			t.Error("a client does two things at once")
		}
		worked[client].Add(1)
		time.Sleep(100 * time.Microsecond)
		busy[client].Add(-1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for i := range worked {
		if worked[i].Load() == 0 {
			t.Errorf("client %d did nothing", i)
		}
		sum += worked[i].Load()
	}
	if done != sum || s.rate <= 0 || s.cpu != 0 {
		t.Errorf("%d done, %d counted, sample %+v", done, sum, s)
	}
}

// TestLoadRunsOut: a client that has nothing left ends without an error, and the others go on.
func TestLoadRunsOut(t *testing.T) {
	var left, went atomic.Int64
	left.Store(5)
	_, _, err := load(t.Context(), brief, 2, cpuOf{}, func(_ context.Context, client int) error {
		if client == 0 && left.Add(-1) < 0 {
			return errDone
		}
		went.Add(1)
		time.Sleep(100 * time.Microsecond)
		return nil
	})
	if err != nil || went.Load() <= 5 {
		t.Errorf("%d went, %v", went.Load(), err)
	}
	_, done, err := load(t.Context(), brief, 2, cpuOf{}, func(context.Context, int) error { return errDone })
	if err == nil || done != 0 {
		t.Errorf("a window in which nothing was done: %d, %v", done, err)
	}
}

// TestProportional: the memory of this process is known on Linux, and of none that is not there.
func TestProportional(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps_rollup"); err == nil && proportionalMB(os.Getpid()) < 1 {
		t.Errorf("%v MB", proportionalMB(os.Getpid()))
	}
	if mb := proportionalMB(-1); mb != 0 {
		t.Errorf("nobody has %v MB", mb)
	}
}

// TestLoadFails: the first error ends the round and is returned with its client.
func TestLoadFails(t *testing.T) {
	boom := errors.New("boom")
	_, _, err := load(t.Context(), timing{warm: time.Minute, window: time.Minute}, 4, cpuOf{}, func(_ context.Context, client int) error {
		if client == 2 {
			return boom
		}
		return nil
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), "client 2") {
		t.Errorf("told %v", err)
	}
}

func TestHead(t *testing.T) {
	for _, c := range []struct{ method, bearer, body, want string }{
		{"GET", "", "", "GET /a HTTP/1.1\r\nHost: bench.test\r\n\r\n"},
		{"GET", "t", "", "GET /a HTTP/1.1\r\nHost: bench.test\r\nAuthorization: Bearer t\r\n\r\n"},
		{"POST", "", "", "POST /a HTTP/1.1\r\nHost: bench.test\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"},
		{"POST", "", "{}", "POST /a HTTP/1.1\r\nHost: bench.test\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"},
	} {
		if got := string(head(c.method, "/a", c.bearer, c.body)); got != c.want {
			t.Errorf("%s %q: %q", c.method, c.bearer, got)
		}
	}
}

// TestClient: a connection is kept from one request to the next, and a failure is an error with the server's message.
func TestClient(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) {
		if string(c.Path()) == "/full" {
			c.Error("no seat", fasthttp.StatusConflict)
			return
		}
		c.SetBodyString(c.RemoteAddr().String() + " " + string(c.PostBody()))
	}}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Shutdown() })
	list, closeAll, err := clients(ln.Addr().String(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll()
	answers := map[string]bool{}
	for _, c := range list {
		for range 2 {
			body, err := c.do(head("POST", "/a", "", "hello"))
			if err != nil || !strings.HasSuffix(string(body), " hello") {
				t.Fatalf("%q, %v", body, err)
			}
			answers[string(body)] = true
		}
		if _, err := c.do(head("GET", "/full", "", "")); err == nil || !strings.Contains(err.Error(), "GET /full HTTP/1.1: 409 no seat") {
			t.Errorf("a refusal is told as %v", err)
		}
	}
	if len(answers) != len(list) {
		t.Errorf("%d connections for %d clients", len(answers), len(list))
	}
}

// serve answers every request with the status that its path gets.
func serve(t *testing.T, status func(path string) int) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) { c.SetStatusCode(status(string(c.Path()))) }}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Shutdown() })
	return ln.Addr().String()
}

// TestReadStat: a process's name may hold blanks and parentheses; the fields are counted behind it.
func TestReadStat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stat")
	for _, c := range []struct {
		text string
		want procStat
		ok   bool
	}{
		{"42 (postgres: app (x) y) S 7 42 42 0 -1 4194560 100 200 0 0 150 50 30 20 20 0 1 0 500", procStat{7, 2 * time.Second, 500 * time.Millisecond}, true},
		{"42 (short) S 7 42", procStat{}, false},
		{"no parenthesis 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", procStat{}, false},
		{"", procStat{}, false},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := readStat(path); ok != c.ok || got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
	if _, ok := readStat(filepath.Join(t.TempDir(), "gone")); ok {
		t.Error("a process that has gone has a time")
	}
}

// TestAnd: adding a process leaves the list it is added to alone.
func TestAnd(t *testing.T) {
	base := cpuOf{postmaster: 1, others: make([]int, 0, 4)}.and(2)
	a, b := base.and(3), base.and(4)
	if a.postmaster != 1 || len(base.others) != 1 || a.others[1] != 3 || b.others[1] != 4 {
		t.Errorf("%v, %v, %v", base, a, b)
	}
}

// TestOneAtATime: operations before the window are not counted; the first error is returned; running out is none.
func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		c := oneAtATime("x", func(context.Context, int) error {
			n++
			if n > 3 {
				time.Sleep(2 * time.Millisecond)
			} else {
				time.Sleep(9 * time.Millisecond)
			}
			return nil
		})
		s, err := c.run(t.Context(), timing{warm: 25 * time.Millisecond, window: 30 * time.Millisecond})
		if err != nil || s.p50 != 2*time.Millisecond {
			t.Errorf("p50 %v, %v", s.p50, err)
		}
	})
	boom := errors.New("boom")
	if _, err := oneAtATime("x", func(context.Context, int) error { return boom }).run(t.Context(), brief); !errors.Is(err, boom) {
		t.Errorf("told %v", err)
	}
	if _, err := oneAtATime("x", func(context.Context, int) error { return errDone }).run(t.Context(), brief); !errors.Is(err, errNothing) {
		t.Errorf("told %v", err)
	}
}

// TestOneAtATimeWithoutAny: when all that ended in the window has begun before it, there is no p50, and none of 0 ms.
func TestOneAtATimeWithoutAny(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := false
		c := oneAtATime("x", func(context.Context, int) error {
			if asked {
				return errDone
			}
			asked = true
			time.Sleep(10 * time.Millisecond)
			return nil
		})
		if s, err := c.run(t.Context(), timing{warm: 5 * time.Millisecond, window: 10 * time.Millisecond}); !errors.Is(err, errNothing) {
			t.Errorf("p50 %v, %v", s.p50, err)
		}
	})
}
