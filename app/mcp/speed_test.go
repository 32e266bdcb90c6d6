package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/mcp"
	"foyer/policy"
)

// BenchmarkLibrary is a call of an empty tool in the protocol's library alone, without a network.
func BenchmarkLibrary(b *testing.B) {
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	tool := &sdk.Tool{Name: "empty", InputSchema: json.RawMessage(`{"type":"object"}`)}
	server.AddTool(tool, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Done."}}}, nil
	})
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true})
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, mcp.Path, strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"empty","arguments":{}}}`))
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			"Mcp-Protocol-Version": {"2025-11-25"},
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != 200 || !strings.Contains(w.Body.String(), "Done.") {
			b.Fatal(w.Code, w.Body.String())
		}
	}
}

// BenchmarkMCP is for profiles of the process; "foyer bench --only mcp" measures it beside REST.
func BenchmarkMCP(b *testing.B) {
	h := open(b)
	key, _ := h.Key(b, policy.LocationView, policy.CRMView)
	for range 50 {
		h.SQL(b, `insert into customers (id, business_id, name, email, phone, version, created_at, updated_at)
			select gen_random_uuid(), $1, 'Ada', gen_random_uuid() || '@example.com', '+1 555 0100', 1, now(), now()`,
			h.Business.ID)
	}
	message := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
	}
	for name, c := range map[string]struct{ method, path, token, body string }{
		"rest": {"GET", "/businesses/" + h.Business.ID.String() + "/customers?limit=50", key, ""},
		"call": {"POST", mcp.Path, key, message("tools/call",
			`"name":"listCustomers","arguments":{"id":"`+h.Business.ID.String()+`","limit":50}`)},
		"list": {"POST", mcp.Path, h.owner, message("tools/list", "")},
		"ping": {"POST", mcp.Path, key, message("ping", "")},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := http.NewRequestWithContext(b.Context(), c.method, h.base+c.path, strings.NewReader(c.body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header = http.Header{
					"Authorization": {"Bearer " + c.token}, "Content-Type": {"application/json"},
					"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
				}
				res, err := http.DefaultClient.Do(r)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != 200 || n < 30 {
					b.Fatal(res.StatusCode, n, err)
				}
				_ = res.Body.Close()
			}
		})
	}
}
