package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestMCP: the command takes the key and the address from the environment alone, passes a message on to the address of
// its flags, and ends with its input.
func TestMCP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.String() != "/mcp?locationId=l1&tools=compact" ||
			r.Header.Get("Authorization") != "Bearer bk_x" {
			t.Errorf("%s %v, %v", r.URL, r.Header, err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // an answer, as far as this end knows
	}))
	defer server.Close()
	set := map[string]string{"FOYER_URL": server.URL, "FOYER_API_KEY": "bk_x"}
	var out strings.Builder
	p := &program{
		ctx: t.Context(), getenv: func(name string) string { return set[name] }, stdout: &out,
		stdin: strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"),
	}
	if err := (mcpCommand{Compact: true, LocationID: "l1"}).Run(p); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil || line["id"] != 1.0 {
		t.Errorf("%s, %v", out.String(), err)
	}
}

// TestMCPWithoutSettings: without them the command fails, and writes nothing where the assistant listens.
func TestMCPWithoutSettings(t *testing.T) {
	var out, errs strings.Builder
	unset := func(string) string { return "" }
	code := run(context.Background(), []string{"mcp"}, unset, nil, &out, &errs)
	if code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "FOYER_URL") {
		t.Errorf("%d: %q, %q", code, out.String(), errs.String())
	}
	if code = run(context.Background(), []string{"mcp", "--key=bk_x"}, unset, nil, &out, &errs); code != 2 {
		t.Errorf("a key as an argument: %d", code)
	}
}
