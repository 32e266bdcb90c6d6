// Package bridge serves a handler of net/http on fiber, with streams: the Model Context Protocol's library has one.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

const (
	pingEvery = 15 * time.Second // on a stream without other content, so that proxies and a lost client are noticed
	writeMost = 30 * time.Second // for one write to a client

	// A handler that ends so soon after its first flush has answered with one event: a body costs less than a stream.
	endsSoon = 2 * time.Millisecond

	// A handler may go on for so long after its request's context has ended, so that it can still answer.
	lastWords = 500 * time.Millisecond
)

// Bridge serves a handler of net/http on fiber. The handler gets copies of everything: fasthttp uses its memory again.
// An answer that is flushed before its end becomes a stream. The handler's context ends when the client leaves the
// stream, when the answer is complete, and half a second after the request's own context has ended: work that ends
// with the request's context has an error by then, which the handler can still send. So an answer is complete at the
// end of the server, too. The server's deadline for a whole answer would cut a stream, so each write of it gets a
// deadline of its own.
type Bridge struct {
	handler http.Handler
	log     *slog.Logger
	ping    time.Duration
}

// New returns a bridge to a handler. A panic of the handler is written to the log.
func New(handler http.Handler, log *slog.Logger) *Bridge {
	return &Bridge{handler: handler, log: log, ping: pingEvery}
}

// Serve is a handler of fiber.
func (b *Bridge) Serve(c *fiber.Ctx) error {
	ctx, cancel := outliving(c.UserContext())
	ctx = context.WithValue(ctx, http.LocalAddrContextKey, c.Context().LocalAddr())
	r, err := requestOf(ctx, c)
	if err != nil {
		cancel()
		return fiber.ErrBadRequest
	}
	w := &response{
		header: http.Header{}, flushed: make(chan struct{}), more: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go b.run(w, r, cancel)
	select {
	case <-w.flushed:
		late := time.NewTimer(endsSoon) // real time: of the process
		defer late.Stop()
		select {
		case <-w.done:
			w.head(c)
			c.Response().SetBodyRaw(w.take())
			return nil
		case <-late.C:
		}
		w.head(c)
		c.Set("X-Accel-Buffering", "no") // nginx
		c.Context().SetBodyStreamWriter(b.stream(w, c.Context().Conn(), cancel))
	case <-w.done:
		w.head(c)
		c.Response().SetBodyRaw(w.take())
	}
	return nil
}

// outliving returns a context with the values of a request's context, which ends lastWords after it.
func outliving(request context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(context.WithoutCancel(request))
	stop := context.AfterFunc(request, func() { time.AfterFunc(lastWords, end) }) // real time: of the process
	return ctx, func() { stop(); end() }
}

// run carries the handler out. A panic of it is an internal error, as in a handler of fiber.
func (b *Bridge) run(w *response, r *http.Request, cancel context.CancelFunc) {
	defer cancel()
	defer close(w.done)
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("panic", "route", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			w.WriteHeader(http.StatusInternalServerError)
		}
	}()
	b.handler.ServeHTTP(w, r)
}

// stream forwards what the handler writes, until it ends or the client leaves.
func (b *Bridge) stream(w *response, conn net.Conn, cancel context.CancelFunc) func(*bufio.Writer) {
	return func(out *bufio.Writer) {
		defer cancel()
		beat := time.NewTicker(b.ping)
		defer beat.Stop()
		for {
			var ended bool
			select {
			case <-w.more:
			case <-w.done:
				ended = true
			case <-beat.C:
				w.ping()
			}
			if err := conn.SetWriteDeadline(time.Now().Add(writeMost)); err != nil { // real time: of the network
				w.leave()
				return
			}
			_, err := out.Write(w.take())
			if err == nil {
				err = out.Flush()
			}
			if err != nil {
				w.leave()
				return
			}
			if ended {
				return
			}
		}
	}
}

// requestOf copies a request.
func requestOf(ctx context.Context, c *fiber.Ctx) (*http.Request, error) {
	u, err := url.ParseRequestURI(string(c.Request().RequestURI()))
	if err != nil {
		return nil, err
	}
	body := bytes.Clone(c.Request().Body())
	r := &http.Request{
		Method: strings.Clone(c.Method()), URL: u, Host: string(c.Request().Host()), RequestURI: u.RequestURI(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
		RemoteAddr: c.Context().RemoteAddr().String(),
	}
	for name, value := range c.Request().Header.All() {
		r.Header.Add(string(name), string(value))
	}
	return r.WithContext(ctx), nil
}

// response is the writer of a handler, and the reader of its answer.
type response struct {
	header  http.Header
	flushed chan struct{} // closed at the first flush: the answer is a stream
	more    chan struct{} // something was flushed
	done    chan struct{} // the handler has ended

	mu      sync.Mutex
	status  int
	sent    http.Header // the header as it was with the status
	content bytes.Buffer
	stream  bool
	gone    bool // the client left
}

// Header is part of http.ResponseWriter.
func (w *response) Header() http.Header { return w.header }

// WriteHeader is part of http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status)
}

// begin fixes the status and the header. The caller holds mu.
func (w *response) begin(status int) {
	if w.status == 0 {
		w.status, w.sent = status, w.header.Clone()
	}
}

// Write is part of http.ResponseWriter. It fails after the client has left.
func (w *response) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return 0, net.ErrClosed
	}
	w.begin(http.StatusOK)
	return w.content.Write(p)
}

// Grow makes room for n bytes, so that many writes need no more.
func (w *response) Grow(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.content.Grow(n)
}

// Flush is part of http.Flusher.
func (w *response) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if !w.stream {
		w.stream = true
		close(w.flushed)
	}
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// ping adds a comment to a stream of events.
func (w *response) ping() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.content.Len() == 0 {
		w.content.WriteString(": ping\n\n")
	}
}

func (w *response) take() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.content.Bytes()
	w.content = bytes.Buffer{}
	return out
}

func (w *response) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = true
}

// head sets the status and the header of the answer. Whether the connection stays open is for the server to say, which
// may be about to end.
func (w *response) head(c *fiber.Ctx) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	c.Status(w.status)
	for name, values := range w.sent {
		if name == fiber.HeaderConnection {
			continue
		}
		c.Response().Header.Del(name)
		for _, v := range values {
			c.Response().Header.Add(name, v)
		}
	}
}

// ForeignOrigin reports whether a page of another website makes a request, by its Origin header. own is the origin of
// this one. Programs send no Origin.
func ForeignOrigin(c *fiber.Ctx, own string) bool {
	origin := c.Get(fiber.HeaderOrigin)
	return origin != "" && origin != own
}
