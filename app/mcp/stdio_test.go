package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/mcp"
	"foyer/policy"
)

// desktop is a running Stdio, with the assistant's ends of it.
type desktop struct {
	in    *io.PipeWriter
	out   *bufio.Scanner
	ended chan error
	end   context.CancelFunc
}

func start(t *testing.T, s *mcp.Stdio) *desktop {
	t.Helper()
	in, assistant := io.Pipe()
	heard, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	d := &desktop{in: assistant, out: bufio.NewScanner(heard), ended: make(chan error, 1), end: cancel}
	d.out.Buffer(nil, 4<<20)
	s.In, s.Out = in, out
	go func() {
		err := s.Run(ctx)
		_ = out.Close()
		d.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		_ = assistant.Close()
		_ = heard.Close()
	})
	return d
}

// say sends lines.
func (d *desktop) say(t *testing.T, lines ...string) {
	t.Helper()
	if _, err := io.WriteString(d.in, strings.Join(lines, "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
}

// hear reads a line.
func (d *desktop) hear(t *testing.T) (line map[string]any) {
	t.Helper()
	if !d.out.Scan() {
		t.Fatalf("no line: %v", d.out.Err())
	}
	if err := json.Unmarshal(d.out.Bytes(), &line); err != nil {
		t.Fatalf("%s: %v", d.out.Bytes(), err)
	}
	return line
}

// code is the code of an error.
func code(line map[string]any) float64 {
	e, _ := line["error"].(map[string]any)
	c, _ := e["code"].(float64)
	return c
}

// wait waits for the end.
func (d *desktop) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-d.ended:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
		return nil
	}
}

// pipes is a transport of the protocol's own client over the pipes of a desktop.
func (d *desktop) pipes(t *testing.T) *sdk.ClientSession {
	t.Helper()
	read, write := io.Pipe()
	go func() {
		for d.out.Scan() {
			if _, err := fmt.Fprintf(write, "%s\n", d.out.Bytes()); err != nil {
				return
			}
		}
		_ = write.Close()
	}()
	c := sdk.NewClient(&sdk.Implementation{Name: "desktop", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.IOTransport{Reader: read, Writer: d.in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A client of the protocol's own makers works through it, and it ends when the client closes its side. A41.
func TestStdio(t *testing.T) {
	h := open(t)
	key, _ := h.Key(t, policy.LocationView, policy.CatalogManage)
	for compact, most := range map[bool]int{false: 300, true: 60} {
		d := start(t, &mcp.Stdio{URL: h.base, Key: key, Compact: compact})
		s := d.pipes(t)
		if list := tools(t, s); len(list) == 0 || len(list) > most {
			t.Errorf("compact %v: %d tools", compact, len(list))
		}
		refused, out := call(t, s, "listLocations", map[string]any{"businessId": h.Business.ID.String()})
		if items, _ := out["items"].([]any); refused || len(items) != 1 {
			t.Errorf("%v", out)
		}
		if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "noSuchTool"}); err == nil {
			t.Error("an unknown tool is called")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := d.wait(t); err != nil {
			t.Errorf("at the end: %v", err)
		}
	}
}

// Older revisions agree on one in initialize, which the following messages name; a location limits all of them. A43.
func TestStdioOfOlderRevisions(t *testing.T) {
	h := open(t)
	south := h.AddLocation(t, "South")
	key, _ := h.Key(t, policy.LocationView, policy.CatalogManage)
	seen := make(chan string, 10)
	client := &http.Client{Transport: heard{seen}}
	d := start(t, &mcp.Stdio{URL: h.base + "/", Key: key, LocationID: south.ID.String(), Client: client})
	d.say(t, `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"desktop","version":"1"}}}`)
	line := d.hear(t)
	result, _ := line["result"].(map[string]any)
	if line["id"] != "a" || result["protocolVersion"] != "2025-06-18" || <-seen != "" {
		t.Errorf("%v", line)
	}
	d.say(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if v := <-seen; v != "2025-06-18" {
		t.Errorf("the notification has the revision %q", v)
	}
	for id, refused := range map[string]bool{south.ID.String(): false, h.Location.ID.String(): true} {
		d.say(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"listSpaces","arguments":{"id":"`+id+`"}}}`)
		line = d.hear(t)
		result, _ := line["result"].(map[string]any)
		if v := <-seen; v != "2025-06-18" || (result["isError"] == true) != refused {
			t.Errorf("%q, %v", v, line)
		}
	}
	_ = d.in.Close()
	if err := d.wait(t); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// heard reports the revision of each request.
type heard struct{ revisions chan<- string }

func (h heard) RoundTrip(r *http.Request) (*http.Response, error) {
	h.revisions <- r.Header.Get("Mcp-Protocol-Version")
	return http.DefaultTransport.RoundTrip(r)
}

// Each failure is an error of the protocol with the id of its call, and the next call works.
func TestStdioFailures(t *testing.T) {
	h := open(t)
	const list = `{"jsonrpc":"2.0","id":4,"method":"prompts/list"}`
	d := start(t, &mcp.Stdio{URL: h.base, Key: "bk_unknown"})
	d.say(t, list)
	line := d.hear(t)
	text, err := json.Marshal(line)
	if err != nil || line["id"] != 4.0 || code(line) != -32010 || !strings.Contains(string(text), "FOYER_API_KEY") ||
		!strings.Contains(string(text), `"unauthorized"`) {
		t.Errorf("a key that is none: %s", text)
	}
	key, _ := h.Key(t, policy.LocationView)
	d = start(t, &mcp.Stdio{URL: h.base, Key: key})
	for message, want := range map[string]float64{
		`{`: -32700, `[` + list + `]`: -32600, `"hello"`: -32600, `{"jsonrpc":"2.0","id":4,"method":7}`: -32600,
		`{"jsonrpc":"2.0","id":4,"method":"` + strings.Repeat("a", 1<<20) + `"}`:               -32600,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool"}}`:      -32602,
		`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"file:///passwd"}}`: -32602,
	} {
		d.say(t, message)
		if line := d.hear(t); code(line) != want {
			t.Errorf("%.60s: %v", message, line)
		}
	}
	d.say(t, "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, list) // neither is answered
	if line := d.hear(t); line["id"] != 4.0 || line["result"] == nil {
		t.Errorf("%v", line)
	}
	for what, server := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusTemporaryRedirect)
		},
		"a page":  func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Bad gateway", http.StatusBadGateway) },
		"nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202) },
		"half": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/message\"}\n\n")
		},
		"closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		other := httptest.NewServer(server)
		d := start(t, &mcp.Stdio{URL: other.URL, Key: key})
		d.say(t, list)
		line := d.hear(t)
		if what == "half" { // a notice on two lines arrives before the error
			if line["method"] != "notifications/message" {
				t.Errorf("%s: %v", what, line)
			}
			line = d.hear(t)
		}
		if line["id"] != 4.0 || code(line) != -32010 && code(line) != -32603 {
			t.Errorf("%s: %v", what, line)
		}
		other.Close()
	}
}

// A call that the assistant cancels ends at the server, and so do all when the process is told to end.
func TestStdioCancels(t *testing.T) {
	began, left := make(chan bool), make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err == nil && strings.Contains(string(text), "tools/call") {
			began <- true
			<-r.Context().Done()
			left <- true
		}
	}))
	defer slow.Close()
	d := start(t, &mcp.Stdio{URL: slow.URL, Key: "bk_x"})
	d.say(t, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x"}}`)
	<-began
	d.say(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`)
	<-left
	d.say(t, `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"x"}}`)
	<-began
	d.end()
	<-left
	if err := d.wait(t); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d.out.Scan() {
		t.Errorf("%s", d.out.Bytes())
	}
}

// Settings that cannot work are refused before anything is sent.
func TestStdioSettings(t *testing.T) {
	for _, s := range []*mcp.Stdio{
		{URL: "", Key: "bk_x"}, {URL: "book.example.org", Key: "bk_x"}, {URL: "ftp://book.example.org", Key: "bk_x"},
		{URL: "https://book.example.org?x=1", Key: "bk_x"}, {URL: "https://me@book.example.org", Key: "bk_x"},
		{URL: "https://book.example.org"}, {URL: "https://book.example.org", Key: "bk_x\r\nX: y"},
	} {
		if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "FOYER_") {
			t.Errorf("%s: %v", s.URL, err)
		}
	}
}
