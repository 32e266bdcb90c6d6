package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/mcp"
)

// message is the one message of an answer.
type message struct {
	ID     int
	Result struct {
		IsError           bool
		StructuredContent map[string]any
	}
}

// locked begins a call of a tool that waits for a locked table. unlock ends the lock, and answer returns the answer.
func (h *house) locked(t *testing.T) (unlock func(), answer func() (message, error)) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), h.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	sql := func(text string) {
		if _, err := conn.Exec(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	sql("begin")
	sql("lock table customers in access exclusive mode")
	type answered struct {
		message
		err error
	}
	done := make(chan answered, 1)
	go func() {
		m, err := h.whole(t.Context(), `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"listCustomers",`+
			`"arguments":{"id":"`+h.Business.ID.String()+`"}}}`)
		done <- answered{m, err}
	}()
	for waiting := false; !waiting; time.Sleep(5 * time.Millisecond) { // real time: of the database
		if err := conn.QueryRow(t.Context(), "select exists (select from pg_locks where not granted and database = "+
			"(select oid from pg_database where datname = current_database()))").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	return func() { sql("rollback") }, func() (message, error) {
		got := <-done
		return got.message, got.err
	}
}

// whole sends a request, and returns the message of its answer, which must be the only one and have an end.
func (h *house) whole(ctx context.Context, body string) (m message, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base+mcp.Path, strings.NewReader(body))
	if err != nil {
		return m, err
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + h.owner}, "Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return m, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return m, err
	}
	_, data, found := strings.Cut(string(text), "data: ")
	if !found || !strings.HasSuffix(data, "\n\n") {
		return m, errors.New("no whole event: " + string(text))
	}
	return m, json.Unmarshal([]byte(data), &m)
}

// A call in flight when the server is told to end gets its result, and the server ends after it.
func TestShutdownFinishesCalls(t *testing.T) {
	h := open(t)
	unlock, answer := h.locked(t)
	shut := make(chan error, 1)
	go func() { shut <- h.web.Shutdown(t.Context()) }()
	for {
		c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
		if err != nil {
			break // it accepts no more
		}
		_ = c.Close()
	}
	unlock()
	if m, err := answer(); err != nil || m.ID != 7 || m.Result.IsError || len(m.Result.StructuredContent) == 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if err := <-shut; err != nil {
		t.Error(err)
	}
}

// A call that is still in flight when the time for the shutdown is over gets a refusal that is whole, and the server
// ends after it.
func TestShutdownRefusesTheRest(t *testing.T) {
	h := open(t)
	_, answer := h.locked(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := h.web.Shutdown(ctx); err != nil {
		t.Errorf("the server ends before its last answer: %v", err)
	}
	if m, err := answer(); err != nil || m.ID != 7 || !m.Result.IsError || m.Result.StructuredContent["error"] == nil {
		t.Errorf("%+v, %v", m, err)
	}
}
