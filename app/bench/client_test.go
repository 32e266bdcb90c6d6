package bench

import (
	"net"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

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

// TestClient: a connection is kept from one request to the next, and what is no success is an error that says what the
// server said.
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
