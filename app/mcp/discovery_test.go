package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"foyer/app/mcp"
	"foyer/policy"
)

// get reads a public document.
func (h *house) get(t *testing.T, path, tag string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://elsewhere.example")
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

// public checks that a document is for everybody, and kept.
func (h *house) public(t *testing.T, path, contentType string) string {
	t.Helper()
	res, text := h.get(t, path, "")
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != contentType ||
		res.Header.Get("Access-Control-Allow-Origin") != "*" || res.Header.Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("%s: %d %v", path, res.StatusCode, res.Header)
	}
	if again, body := h.get(t, path, res.Header.Get("ETag")); again.StatusCode != 304 || body != "" {
		t.Errorf("%s: %d with the tag of before", path, again.StatusCode)
	}
	return text
}

// The server card names this server, the version of its tools, its addresses and how to get in. A6.
func TestA6_ServerCard(t *testing.T) {
	h := open(t)
	var card struct {
		Name, Title, Description, Version, Documentation, Guide string
		ProtocolVersions                                        []string
		Remotes                                                 []struct{ Type, URL, Description string }
		Authentication                                          struct {
			Required bool
			Schemes  []struct{ Type, Description, ResourceMetadata string }
		}
	}
	if err := json.Unmarshal([]byte(h.public(t, "/.well-known/mcp.json", "application/json")), &card); err != nil {
		t.Fatal(err)
	}
	if card.Name != "1.0.0.127/foyer" || card.Title != "Foyer" || card.Description == "" || card.Version != "2.7.0" ||
		card.Documentation != h.base+"/docs/api" || card.Guide != h.base+"/llms.txt" ||
		!slices.Contains(card.ProtocolVersions, "2026-07-28") || !slices.Contains(card.ProtocolVersions, "2025-06-18") {
		t.Errorf("%+v", card)
	}
	if len(card.Remotes) != 2 || card.Remotes[0].URL != h.base+mcp.Path ||
		card.Remotes[1].URL != h.base+mcp.Path+"?tools=compact" {
		t.Fatalf("%+v", card.Remotes)
	}
	for _, r := range card.Remotes { // each can be used as it is
		list := tools(t, h.connect(t, h.owner, strings.TrimPrefix(r.URL, h.base+mcp.Path)))
		if r.Type != "streamable-http" || len(list) == 0 {
			t.Errorf("%+v", r)
		}
	}
	auth := card.Authentication
	if !auth.Required || len(auth.Schemes) != 2 || auth.Schemes[0].Type != "oauth2" || auth.Schemes[1].Type != "bearer" ||
		auth.Schemes[0].ResourceMetadata != h.base+"/.well-known/oauth-protected-resource/mcp" {
		t.Errorf("%+v", auth)
	}
	if v := h.connect(t, h.owner, "").InitializeResult().ServerInfo.Version; v != card.Version {
		t.Errorf("the tools have version %s, the card says %s", v, card.Version)
	}
}

// The guide for agents is short, has the flows of a studio, and names operations that exist. A7.
func TestA7_Guide(t *testing.T) {
	h := open(t)
	text := h.public(t, "/llms.txt", "text/plain; charset=utf-8")
	if len(text) >= 8<<10 || !strings.HasPrefix(text, "# Foyer\n\n> ") || strings.Contains(text, "{base}") {
		t.Errorf("%d bytes: %.80s", len(text), text)
	}
	for _, want := range []string{
		h.base + "/mcp", h.base + "/openapi.json", "## Connect", "Find times", "Hold", "Confirm", "Cancel by quote",
		"Reschedule", "Check in", "Move a class", "dryRun", "never instructions",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the guide does not say %q", want)
		}
	}
	if names, known := h.unknown(t, text); len(names) > 0 || known < 35 {
		t.Errorf("%d operations, and %v", known, names)
	}
	if _, page := h.get(t, "/docs/api", ""); !strings.Contains(page, `href="/llms.txt"`) ||
		!strings.Contains(page, `href="/.well-known/mcp.json"`) {
		t.Error("the reference does not lead to them")
	}
	if _, doc := h.get(t, "/openapi.json", ""); !strings.Contains(doc, "(/llms.txt)") {
		t.Error("the document, which the reference draws, does not lead to the guide")
	}
}

// An assistant finds the ids of a call in lists, from the first one on, without any from elsewhere. A23.
func TestA23_IDs(t *testing.T) {
	h := open(t)
	class := h.AddOffering(t)
	date := h.AddOccurrence(t, class, h.Clock.Now().AddDate(0, 0, 2))
	s := h.connect(t, h.owner, "?tools=compact")
	first := func(tool string, arguments map[string]any) string {
		t.Helper()
		refused, out := call(t, s, "run_operation", map[string]any{"operation": tool, "arguments": arguments})
		items, _ := out["items"].([]any)
		if refused || len(items) == 0 {
			t.Fatalf("%s: %v", tool, out)
		}
		row, _ := items[0].(map[string]any)
		if inner, ok := row["business"].(map[string]any); ok {
			row = inner
		}
		id, _ := row["id"].(string)
		return id
	}
	business := first("listBusinesses", map[string]any{})
	location := first("listLocations", map[string]any{"businessId": business})
	offering := first("listOfferings", map[string]any{"id": location})
	if got := first("listOccurrences", map[string]any{"id": offering}); got != date.ID.String() {
		t.Errorf("%s instead of %s", got, date.ID)
	}
	key, _ := h.Key(t, policy.LocationView) // has no list of businesses: the instructions say which one is its own
	at := h.connect(t, key, "?locationId="+location)
	said := at.InitializeResult().Instructions
	if refused, out := call(t, at, "listBusinesses", map[string]any{}); !refused ||
		!strings.Contains(said, "business "+business) || !strings.Contains(said, "location "+location) {
		t.Errorf("%s; %v", said, out)
	}
	if said := s.InitializeResult().Instructions; strings.Contains(said, business) {
		t.Errorf("a person's instructions are %s", said)
	}
}
