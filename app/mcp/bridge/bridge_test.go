package bridge

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
)

// serve serves a handler behind a bridge, with a deadline for whole answers that is shorter than the streams.
func serve(t *testing.T, h http.HandlerFunc) (base string) {
	t.Helper()
	base, _ = open(t, h)
	return base
}

// open is serve, with the server.
func open(t *testing.T, h http.HandlerFunc) (base string, app *fiber.App) {
	t.Helper()
	app = fiber.New(fiber.Config{
		Immutable: true, DisableStartupMessage: true, WriteTimeout: 300 * time.Millisecond, ReadTimeout: 10 * time.Second,
	})
	b := New(h, slog.New(slog.DiscardHandler))
	b.ping = 50 * time.Millisecond
	app.All("/*", b.Serve)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- app.Listener(ln) }()
	t.Cleanup(func() {
		if err := app.Shutdown(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String(), app
}

// request makes a request that ends with the test.
func request(ctx context.Context, t *testing.T, base, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/a%20b?q=1", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Add("X-Twice", "one")
	r.Header.Add("X-Twice", "two")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// The handler sees the request as it came, and the client the answer as it was written.
func TestBridge(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, local := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(http.StatusTeapot)
		w.Header().Set("X-Late", "no")
		fmt.Fprint(w, r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.Header["X-Twice"], local, r.RemoteAddr != "")
	})
	res := request(t.Context(), t, base, "content")
	text, err := io.ReadAll(res.Body)
	want := "POST/a bq=1content[one two] true true"
	if err != nil || string(text) != want || res.StatusCode != http.StatusTeapot || res.Header.Get("X-Answer") != "yes" ||
		res.Header.Get("X-Late") != "" {
		t.Errorf("%d %v %q, %v", res.StatusCode, res.Header, text, err)
	}
}

// A stream arrives piece by piece, also after the deadline of a whole answer, with pings in the pauses.
func TestBridgeStreams(t *testing.T) {
	next := make(chan struct{})
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			<-next
		}
	})
	res := request(t.Context(), t, base, "")
	lines, begun := bufio.NewScanner(res.Body), time.Now()
	pings := 0
	for want := 0; want < 3; {
		if !lines.Scan() {
			t.Fatalf("the stream ends after %d, %v", want, lines.Err())
		}
		switch line := lines.Text(); {
		case line == ": ping":
			if pings++; pings%4 == 0 { // longer than the deadline, in all
				next <- struct{}{}
			}
		case line == fmt.Sprintf("data: %d", want):
			want++
		}
	}
	next <- struct{}{}
	for lines.Scan() {
	}
	if took := time.Since(begun); lines.Err() != nil || pings < 8 || took < 300*time.Millisecond {
		t.Errorf("%d pings in %s, %v", pings, took, lines.Err())
	}
}

// When the client leaves a stream, the handler's context ends.
func TestBridgeNoticesLeaving(t *testing.T) {
	left := make(chan error, 1)
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		_, err := w.Write([]byte("more"))
		left <- err
	})
	ctx, leave := context.WithCancel(t.Context())
	res := request(ctx, t, base, "")
	if _, err := res.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	leave()
	select {
	case err := <-left:
		if err == nil {
			t.Error("a write to nobody succeeds")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the handler goes on")
	}
}

// A stream that is open when the server is told to end arrives whole, and the server ends after it.
func TestBridgeEndsStreamsAtShutdown(t *testing.T) {
	var ended atomic.Bool
	release := make(chan struct{})
	base, app := open(t, func(w http.ResponseWriter, _ *http.Request) {
		defer ended.Store(true)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Connection", "keep-alive") // as the protocol's library does
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-release
		fmt.Fprint(w, "data: 2\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(20 * time.Millisecond)
		fmt.Fprint(w, "data: 3\n\n")
	})
	res := request(t.Context(), t, base, "")
	if len(res.TransferEncoding) == 0 || len(res.Header["Connection"]) > 0 {
		t.Fatalf("the answer is no stream, or has a connection of its own: %v %v", res.TransferEncoding, res.Header)
	}
	shut := make(chan error, 1)
	go func() { shut <- app.Shutdown() }()
	for {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			break // it accepts no more
		}
		_ = c.Close()
	}
	select {
	case err := <-shut:
		t.Fatalf("the server ends before the stream, %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	close(release)
	text, err := io.ReadAll(res.Body)
	got := strings.ReplaceAll(string(text), ": ping\n\n", "")
	if err != nil || got != "data: 1\n\ndata: 2\n\ndata: 3\n\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := <-shut; err != nil || !ended.Load() {
		t.Errorf("the handler has ended: %v, %v", ended.Load(), err)
	}
}

// When the context of a request ends, what was stopped by it can still be said: the handler's own ends after it.
func TestBridgeAnswersAfterTheRequestsTime(t *testing.T) {
	request, end := context.WithCancel(context.WithValue(t.Context(), timeKey{}, "kept"))
	ctx, cancel := outliving(request)
	defer cancel()
	if ctx.Value(timeKey{}) != "kept" {
		t.Error("a value of the request is lost")
	}
	begun := time.Now()
	end()
	select {
	case <-ctx.Done():
		if took := time.Since(begun); took < lastWords {
			t.Errorf("it ends after %s", took)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
	ctx, cancel = outliving(t.Context())
	cancel()
	if ctx.Err() == nil {
		t.Error("it goes on after the answer")
	}
}

type timeKey struct{}

// A panic of the handler is an internal error, and the process lives.
func TestBridgePanics(t *testing.T) {
	base := serve(t, func(http.ResponseWriter, *http.Request) { panic("no") })
	for range 2 {
		if res := request(t.Context(), t, base, ""); res.StatusCode != http.StatusInternalServerError {
			t.Errorf("%d", res.StatusCode)
		}
	}
}

// A page of another website is told by its Origin; what sends none is a program.
func TestForeignOrigin(t *testing.T) {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/", func(c *fiber.Ctx) error { return c.SendString(fmt.Sprint(ForeignOrigin(c, "https://book.example"))) })
	for origin, foreign := range map[string]string{
		"": "false", "https://book.example": "false", "http://book.example": "true", "https://book.example:444": "true",
		"https://book.example.evil.example": "true", "null": "true",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		res, err := app.Test(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != foreign {
			t.Errorf("origin %q is foreign: %s, %v", origin, got, err)
		}
	}
}
