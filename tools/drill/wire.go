package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// wire speaks HTTP to one address over kept connections. Go's own client quietly sends a request again whose connection was
// closed; here that is what is looked for, so nothing is sent twice.
type wire struct {
	address string
	patient time.Duration // for one answer, with connecting

	mu   sync.Mutex
	idle []*line
}

// line is one connection.
type line struct {
	net.Conn
	in    *bufio.Reader
	since time.Time // when it fell idle
}

// idleMost is how long a connection lies idle before it is not used again: less than nginx or the product would keep it, so that
// neither closes it while a request is on its way.
const idleMost = 10 * time.Second

func newWire(address string) *wire { return &wire{address: address, patient: 60 * time.Second} }

// drillHost is the host that requests are for.
const drillHost = "drill.test"

// ask is one request.
type ask struct {
	method, path string
	session      string // Authorization, when set
	key          string // Idempotency-Key, when set
	body         string // JSON
	accept       string // Accept, when set
}

// answer is what came back.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	chunked bool // the body came in pieces, and ended with an empty one
}

// data decodes the data of the envelope.
func (a answer) data(into any) error {
	whole := struct {
		Data any `json:"data"`
	}{into}
	return json.Unmarshal(a.body, &whole)
}

// tells is an error for an answer that is not the wanted one.
func (a answer) tells(q ask) error {
	return fmt.Errorf("%s %s answers %d: %.300s", q.method, q.path, a.status, bytes.TrimSpace(a.body))
}

// comeBack tells whether an answer says that the same request may work later: with Retry-After, and from the API in its envelope of
// errors. Pages and embeds say it with 503.
func (a answer) comeBack() bool {
	if a.header.Get("Retry-After") == "" {
		return false
	}
	var e struct {
		Error struct{ Details struct{ Reason string } }
	}
	return a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable ||
		json.Unmarshal(a.body, &e) == nil && strings.HasSuffix(e.Error.Details.Reason, "unavailable") // "unavailable", "processor_unavailable"
}

// errRefused says that nobody listens.
var errRefused = errors.New("nobody listens")

// do sends a request once and reads the whole answer.
func (w *wire) do(ctx context.Context, q ask) (answer, error) {
	l, err := w.take(ctx)
	if err != nil {
		return answer{}, err
	}
	a, again, err := l.ask(q, w.patient)
	if err != nil || !again {
		_ = l.Close() // its answer is here, or never comes
		return a, err
	}
	l.since = time.Now() // real time: of a connection
	w.mu.Lock()
	w.idle = append(w.idle, l)
	w.mu.Unlock()
	return a, nil
}

func (w *wire) take(ctx context.Context) (*line, error) {
	if l := w.kept(); l != nil {
		return l, nil
	}
	d := net.Dialer{Timeout: w.patient}
	c, err := d.DialContext(ctx, "tcp", w.address)
	if err != nil {
		return nil, errors.Join(errRefused, err)
	}
	return &line{Conn: c, in: bufio.NewReaderSize(c, 16<<10)}, nil
}

// kept takes the connection that was used last, and drops all when that is too long ago.
func (w *wire) kept() *line {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.idle)
	if n == 0 {
		return nil
	}
	l := w.idle[n-1]
	w.idle = w.idle[:n-1]
	if time.Since(l.since) < idleMost {
		return l
	}
	for _, old := range append(w.idle, l) {
		_ = old.Close() // nobody uses it
	}
	w.idle = nil
	return nil
}

// close ends the connections that lie idle.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.idle {
		_ = l.Close() // nobody uses it
	}
	w.idle = nil
}

// ask sends one request on a connection; again tells whether the connection takes another.
func (l *line) ask(q ask, patient time.Duration) (a answer, again bool, err error) {
	var b strings.Builder
	b.WriteString(q.method + " " + q.path + " HTTP/1.1\r\nHost: " + drillHost + "\r\n")
	if q.accept != "" {
		b.WriteString("Accept: " + q.accept + "\r\n")
	}
	if q.session != "" {
		b.WriteString("Authorization: Bearer " + q.session + "\r\n")
	}
	if q.key != "" {
		b.WriteString("Idempotency-Key: " + q.key + "\r\n")
	}
	if q.method != http.MethodGet {
		if q.body != "" {
			b.WriteString("Content-Type: application/json\r\n")
		}
		b.WriteString("Content-Length: " + strconv.Itoa(len(q.body)) + "\r\n")
	}
	b.WriteString("\r\n" + q.body)
	if err := l.SetDeadline(time.Now().Add(patient)); err != nil { // real time: a person waits
		return a, false, err
	}
	if _, err := io.WriteString(l, b.String()); err != nil {
		return a, false, err
	}
	res, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return a, false, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, body, len(res.TransferEncoding) > 0}, !res.Close, err
}
