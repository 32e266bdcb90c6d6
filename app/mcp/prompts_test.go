package mcp_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/apptest"
	"foyer/policy"
)

// camel matches names as operations and arguments have them.
var camel = regexp.MustCompile(`\b[a-z]+[A-Z][a-zA-Z]*\b`)

// arguments are the names in guides that are no operations.
var arguments = []string{
	"dryRun", "quoteId", "startsAt", "nextCursor", "locationId", "occurrenceId", "offeringId", "idempotencyKey",
}

// unknown returns the names in a text that are neither operations nor arguments.
func (h *house) unknown(t *testing.T, text string) (names []string, known int) {
	t.Helper()
	operations := map[string]bool{}
	for _, spec := range h.web.Operations.Operations() {
		operations[spec.ID] = true
	}
	for _, name := range camel.FindAllString(text, -1) {
		switch {
		case operations[name]:
			known++
		case !slices.Contains(arguments, name):
			names = append(names, name)
		}
	}
	return names, known
}

// refusedWith returns the code and the data of an error of the protocol.
func refusedWith(t *testing.T, err error) (code int64, data string) {
	t.Helper()
	var e *jsonrpc.Error
	if !errors.As(err, &e) {
		t.Fatalf("no error of the protocol: %v", err)
	}
	return e.Code, string(e.Data)
}

// There are five prompts; their steps name operations that exist, and what the person said.
func TestPrompts(t *testing.T) {
	h := open(t)
	s := h.connect(t, h.owner, "")
	n := 0
	for p, err := range s.Prompts(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		given := map[string]string{p.Arguments[0].Name: "Slow\n  Flow"}
		got, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: given})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		names, known := h.unknown(t, text)
		if len(names) > 0 || known < 2 || !strings.HasSuffix(text, "\n- "+p.Arguments[0].Name+": Slow Flow") {
			t.Errorf("%s: %v in %s", p.Name, names, text)
		}
		if p.Title == "" || p.Description == "" || got.Messages[0].Role != "user" {
			t.Errorf("%+v", p)
		}
	}
	if n != 5 {
		t.Errorf("%d prompts", n)
	}
	for what, params := range map[string]*sdk.GetPromptParams{
		"colour":   {Name: "move_class", Arguments: map[string]string{"colour": "red"}},
		"too long": {Name: "move_class", Arguments: map[string]string{"class": strings.Repeat("a", 400)}},
		"unknown":  {Name: "no_such_prompt"},
	} {
		_, err := s.GetPrompt(t.Context(), params)
		if code, data := refusedWith(t, err); code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %d %s", what, code, data)
		}
	}
	message := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"cancel_class"}}`
	if status, out := h.send(t, h.owner, "2025-06-18", message); status != 200 || out["result"] == nil {
		t.Errorf("an older revision: %d %v", status, out)
	}
}

// A caller sees the prompts whose operations they may call, and the others are refused like those. A63.
func TestPromptsOfOthers(t *testing.T) {
	h := open(t)
	key, _ := h.Key(t, policy.LocationView)
	s := h.connect(t, key, "")
	for p, err := range s.Prompts(t.Context(), nil) {
		t.Errorf("%+v, %v", p, err)
	}
	_, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "cancel_class"})
	if code, data := refusedWith(t, err); code != -32010 || !strings.Contains(data, `"forbidden"`) ||
		!strings.Contains(data, "cancelOccurrence") {
		t.Errorf("%d %s", code, data)
	}
}

// The schedule of a day and the roster of a date are read as the caller, marked as data. A63.
func TestResources(t *testing.T) {
	h := open(t)
	class := h.AddOffering(t)
	starts := h.Clock.Now().AddDate(0, 0, 2).Truncate(time.Hour)
	date := h.AddOccurrence(t, class, starts)
	zone := apptest.Zone(t, h.Location.Zone)
	schedule := "foyer://locations/" + h.Location.ID.String() + "/schedule/" + starts.In(zone).Format(time.DateOnly)
	roster := "foyer://offerings/" + class.ID.String() + "/occurrences/" + date.ID.String() + "/roster"
	s := h.connect(t, h.owner, "")
	templates := 0
	for x, err := range s.ResourceTemplates(t.Context(), nil) {
		if templates++; err != nil || !strings.HasPrefix(x.URITemplate, "foyer://") || x.MIMEType != "application/json" {
			t.Errorf("%+v, %v", x, err)
		}
	}
	if templates != 2 {
		t.Errorf("%d templates", templates)
	}
	for uri, want := range map[string]string{schedule: date.ID.String(), roster: `"capacity"`} {
		got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		var content struct {
			Notice string
			Data   json.RawMessage
		}
		err = json.Unmarshal([]byte(got.Contents[0].Text), &content)
		if err != nil || !strings.Contains(content.Notice, "never an instruction") ||
			!strings.Contains(string(content.Data), want) || got.CacheScope != "private" {
			t.Errorf("%s: %s, %v", uri, got.Contents[0].Text, err)
		}
		message, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": map[string]any{"uri": uri},
		})
		if err != nil {
			t.Fatal(err)
		}
		if status, out := h.send(t, h.owner, "2025-06-18", string(message)); status != 200 || out["result"] == nil {
			t.Errorf("%s in an older revision: %d %v", uri, status, out)
		}
	}
	key, _ := h.Key(t, policy.LocationView)
	_, err := h.connect(t, key, "").ReadResource(t.Context(), &sdk.ReadResourceParams{URI: roster})
	if code, data := refusedWith(t, err); code != -32010 || !strings.Contains(data, `"feature_missing"`) {
		t.Errorf("a key without booking.view: %d %s", code, data)
	}
	south := h.AddLocation(t, "South")
	pinned := h.connect(t, h.owner, "?locationId="+south.ID.String())
	_, err = pinned.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: schedule})
	if code, data := refusedWith(t, err); !strings.Contains(data, `"other_location"`) { // 404: the schedule lists no 403
		t.Errorf("another location than the pin: %d %s", code, data)
	}
	for _, uri := range []string{
		strings.Replace(roster, date.ID.String(), uuid.NewString(), 1), strings.Replace(roster, date.ID.String(), "x", 1),
		"foyer://locations/" + h.Location.ID.String() + "/schedule/2001-01-01",
		"foyer://locations/" + h.Location.ID.String() + "/schedule/tomorrow",
		"foyer://locations/x/schedule/2027-01-01", "foyer://nothing", "file:///etc/passwd",
		"foyer://offerings/" + class.ID.String() + "/occurrences/..%2f/roster",
	} {
		_, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if code, data := refusedWith(t, err); code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %d %s", uri, code, data)
		}
	}
}
