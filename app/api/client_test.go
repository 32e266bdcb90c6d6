package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/valyala/fasthttp"

	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// call is one request.
type call struct {
	method, path, token, body, key string
	contentType                    string // application/json for a body when empty
	remote                         string // address of the connection
	headers                        []string
	keyless                        bool // no Idempotency-Key, which writes have here otherwise
	assistant                      bool // carried out for an assistant: the token is not in the request
}

// answer is a response.
type answer struct {
	status int
	body   []byte
	packed int // the size of the body on its way, if it was compressed
	header func(name string) string
	call   call
}

// String returns the response for the message of a failing test.
func (a answer) String() string {
	return fmt.Sprintf("%s %s: %d %.300s", a.call.method, a.call.path, a.status, a.body)
}

// do makes a request without a socket. The response has been checked against the document.
func (h *house) do(c call) answer {
	h.t.Helper()
	var rc fasthttp.RequestCtx
	rc.Init2(nowhere{}, nil, false)
	if c.remote == "" {
		c.remote = "192.0.2.7"
	}
	rc.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(c.remote), Port: 4711})
	if c.method == "" {
		c.method = http.MethodGet
	}
	if c.key == "" && !c.keyless && c.method != http.MethodGet && !slices.Contains(c.headers, "Idempotency-Key") { // every write is a request that may be sent twice: pg's Strict looks at it
		c.key = fmt.Sprintf("once-%d", h.asked.Add(1))
	}
	if c.method == http.MethodPost && strings.HasSuffix(c.path, "/assets") && c.contentType == "" {
		c.contentType, c.body = h.withPhoto(c.body)
	}
	rc.Request.Header.SetMethod(c.method)
	rc.Request.SetRequestURI(c.path)
	rc.Request.Header.SetHost("studio.example")
	sent := bearer(c.token)
	if c.assistant {
		sent = ""
		op.SetInsider(&rc, &op.Insider{
			Context: h.t.Context(), Bearer: c.token, Visitor: c.remote, Surface: tenancy.SurfaceAssistant,
		}, op.Sent{})
	}
	for name, value := range map[string]string{"Idempotency-Key": c.key, "Authorization": sent} {
		if value != "" {
			rc.Request.Header.Set(name, value)
		}
	}
	if c.body != "" {
		rc.Request.SetBodyString(c.body)
		if c.contentType == "" {
			c.contentType = "application/json"
		}
	}
	if c.contentType != "" {
		rc.Request.Header.SetContentType(c.contentType)
	}
	for i := 0; i < len(c.headers); i += 2 {
		rc.Request.Header.Add(c.headers[i], c.headers[i+1])
	}
	h.serve(&rc)
	a := answer{
		status: rc.Response.StatusCode(), body: bytes.Clone(rc.Response.Body()), call: c,
		header: func(name string) string { return string(rc.Response.Header.Peek(name)) },
	}
	if a.header("Content-Encoding") != "" {
		a.body, a.packed = bytes.Clone(unpacked(h.t, &rc.Response)), len(a.body)
	}
	h.checkSecrets(a)
	return a
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

type nowhere struct{ net.Conn }

func (nowhere) LocalAddr() net.Addr  { return &net.TCPAddr{} }
func (nowhere) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// expect is do with a status.
func (h *house) expect(status int, c call) answer {
	h.t.Helper()
	a := h.do(c)
	if a.status != status {
		h.t.Fatalf("%s: want %d", a, status)
	}
	return a
}

// Addresses of the processor's events: those of the studios' accounts, and those of the platform's own.
const (
	webhookPath  = "/webhooks/stripe/connect"
	platformPath = "/webhooks/stripe"
)

// RoundTrip delivers an event of the simulator.
func (h *house) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a := h.do(call{
		method: r.Method, path: r.URL.Path, body: string(body), contentType: r.Header.Get("Content-Type"),
		headers: []string{"Stripe-Signature", r.Header.Get("Stripe-Signature")},
	})
	return &http.Response{
		StatusCode: a.status, Status: fmt.Sprint(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r,
	}, nil
}

// record stores the log.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

// route returns the route of the last request, from the access log.
func (r *record) route() string {
	lines := strings.Split(strings.TrimSpace(r.String()), "\n")
	return dig[string](decode([]byte(lines[len(lines)-1])), "route")
}

// secret registers a string that must not appear again, in a response or in the log. A46.
func (h *house) secret(s string) { h.secrets[s], h.quiet[s] = true, true }

// token registers a string that must not appear in the log, and returns it.
func (h *house) token(s string) string {
	h.quiet[s] = true
	return s
}

func (h *house) checkSecrets(a answer) {
	h.t.Helper()
	for s := range h.secrets {
		if bytes.Contains(a.body, []byte(s)) {
			h.t.Errorf("%s %s shows a secret again: %s", a.call.method, a.call.path, a.body)
		}
	}
}

// checkLog runs at the end of every test.
func (h *house) checkLog() {
	text := h.log.String()
	for s := range h.quiet {
		if strings.Contains(text, s) {
			h.t.Error("a secret is in the log")
		}
	}
	if strings.Contains(strings.ToLower(text), "bearer ") {
		h.t.Error("a credential is in the log")
	}
}
