package mcp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write the golden files")

// golden is the content of testdata/tools.json: the schemas of all tools, and their version.
type golden struct {
	Version string         `json:"version"`
	Tools   map[string]any `json:"tools"`
}

// TestSchemasOnlyGrow: the schemas of all tools are those of testdata/tools.json, with their version. -update writes
// them; it fails if the version is that of before, if a tool or an argument goes away, or if an argument becomes
// required, because clients were made for the schemas of before: that is another major version (toolsVersion). A213.
func TestSchemasOnlyGrow(t *testing.T) {
	h := open(t)
	s := h.connect(t, h.owner, "")
	now := map[string]any{}
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		now[tool.Name] = tool.InputSchema
	}
	path := filepath.Join("testdata", "tools.json")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var before golden
	if err := json.Unmarshal(file, &before); err != nil {
		t.Fatal(err)
	}
	for name, schema := range before.Tools {
		is, ok := now[name].(map[string]any)
		if !ok {
			t.Errorf("the tool %s is gone", name)
			continue
		}
		was := schema.(map[string]any)
		had, has := members(was), members(is)
		for _, member := range had {
			if !slices.Contains(has, member) {
				t.Errorf("%s: the argument %s is gone", name, member)
			}
		}
		for _, member := range required(is) {
			if !slices.Contains(required(was), member) {
				t.Errorf("%s: the argument %s is required now", name, member)
			}
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	version := s.InitializeResult().ServerInfo.Version
	if err := enc.Encode(golden{version, now}); err != nil {
		t.Fatal(err)
	}
	if same := bytes.Equal(text.Bytes(), file); !same && version == before.Version {
		t.Errorf("the schemas have changed: raise toolsVersion above %s", version)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(text.Bytes(), file) {
		t.Error("testdata/tools.json is old: go test ./app/mcp -run TestSchemasOnlyGrow -update")
	}
}

func members(schema map[string]any) []string {
	properties, _ := schema["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

func required(schema map[string]any) (out []string) {
	list, _ := schema["required"].([]any)
	for _, name := range list {
		out = append(out, name.(string))
	}
	return out
}

// TestHints: a client asks its person before a call that is not marked as reading, and warns before a destructive
// one: reads are GETs and searches with a body.
func TestHints(t *testing.T) {
	h := open(t)
	hints := map[string]*sdk.ToolAnnotations{}
	for tool, err := range h.connect(t, h.owner, "").Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		hints[tool.Name] = tool.Annotations
	}
	for name, want := range map[string]struct{ reads, destroys, again bool }{
		"getBooking":          {true, false, true},
		"searchAvailability":  {true, false, true},
		"explainAvailability": {true, false, true},
		"createCustomer":      {false, false, false},
		"updateCustomer":      {false, false, true},
		"cancelBooking":       {false, true, false},
	} {
		got := hints[name]
		if got == nil {
			t.Errorf("%s: no hints", name)
			continue
		}
		if got.ReadOnlyHint != want.reads || *got.DestructiveHint != want.destroys || got.IdempotentHint != want.again {
			t.Errorf("%s: %+v, destructive %v", name, *got, *got.DestructiveHint)
		}
	}
}
