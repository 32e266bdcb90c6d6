package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// serve runs the server on a real socket until the test ends.
func (w *world) serve(t *testing.T) string {
	t.Helper()
	return w.serveOn(t, w.listen())
}

// serveOn is serve on a listener of the test's.
func (w *world) serveOn(t *testing.T, ln net.Listener) string {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- w.srv.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := w.srv.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return ln.Addr().String()
}

type keptIn struct {
	ID    string `path:"id"`
	Q     string `query:"q"`
	Agent string `header:"User-Agent"`
	Body  *noteBody
}

// TestKeptStrings retains the strings passed to handlers and checks them after later requests on the same connection.
// fiber's own strings would all show the last request.
func TestKeptStrings(t *testing.T) {
	w := newWorld(t)
	var kept []string
	var contexts []context.Context
	op.Declare(w.srv.Operations, spec("keep", "POST", "/storefront/offerings/{id}/times", op.Spec{
		Access: op.Public, Rate: op.RateStorefront, Errors: []int{400, 404},
	}), func(ctx context.Context, _ tenancy.Scope, in *keptIn) (op.NoContent, error) {
		kept = append(kept, in.ID, in.Q, in.Agent, in.Body.Note)
		contexts = append(contexts, ctx)
		return op.NoContent{}, nil
	})
	var paths []string
	w.srv.App().Get("/page/:slug", func(c *fiber.Ctx) error {
		paths = append(paths, c.Params("slug"), c.Query("q"))
		return nil
	})
	addr := w.serve(t)
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	var want, wantPaths, ids []string
	for i := range 4 {
		id := strings.Repeat(string(rune('A'+i)), 6)
		got, err := fetch(t, client, http.MethodPost, "http://"+addr+"/storefront/offerings/"+id+"/times?q=q"+id, `{"note":"note `+id+`"}`,
			"Content-Type", "application/json", "User-Agent", "agent "+id)
		if err != nil || got.status != http.StatusNoContent {
			t.Fatal(err, got.status)
		}
		ids = append(ids, got.header("X-Request-Id"))
		want = append(want, id, "q"+id, "agent "+id, "note "+id)
		if _, err = fetch(t, client, http.MethodGet, "http://"+addr+"/page/"+id+"?q="+id, ""); err != nil {
			t.Fatal(err)
		}
		wantPaths = append(wantPaths, id, id)
	}
	if fmt.Sprint(kept) != fmt.Sprint(want) || fmt.Sprint(paths) != fmt.Sprint(wantPaths) {
		t.Errorf("kept strings changed:\n%v\n%v", kept, paths)
	}
	for i, ctx := range contexts {
		if op.RequestID(ctx) != ids[i] {
			t.Errorf("kept context %d: request id %s, was %s", i, op.RequestID(ctx), ids[i])
		}
	}
}

// timed is a listener whose connections record the read deadline of each request.
type timed struct {
	net.Listener
	mu   sync.Mutex
	left []time.Duration // at the beginning of each read that brought something
}

func (l *timed) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &timedConn{Conn: c, of: l}, err
}

type timedConn struct {
	net.Conn
	of  *timed
	end time.Time
}

func (c *timedConn) SetReadDeadline(end time.Time) error {
	c.end = end
	return c.Conn.SetReadDeadline(end)
}

func (c *timedConn) SetDeadline(end time.Time) error {
	c.end = end
	return c.Conn.SetDeadline(end)
}

func (c *timedConn) Read(p []byte) (int, error) {
	left := time.Hour // without an end
	if !c.end.IsZero() {
		left = time.Until(c.end)
	}
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.of.left = append(c.of.left, left)
	}
	return n, err
}

// TestIdleAfterPost: a kept connection waits for the next request for more than a minute, also after one with a body.
// With huma's own adapter it is closed without a word five seconds after that. A new one is not kept without an end.
func TestIdleAfterPost(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	ln := &timed{Listener: w.listen()}
	conn := dial(t, w.serveOn(t, ln))
	in := bufio.NewReader(conn)
	body := `{"note":"hello"}`
	post := "POST /businesses/" + studio.String() + "/catalog HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ownerToken +
		"\r\nContent-Type: application/json\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n\r\n" + body
	if got := raw(t, conn, in, post); got.status != 200 {
		t.Fatalf("POST %d", got.status)
	}
	if got := raw(t, conn, in, "GET /me/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+ownerToken+"\r\n\r\n"); got.status != 200 {
		t.Errorf("GET after it %d", got.status)
	}
	ln.mu.Lock()
	defer ln.mu.Unlock()
	// The first byte of a request is a read of its own.
	if n := len(ln.left); n != 4 || ln.left[0] > time.Minute || ln.left[2] < time.Minute {
		t.Errorf("the reads had %v", ln.left)
	}
}

// TestHead answers like GET, without a body.
func TestHead(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	addr := w.serve(t)
	for _, path := range []string{"/storefront/offerings/" + uptown.String() + "/times", "/openapi.json"} {
		get, err := fetch(t, http.DefaultClient, http.MethodGet, "http://"+addr+path, "")
		if err != nil {
			t.Fatal(err)
		}
		head, err := fetch(t, http.DefaultClient, http.MethodHead, "http://"+addr+path, "")
		if err != nil {
			t.Fatal(err)
		}
		if head.status != 200 || head.body != "" || get.body == "" || head.header("Content-Type") != get.header("Content-Type") {
			t.Errorf("HEAD %s: %d, body %q", path, head.status, head.body)
		}
	}
}

// TestPanic gives the envelope of a 500 without a word of the panic, and the process goes on. A76.
func TestPanic(t *testing.T) {
	w := newWorld(t)
	secret := "select * from secrets"
	r := w.srv.Operations
	op.Declare(r, spec("panic", "GET", "/me/panic", op.Spec{Access: op.Session, Errors: []int{401, 403}}),
		func(context.Context, tenancy.Scope, *none) (seen, error) { panic(secret) })
	op.Declare(r, spec("fail", "GET", "/me/fail", op.Spec{Access: op.Session, Errors: []int{401, 403}}),
		func(context.Context, tenancy.Scope, *none) (seen, error) { return seen{}, errors.New(secret) })
	w.srv.App().Get("/page", func(c *fiber.Ctx) error {
		c.Set("X-Half", "written")
		if err := c.SendString(secret); err != nil {
			return err
		}
		panic(secret)
	})
	for _, path := range []string{"/me/panic", "/me/fail", "/page"} {
		got := w.do(req{path: path, token: ownerToken})
		got.refused(t, 500)
		if strings.Contains(got.body, "select") || got.header("X-Half") != "" {
			t.Errorf("%s shows internals: %s", path, got.body)
		}
		if got.header("X-Request-Id") == "" || got.header("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers missing", path)
		}
	}
	if !strings.Contains(w.log.String(), secret) {
		t.Error("the cause is not in the log")
	}
	if n := strings.Count(w.log.String(), `"status":500`); n != 3 {
		t.Errorf("%d access lines say 500, want 3", n)
	}
}

// TestShutdownIsOver: when the time for the shutdown is over, the contexts of requests end, and their answers are sent
// before the server ends.
func TestShutdownIsOver(t *testing.T) {
	w := newWorld(t)
	ln := w.listen()
	began := make(chan struct{})
	op.Declare(w.srv.Operations, spec("slow", "GET", "/me/slow", op.Spec{Access: op.Session, Errors: []int{401, 403}}),
		func(ctx context.Context, _ tenancy.Scope, _ *none) (seen, error) {
			close(began)
			<-ctx.Done()
			time.Sleep(150 * time.Millisecond)
			return seen{}, fault.New(fault.Forbidden, "done", "done")
		})
	served := make(chan error, 1)
	go func() { served <- w.srv.Serve(ln) }()
	status := make(chan int, 1)
	go func() {
		got, err := slow(t, ln)
		if err != nil {
			t.Error(err)
		}
		status <- got.status
	}()
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := w.srv.Shutdown(ctx); err != nil {
		t.Errorf("the server ends before its last answer: %v", err)
	}
	if got := <-status; got != 403 {
		t.Errorf("the request in flight got %d", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestShutdownDoesNotWait: a request that does not end with its context delays the end of the server by a second.
func TestShutdownDoesNotWait(t *testing.T) {
	w := newWorld(t)
	ln := w.listen()
	began, end := make(chan struct{}), make(chan struct{})
	op.Declare(w.srv.Operations, spec("slow", "GET", "/me/slow", op.Spec{Access: op.Session, Errors: []int{401, 403}}),
		func(context.Context, tenancy.Scope, *none) (seen, error) {
			close(began)
			<-end
			return seen{}, fault.New(fault.Forbidden, "done", "done")
		})
	served, ended := make(chan error, 1), make(chan struct{})
	go func() { served <- w.srv.Serve(ln) }()
	go func() {
		defer close(ended)
		_, _ = slow(t, ln)
	}()
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if err := w.srv.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if took := time.Since(begun); took < time.Second || took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	close(end)
	<-ended
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// slow requests the operation of these tests as the owner.
func slow(t *testing.T, ln net.Listener) (resp, error) {
	t.Helper()
	at := "http://" + ln.Addr().String() + "/me/slow"
	return fetch(t, http.DefaultClient, http.MethodGet, at, "", "Authorization", "Bearer "+ownerToken)
}

// TestShutdown lets a request in flight end, after connections are refused.
func TestShutdown(t *testing.T) {
	w := newWorld(t)
	ln := w.listen()
	var began sync.WaitGroup
	began.Add(1)
	op.Declare(w.srv.Operations, spec("slow", "GET", "/me/slow", op.Spec{Access: op.Session, Errors: []int{401, 403}}),
		func(context.Context, tenancy.Scope, *none) (seen, error) {
			began.Done()
			for {
				c, err := net.Dial("tcp", ln.Addr().String())
				if err != nil {
					break
				}
				_ = c.Close()
			}
			return seen{}, fault.New(fault.Forbidden, "done", "done")
		})
	served := make(chan error, 1)
	go func() { served <- w.srv.Serve(ln) }()
	status := make(chan int, 1)
	go func() {
		got, err := fetch(t, http.DefaultClient, http.MethodGet, "http://"+ln.Addr().String()+"/me/slow", "", "Authorization", "Bearer "+ownerToken)
		if err != nil {
			t.Error(err)
		}
		status <- got.status
	}()
	began.Wait()
	if err := w.srv.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if got := <-status; got != 403 {
		t.Errorf("the request in flight got %d", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
