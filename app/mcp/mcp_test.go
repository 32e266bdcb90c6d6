package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/mcp"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/media/mediatest"
	"foyer/policy"
)

// house is the product with the REST API and the assistants' address, on a port.
type house struct {
	*apptest.World
	apptest.Studio
	base     string
	owner    string // the token of the owner's session
	services assembly.Services
	web      *web.Server
}

func open(t testing.TB) *house {
	t.Helper()
	w := apptest.Open(t)
	h := &house{World: w, Studio: w.Studio(t)}
	quiet := slog.New(slog.DiscardHandler)
	services := assembly.New(assembly.Settings{
		DB: w.DB, Log: quiet, Mail: w.Mailbox(t), Letters: apptest.Letters{}, Store: mediatest.Store(t),
		Secret: apptest.Secrets,
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.base = "http://" + ln.Addr().String()
	srv := web.New(web.Options{
		BaseURL: h.base, Build: "427", Secret: bytes.Repeat([]byte("w"), 32), Clock: w.Clock, Log: quiet,
		Gate: api.Gate(services), Known: policy.Known, Hit: w.DB.Hit, Tags: api.Tags, Words: api.Words,
		Limits: op.Limits{StorefrontMax: 1e6, WriteMax: 1e6, ChallengeMax: 1e6},
	})
	api.Register(srv, services)
	mcp.Register(srv, mcp.Options{Caller: mcp.CallerOf(services), Log: quiet})
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	t.Cleanup(func() {
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	h.owner, h.services, h.web = h.token(t, h.Studio.Owner.Email), services, srv
	return h
}

// token is the token of a new session.
func (h *house) token(t testing.TB, email string) string {
	t.Helper()
	in, _ := h.People(t).SignIn(t, email)
	return in.Token
}

// bearer adds a credential to requests.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect is a client of the protocol's own makers with a credential.
func (h *house) connect(t *testing.T, token, query string) *sdk.ClientSession {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: h.base + mcp.Path + query, HTTPClient: &http.Client{Transport: bearer(token)}, MaxRetries: -1,
		DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// tools lists the names of the tools.
func tools(t *testing.T, s *sdk.ClientSession) []string {
	t.Helper()
	var out []string
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tool.Name)
	}
	return out
}

// call calls a tool, and returns whether it was refused and its structured content.
func call(
	t *testing.T, s *sdk.ClientSession, name string, arguments map[string]any,
) (refused bool, out map[string]any) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res.IsError, out
}

// post sends a raw request, and returns the answer.
func (h *house) post(t *testing.T, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+mcp.Path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
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

// Without a valid credential the answer is 401 in the envelope, and names the metadata of the resource. A40.
func TestA40_Challenge(t *testing.T) {
	h := open(t)
	for name, token := range map[string]string{
		"none": "", "no scheme": "abc", "unknown": "Bearer abc", "a key": "Bearer bk_unknown",
		"long": "Bearer " + strings.Repeat("x", 5000),
	} {
		header := http.Header{}
		if token != "" {
			header.Set("Authorization", token)
		}
		res, body := h.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header)
		want := `resource_metadata="` + h.base + `/.well-known/oauth-protected-resource/mcp"`
		if res.StatusCode != 401 || !strings.Contains(res.Header.Get("WWW-Authenticate"), want) ||
			!strings.Contains(body, `"code":"unauthorized"`) {
			t.Errorf("%s: %d %s %s", name, res.StatusCode, res.Header, body)
		}
	}
	header := http.Header{"Authorization": {"Bearer " + h.owner}, "Origin": {"https://elsewhere.example"}}
	if res, body := h.post(t, `{}`, header); res.StatusCode != 403 || !strings.Contains(body, `"code":"forbidden"`) {
		t.Errorf("a foreign origin: %d %s", res.StatusCode, body)
	}
	header = http.Header{"Authorization": {"Bearer " + h.owner}}
	if res, body := h.post(t, " ["+listTools+","+listTools+"]", header); res.StatusCode != 400 ||
		!strings.Contains(body, `"code":"validation"`) {
		t.Errorf("a batch: %d %s", res.StatusCode, body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		r, err := http.NewRequestWithContext(t.Context(), method, h.base+mcp.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != 405 || res.Header.Get("Allow") != "POST" {
			t.Errorf("%s: %d, Allow %q", method, res.StatusCode, res.Header.Get("Allow"))
		}
	}
}

// Sessions and keys are accepted, list what they may call, and get what REST answers. A5, A41, A63.
func TestA41_Credentials(t *testing.T) {
	h := open(t)
	desk := h.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, h.Location.ID))
	key, _ := h.Key(t, policy.LocationView)
	for name, c := range map[string]struct {
		token   string
		has     []string
		hasNot  []string
		refused bool // createApiKey
	}{
		"owner": {h.owner, []string{"createApiKey", "listLocations", "getProfile", "createCart"},
			[]string{"uploadAsset"}, false},
		"desk": {h.token(t, desk.Email), []string{"listLocations", "getProfile", "createCart"},
			[]string{"createApiKey", "updateBusiness"}, true},
		"key": {key, []string{"listLocations", "createCart"}, []string{"createApiKey", "getProfile", "listBookings"}, true},
	} {
		s := h.connect(t, c.token, "")
		list := tools(t, s)
		for _, tool := range c.has {
			if !slices.Contains(list, tool) {
				t.Errorf("%s: no tool %s", name, tool)
			}
		}
		for _, tool := range c.hasNot {
			if slices.Contains(list, tool) {
				t.Errorf("%s: tool %s", name, tool)
			}
		}
		refused, out := call(t, s, "listLocations", map[string]any{"businessId": h.Business.ID.String()})
		if items, _ := out["items"].([]any); refused || len(items) != 1 {
			t.Errorf("%s: locations %v", name, out)
		}
		arguments := map[string]any{
			"businessId": h.Business.ID.String(), "name": "Site", "features": []string{"location.view"},
		}
		refused, out = call(t, s, "createApiKey", arguments)
		if refused != c.refused {
			t.Errorf("%s: createApiKey %v", name, out)
		}
		if e, _ := out["error"].(map[string]any); refused && (e["code"] != "forbidden" || e["message"] == "") {
			t.Errorf("%s: %v", name, out)
		}
	}
}

// The compact list is a part of the full one. A42.
func TestA42_Compact(t *testing.T) {
	h := open(t)
	full, compact := tools(t, h.connect(t, h.owner, "")), tools(t, h.connect(t, h.owner, "?tools=compact"))
	if len(full) < 200 || len(compact) < 20 || len(compact) > 80 {
		t.Errorf("%d and %d tools", len(full), len(compact))
	}
	for _, name := range compact {
		if !slices.Contains(full, name) {
			t.Errorf("%s is in the compact list only", name)
		}
	}
	header := http.Header{"Authorization": {"Bearer " + h.owner}}
	at := h.base + mcp.Path + "?tools=compact"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(listTools))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || len(text) > 16<<10 {
		t.Errorf("the compact list has %d bytes, %v", len(text), err)
	}
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// The three generic tools find, describe and run any operation of the caller. A42.
func TestGenericTools(t *testing.T) {
	h := open(t)
	s := h.connect(t, h.owner, "?tools=compact")
	refused, out := call(t, s, "find_operation", map[string]any{"words": "create API key"})
	list, _ := out["operations"].([]any)
	if refused || len(list) == 0 || list[0].(map[string]any)["operation"] != "createApiKey" {
		t.Errorf("%v", out)
	}
	refused, out = call(t, s, "describe_operation", map[string]any{"operation": "listLocations"})
	schema, _ := out["arguments"].(map[string]any)
	if properties, _ := schema["properties"].(map[string]any); refused || properties["businessId"] == nil {
		t.Errorf("%v", out)
	}
	refused, out = call(t, s, "run_operation", map[string]any{
		"operation": "listLocations", "arguments": map[string]any{"businessId": h.Business.ID.String()},
	})
	if items, _ := out["items"].([]any); refused || len(items) != 1 {
		t.Errorf("%v", out)
	}
	for _, name := range []string{"describe_operation", "run_operation"} {
		unknown := map[string]any{"operation": "dropTables", "arguments": map[string]any{}}
		if refused, out := call(t, s, name, unknown); !refused {
			t.Errorf("%s: %v", name, out)
		}
	}
	// Each word is searched in every operation, so there cannot be many: 200 characters, of any language.
	hundred := strings.Repeat("a ", 100)
	for words, want := range map[string]bool{hundred: false, strings.Repeat("я ", 100): false, hundred + "a": true} {
		if refused, out := call(t, s, "find_operation", map[string]any{"words": words}); refused != want {
			t.Errorf("%d characters: %v", len(words), out)
		}
	}
	key, _ := h.Key(t, policy.LocationView)
	_, out = call(t, h.connect(t, key, "?tools=compact"), "find_operation", map[string]any{"words": "create API key"})
	if text, err := json.Marshal(out); err != nil || strings.Contains(string(text), "createApiKey") {
		t.Errorf("a key finds what it may not call: %s, %v", text, err)
	}
}

// A change with a quote needs it: the effects are shown before they happen.
func TestQuotesAreRequired(t *testing.T) {
	h := open(t)
	s := h.connect(t, h.owner, "")
	class := h.AddOffering(t)
	date := h.AddOccurrence(t, class, h.Clock.Now().AddDate(0, 0, 2))
	arguments := map[string]any{"id": class.ID.String(), "occurrenceId": date.ID.String()}
	refused, out := call(t, s, "cancelOccurrence", arguments)
	if text, err := json.Marshal(out); err != nil || !refused || !strings.Contains(string(text), `"quote_required"`) {
		t.Fatalf("without a quote: %s, %v", text, err)
	}
	arguments["dryRun"] = true
	refused, out = call(t, s, "cancelOccurrence", arguments)
	quote, _ := out["quoteId"].(string)
	if refused || quote == "" {
		t.Fatalf("the quote: %v", out)
	}
	delete(arguments, "dryRun")
	arguments["quoteId"] = quote
	if refused, out = call(t, s, "cancelOccurrence", arguments); refused {
		t.Errorf("with the quote: %v", out)
	}
	by := apptest.Value[string](t, h.World, `select surface || ' ' || actor_kind from audit_events
		where record = 'occurrences' and action = 'update' order by seq desc limit 1`)
	if by != "assistant person" {
		t.Errorf("the audit has %q", by)
	}
}

// The address can limit a key to a location. A43, A48.
func TestA43_Pin(t *testing.T) {
	h := open(t)
	south := h.AddLocation(t, "South")
	elsewhere := h.World.Studio(t)
	key, _ := h.Key(t, policy.LocationView, policy.CatalogManage)
	arguments := func(id uuid.UUID) map[string]any {
		return map[string]any{"id": id.String()}
	}
	for _, c := range []struct {
		query   string
		at      uuid.UUID
		refused bool
	}{
		{"", h.Location.ID, false}, {"", south.ID, false},
		{"?locationId=" + south.ID.String(), south.ID, false}, {"?locationId=" + south.ID.String(), h.Location.ID, true},
	} {
		if refused, out := call(t, h.connect(t, key, c.query), "listSpaces", arguments(c.at)); refused != c.refused {
			t.Errorf("%s: %v", c.query, out)
		}
	}
	for at, refused := range map[uuid.UUID]bool{south.ID: false, h.Location.ID: true} { // of visitors, too
		s := h.connect(t, key, "?locationId="+south.ID.String())
		if got, out := call(t, s, "createCart", map[string]any{"locationId": at.String()}); got != refused {
			t.Errorf("createCart: %v", out)
		}
	}
	for _, id := range []string{elsewhere.Location.ID.String(), uuid.NewString(), "x"} {
		header := http.Header{"Authorization": {"Bearer " + key}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+mcp.Path+"?locationId="+id, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != 404 {
			t.Errorf("location %s: %d", id, res.StatusCode)
		}
	}
}

// Arguments outside the schema are refused in the envelope, with their name.
func TestBadArguments(t *testing.T) {
	h := open(t)
	s := h.connect(t, h.owner, "")
	for field, arguments := range map[string]map[string]any{
		"businessId":      {},
		"colour":          {"businessId": h.Business.ID.String(), "colour": "red"},
		"query.limit":     {"businessId": h.Business.ID.String(), "limit": map[string]any{}},
		"path.businessId": {"businessId": []string{"a"}},
	} {
		refused, out := call(t, s, "listLocations", arguments)
		text, err := json.Marshal(out)
		if err != nil || !refused || !strings.Contains(string(text), field) ||
			!strings.Contains(string(text), `"validation"`) {
			t.Errorf("%s: %s, %v", field, text, err)
		}
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "noSuchTool"}); err == nil {
		t.Error("an unknown tool is called")
	}
}
