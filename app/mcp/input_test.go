package mcp_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/app/mcp"
)

// A request for another host, or from a page of another website, is refused before its credential is looked at; the
// names of this machine are the same, and a port says nothing. A5, A40.
func TestForgedHostAndOrigin(t *testing.T) {
	h := open(t)
	at, err := url.Parse(h.base)
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		at.Host: 200, "localhost:" + at.Port(): 200, "LocalHost": 200, "[::1]:1": 200, "127.0.0.1": 200,
		"elsewhere.example": 403, "elsewhere.example:" + at.Port(): 403, "127.0.0.1.elsewhere.example": 403,
		"10.0.0.1": 403, "localhost.evil": 403,
	} {
		for _, credential := range []string{"Bearer " + h.owner, ""} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+mcp.Path, strings.NewReader(listTools))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			r.Header = http.Header{
				"Authorization": {credential}, "Content-Type": {"application/json"},
				"Accept": {"application/json, text/event-stream"},
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			expect := want
			if credential == "" && want == 200 {
				expect = 401
			}
			if res.StatusCode != expect || want == 403 && res.Header.Get("Content-Type") != "application/json" {
				t.Errorf("host %s, credential %v: %d %v", host, credential != "", res.StatusCode, res.Header)
			}
		}
	}
	for _, origin := range []string{"https://elsewhere.example", "null", h.base + ".elsewhere.example"} {
		header := http.Header{"Authorization": {"Bearer " + h.owner}, "Origin": {origin}}
		res, body := h.post(t, listTools, header)
		if res.StatusCode != 403 || !strings.Contains(body, `"reason":"origin"`) {
			t.Errorf("origin %s: %d %s", origin, res.StatusCode, body)
		}
	}
	header := http.Header{"Authorization": {"Bearer " + h.owner}, "Origin": {h.base}}
	if res, body := h.post(t, listTools, header); res.StatusCode != 200 {
		t.Errorf("our own origin: %d %s", res.StatusCode, body)
	}
}

// Headers that contradict the message, and messages that are none, have defined answers; none of them is a 500. A5.
func TestContradictions(t *testing.T) {
	h := open(t)
	call := `"name":"listBusinesses","arguments":{}`
	message, header := modern("tools/call", "listBusinesses", call)
	if status, out := h.send(t, h.owner, "2026-07-28", message, header...); status != 200 || out["result"] == nil {
		t.Fatalf("a right message: %d %v", status, out)
	}
	unknown, unknownHeader := modern("tools/call", "noSuchTool", `"name":"noSuchTool"`)
	const older = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`
	name := []string{"Mcp-Method", "tools/call", "Mcp-Name", "x"}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	method, methodHeader := modern("tools/remove", "", "")
	removed, removedHeader := modern("ping", "", "")
	for name, c := range map[string]struct {
		revision, message string
		header            []string
		status            int
		code              float64 // 0: no message
	}{
		"no revision in the header":      {"", message, header, 400, -32020},
		"another revision in the header": {"2025-06-18", message, header, 400, -32020},
		"another method in the header": {
			"2026-07-28", message, []string{"Mcp-Method", "tools/list", "Mcp-Name", "listBusinesses"}, 400, -32020},
		"no method in the header":    {"2026-07-28", message, []string{"Mcp-Name", "listBusinesses"}, 400, -32020},
		"another name in the header": {"2026-07-28", message, name, 400, -32020},
		"no name in the header":      {"2026-07-28", message, []string{"Mcp-Method", "tools/call"}, 400, -32020},
		"no revision in the message": {"2026-07-28", listTools, []string{"Mcp-Method", "tools/list"}, 400, -32602},
		"a revision to come": {
			"2099-01-01", strings.Replace(message, "2026-07-28", "2099-01-01", 1), header, 400, -32022},
		"a revision that never was":    {"2025-01-01", listTools, nil, 400, 0},
		"an unknown tool":              {"2026-07-28", unknown, unknownHeader, 400, -32602},
		"an unknown tool, older":       {"2025-06-18", older + `{"name":"x"}}`, nil, 200, -32602},
		"an unknown method":            {"2026-07-28", method, methodHeader, 404, -32601},
		"a method of older revisions":  {"2026-07-28", removed, removedHeader, 404, -32601},
		"an unknown method, older":     {"2025-06-18", `{"jsonrpc":"2.0","id":7,"method":"tools/remove"}`, nil, 400, 0},
		"arguments that are no object": {"2025-06-18", older + `[1]}`, nil, 200, -32602},
		"no name":                      {"2025-06-18", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, nil, 400, 0},
		"no JSON":                      {"2025-06-18", `{"jsonrpc":`, nil, 400, 0},
		"nothing":                      {"2025-06-18", ``, nil, 400, 0},
		"a text":                       {"2025-06-18", `"hello"`, nil, 400, 0},
		"an event to continue":         {"2025-06-18", listTools, []string{"Last-Event-ID", "1"}, 400, 0},
		"another session":              {"2025-06-18", listTools, []string{"Mcp-Session-Id", "abc"}, 200, 1},
		"too deep":                     {"2025-06-18", older + deep + `}`, nil, 400, 0},
	} {
		status, out := h.send(t, h.owner, c.revision, c.message, c.header...)
		got := code(out)
		if out["result"] != nil {
			got = 1
		}
		if status != c.status || got != c.code {
			t.Errorf("%s: %d %v: %.200v", name, status, got, out)
		}
	}
}

// A body over 1 MB, and one of another type, are refused. A5.
func TestBodies(t *testing.T) {
	h := open(t)
	large := strings.Replace(listTools, `"id":1`, `"id":1,"x":"`+strings.Repeat("a", 1<<20)+`"`, 1)
	header := http.Header{"Authorization": {"Bearer " + h.owner}}
	if res, body := h.post(t, large, header); res.StatusCode < 400 || res.StatusCode >= 500 {
		t.Errorf("over 1 MB: %d %s", res.StatusCode, body)
	}
	for name, set := range map[string][2]string{
		"form": {"Content-Type", "application/x-www-form-urlencoded"}, "accept": {"Accept", "text/html"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+mcp.Path, strings.NewReader(listTools))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Authorization": {"Bearer " + h.owner}, "Content-Type": {"application/json"},
			"Accept": {"application/json, text/event-stream"},
		}
		r.Header.Set(set[0], set[1])
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode < 400 || res.StatusCode >= 500 {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}
