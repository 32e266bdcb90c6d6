package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"

	"foyer/app/web"
	"foyer/app/web/op"
)

// early is a request that is refused before all of it has arrived.
type early struct {
	name, method, path, token, contentType string
	size, status                           int
}

// earlyOnes are requests that are refused early, by body and address.
func earlyOnes() []early {
	at := "/businesses/" + studio.String()
	const file, json, posted = "multipart/form-data; boundary=x", "application/json", "application/x-www-form-urlencoded"
	return []early{
		{"JSON", "POST", at + "/catalog", ownerToken, json, 6 << 20, 400},
		{"a file", "POST", at + "/upload", ownerToken, file, 60 << 20, 400},
		{"a file where none is taken", "POST", at + "/catalog", ownerToken, file, 12 << 20, 400},
		{"nobody's JSON", "POST", at + "/catalog", "", json, 6 << 20, 401},
		{"nobody's file", "POST", at + "/upload", "", file, 12 << 20, 401},
		{"a stranger's JSON", "POST", at + "/catalog", strangerToken, json, 6 << 20, 403},
		{"a stranger's file", "POST", at + "/upload", strangerToken, file, 12 << 20, 403},
		{"an unknown business", "POST", "/businesses/" + unknown.String() + "/upload", ownerToken, file, 6 << 20, 404},
		{"an unknown route", "POST", at + "/nothing", ownerToken, json, 6 << 20, 404},
		{"a wrong method", "DELETE", at + "/catalog", ownerToken, json, 6 << 20, 404},
		{"the document", "POST", "/openapi.json", "", json, 6 << 20, 404},
		{"one code too many", "POST", "/auth/challenges", "", json, 6 << 20, 429},
		{"a form", "POST", "/form", "", posted, 6 << 20, 400},
		{"a form with a file", "POST", "/form", "", file, 60 << 20, 400},
		{"a webhook", "POST", "/webhooks/processor", "", json, 6 << 20, 400},
		{"a page that is not there", "POST", "/nothing", "", posted, 6 << 20, 400},
		{"a GET with a body", "GET", at + "/catalog", ownerToken, json, 6 << 20, 404},
	}
}

// earlyWorld serves the early ones. The limit of codes is reached.
func earlyWorld(t *testing.T) (w *world, addr string) {
	w = uploadWorld(t)
	accessWorld(w)
	limited := op.Spec{Access: op.Public, Rate: op.RateChallenge, Errors: []int{400}, NoReplay: true}
	op.Declare(w.srv.Operations, spec("createChallenge", "POST", "/auth/challenges", limited), look)
	for _, path := range []string{"/form", "/webhooks/processor"} {
		w.srv.App().Post(path, func(*fiber.Ctx) error { return errors.New("a body that does not fit came through") })
	}
	w.srv.App().Get("/page", func(c *fiber.Ctx) error {
		c.Type("html")
		return c.SendString(`<!doctype html><html lang="en"><title>Forms</title>
			<form id="file" action="/form" method="post" enctype="multipart/form-data"><input type="file" name="file"><button>Send</button></form>
			<form id="text" action="/form" method="post"><textarea name="text" hidden></textarea><button>Send</button></form></html>`)
	})
	addr = w.serve(t)
	for range 200 {
		if w.do(req{method: "POST", path: "/auth/challenges", remote: "127.0.0.1"}).status == 429 {
			return w, addr
		}
	}
	t.Fatal("there is no limit")
	return w, addr
}

func (e early) head() string {
	s := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n", e.method, e.path, e.contentType, e.size)
	if e.token != "" {
		s += "Authorization: Bearer " + e.token + "\r\n"
	}
	return s + "\r\n"
}

// sendAll sends the whole request before it looks at the answer, as Python's http.client and many others do. A
// connection that is reset meanwhile fails it every time.
func (e early) sendAll(addr string, piece int, pause time.Duration) (status int, err error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := io.WriteString(conn, e.head()); err != nil {
		return 0, err
	}
	for left := e.size; left > 0; left -= piece {
		if _, err := conn.Write(make([]byte, min(piece, left))); err != nil {
			return 0, fmt.Errorf("%d bytes before the end: %w", left, err)
		}
		time.Sleep(pause)
	}
	return answered(conn)
}

// answered reads an answer to its end, which is that of the connection.
func answered(conn net.Conn) (status int, err error) {
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || len(body) == 0 || !res.Close {
		return res.StatusCode, fmt.Errorf("%d bytes, close %t: %w", len(body), res.Close, err)
	}
	_, err = in.ReadByte()
	if !errors.Is(err, io.EOF) {
		return res.StatusCode, fmt.Errorf("after the answer: %w", err)
	}
	return res.StatusCode, res.Body.Close()
}

// byGo sends with Go's own client, with a length or in chunks.
func (e early) byGo(addr string, chunks bool) (int, error) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	rq, err := http.NewRequest(e.method, "http://"+addr+e.path, io.LimitReader(zeros{}, int64(e.size)))
	if err != nil {
		return 0, err
	}
	if rq.ContentLength = int64(e.size); chunks {
		rq.ContentLength = -1
	}
	rq.Header.Set("Content-Type", e.contentType)
	if e.token != "" {
		rq.Header.Set("Authorization", "Bearer "+e.token)
	}
	res, err := client.Do(rq)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, errors.Join(err, res.Body.Close())
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestRefusedEarly: a client that is refused while sending reads the answer, on any number of processors.
func TestRefusedEarly(t *testing.T) {
	_, addr := earlyWorld(t)
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	for _, processors := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(processors)
		for _, e := range earlyOnes() {
			got, err := e.sendAll(addr, 1<<20, 0)
			if err != nil || got != e.status {
				t.Errorf("%s on %d processors, sent at once: %d %v", e.name, processors, got, err)
			}
			for _, chunks := range []bool{false, true} {
				if got, err := e.byGo(addr, chunks); err != nil || got != e.status {
					t.Errorf("%s on %d processors, in chunks %t: %d %v", e.name, processors, chunks, got, err)
				}
			}
		}
	}
}

// TestRefusedEarlySlowly: a slow sender is not reset either.
func TestRefusedEarlySlowly(t *testing.T) {
	_, addr := earlyWorld(t)
	var all sync.WaitGroup
	for _, e := range earlyOnes() {
		all.Go(func() {
			e.size = 6 << 20
			if got, err := e.sendAll(addr, 64<<10, 10*time.Millisecond); err != nil || got != e.status {
				t.Errorf("%s: %d %v", e.name, got, err)
			}
		})
	}
	all.Wait()
}

// TestRefusedEarlyTogether: a hundred at once are refused, and nothing they send is stored.
func TestRefusedEarlyTogether(t *testing.T) {
	_, addr := earlyWorld(t)
	var heap atomic.Uint64
	measure := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap.Store(max(heap.Load(), m.HeapAlloc))
	}
	measure()
	before := heap.Load()
	var all sync.WaitGroup
	list := earlyOnes()
	for i := range 100 {
		all.Go(func() {
			e := list[i%len(list)]
			if got, err := e.byGo(addr, false); err != nil || got != e.status {
				t.Errorf("%s: %d %v", e.name, got, err)
			}
			measure()
		})
	}
	all.Wait()
	if more := int64(heap.Load()) - int64(before); more > 64<<20 {
		t.Errorf("%d MB are kept", more>>20)
	}
}

// TestKeptAfterRefusal: a refusal of a completely read request keeps the connection.
func TestKeptAfterRefusal(t *testing.T) {
	_, addr := earlyWorld(t)
	conn := dial(t, addr)
	in := bufio.NewReader(conn)
	for _, e := range earlyOnes() {
		e.size = 100 << 10
		if got := raw(t, conn, in, e.head()+strings.Repeat("x", e.size)); got.header("Connection") != "" {
			t.Errorf("%s: %d and Connection: %s", e.name, got.status, got.header("Connection"))
		}
	}
}

// TestRefusedEarlyPage: a form that is too large for a person's browser is refused with a page.
func TestRefusedEarlyPage(t *testing.T) {
	w := newWorld(t, func(o *web.Options) {
		o.ErrorPage = func(c *fiber.Ctx, status int, f *fault.Error) error {
			c.Type("html")
			return c.SendString(fmt.Sprintf("<h1>%d %s</h1>", status, f.Fields[0].Message))
		}
	})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	got, err := fetch(t, client, "POST", "http://"+w.serve(t)+"/manage/form", strings.Repeat("x", 6<<20))
	if err != nil || got.status != 400 || got.body != "<h1>400 is too large</h1>" || got.header("X-Request-Id") == "" {
		t.Errorf("%d %s %v", got.status, got.body, err)
	}
}

// TestShutdownWhileRefused: an endless sender does not delay the shutdown, and has a moment to read the answer.
func TestShutdownWhileRefused(t *testing.T) {
	w := newWorld(t)
	ln := w.listen()
	served := make(chan error, 1)
	go func() { served <- w.srv.Serve(ln) }()
	conn := dial(t, ln.Addr().String())
	if _, err := io.WriteString(conn, early{method: "POST", path: "/nothing", size: 1 << 40}.head()); err != nil {
		t.Fatal(err)
	}
	sent := make(chan error, 1)
	go func() {
		_, err := io.Copy(conn, zeros{})
		sent <- err
	}()
	if status, err := answered(conn); status != 400 || err != nil {
		t.Error(status, err)
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := errors.Join(w.srv.Shutdown(ctx), <-served); err != nil {
		t.Error(err)
	}
	if err, took := <-sent, time.Since(began); err == nil || took > 10*time.Second {
		t.Errorf("after %s: %v", took, err)
	}
}
