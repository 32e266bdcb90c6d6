package mcp_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/mcp"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/policy"
)

// send sends a message in a revision, and returns the status and the message of the answer.
func (h *house) send(t *testing.T, token, revision, message string, more ...string) (int, map[string]any) {
	t.Helper()
	header := http.Header{"Authorization": {"Bearer " + token}}
	if revision != "" {
		header.Set("Mcp-Protocol-Version", revision)
	}
	for i := 0; i < len(more); i += 2 {
		header.Set(more[i], more[i+1])
	}
	res, body := h.post(t, message, header)
	var out map[string]any
	if json.Unmarshal([]byte(body), &out) == nil {
		return res.StatusCode, out
	}
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &out); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
		}
	}
	return res.StatusCode, out
}

// modern is a message of the revision 2026-07-28, with the headers that belong to it.
func modern(method, name, params string) (message string, header []string) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		meta += "," + params
	}
	header = []string{"Mcp-Method", method}
	if name != "" {
		header = append(header, "Mcp-Name", name)
	}
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + meta + `}}`, header
}

// The list of each kind of caller is what Registry.Admits lets them do, tool by tool. A63.
func TestListIsWhatTheCallerMay(t *testing.T) {
	h := open(t)
	key, _ := h.Key(t, policy.LocationView, policy.CRMView)
	callers := map[string]string{"owner": h.owner, "a key": key, "a customer": h.token(t, "somebody@example.com")}
	for _, role := range []policy.Role{policy.Manager, policy.FrontDesk, policy.Instructor} {
		email := string(role) + "@example.com"
		h.Join(t, email, apptest.At(role, h.Location.ID))
		callers[string(role)] = h.token(t, email)
	}
	all, err := h.web.Operations.Tools()
	if err != nil {
		t.Fatal(err)
	}
	callerOf, seen := mcp.CallerOf(h.services), map[string]bool{}
	for name, token := range callers {
		c, err := callerOf(t.Context(), token, uuid.Nil)
		if err == nil && c.Holds != nil {
			c.Grants, err = c.Holds(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, tool := range all {
			person, may := c.Kind == tenancy.ActorPerson, true
			switch tool.Access {
			case op.Operator, op.Member:
				may = h.web.Operations.Admits(tool.ID, c.Grants) == nil
			case op.OperatorSession:
				may = person && h.web.Operations.Admits(tool.ID, c.Grants) == nil
			case op.Session, op.StorefrontSession:
				may = person
			}
			if may {
				want = append(want, tool.ID)
			}
		}
		want = append(want, "find_operation", "describe_operation", "run_operation")
		slices.Sort(want)
		got := tools(t, h.connect(t, token, ""))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d tools instead of %d", name, len(got), len(want))
		}
		seen[strings.Join(got, " ")] = true
	}
	if len(seen) < 5 {
		t.Errorf("%d lists of %d callers", len(seen), len(callers))
	}
}

// A list is right at the next call after a role has changed. A63.
func TestListFollowsTheRole(t *testing.T) {
	h := open(t)
	h.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, h.Location.ID))
	token := h.token(t, "desk@example.com")
	has := func(tool string) bool {
		_, out := h.send(t, token, "2025-11-25", listTools)
		text, err := json.Marshal(out)
		return err == nil && strings.Contains(string(text), `"name":"`+tool+`"`)
	}
	if has("updateBusiness") || !has("checkInBooking") {
		t.Fatal("the desk has the wrong tools")
	}
	h.SQL(t, `update member_roles set role = 'manager', location_id = null where role = 'front_desk'`)
	if !has("createOffering") {
		t.Error("a manager has the list of the desk")
	}
}

// The list is one answer that the client keeps for a minute and for this caller alone, in both kinds of revision, and
// with what the newest one has in each answer.
func TestListIsPrivate(t *testing.T) {
	h := open(t)
	for _, revision := range []string{"2025-06-18", "2026-07-28"} {
		message, header := listTools, []string(nil)
		if revision == "2026-07-28" {
			message, header = modern("tools/list", "", "")
		}
		status, out := h.send(t, h.owner, revision, message, header...)
		result, _ := out["result"].(map[string]any)
		if status != 200 || result["cacheScope"] != "private" || result["ttlMs"] != 60000.0 || result["nextCursor"] != nil {
			t.Errorf("%s: %d, %v, %v", revision, status, result["cacheScope"], result["ttlMs"])
		}
		list, _ := result["tools"].([]any)
		for _, item := range list {
			tool, _ := item.(map[string]any)
			schema, _ := tool["inputSchema"].(map[string]any)
			if tool["name"] == "" || tool["title"] == "" || schema["type"] != "object" || tool["annotations"] == nil {
				t.Errorf("%s: %v", revision, tool)
			}
		}
		if len(list) < 200 {
			t.Errorf("%s: %d tools", revision, len(list))
		}
		meta, _ := result["_meta"].(map[string]any)
		if new := revision == "2026-07-28"; new != (result["resultType"] == "complete") ||
			new != (meta["io.modelcontextprotocol/serverInfo"] != nil) {
			t.Errorf("%s: %v %v", revision, result["resultType"], meta)
		}
	}
}

// 200 calls at once are all answered, and leave no goroutine behind.
func TestManyCallsAtOnce(t *testing.T) {
	h := open(t)
	key, _ := h.Key(t, policy.LocationView)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listLocations",` +
		`"arguments":{"businessId":"` + h.Business.ID.String() + `"}}}`
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	once := func() (string, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.base+mcp.Path, strings.NewReader(message))
		if err != nil {
			return "", err
		}
		r.Header = http.Header{
			"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"},
			"Accept": {"application/json, text/event-stream"},
		}
		return answered(client, r)
	}
	if text, err := once(); err != nil || !strings.Contains(text, h.Location.ID.String()) {
		t.Fatalf("%s, %v", text, err)
	}
	before := runtime.NumGoroutine()
	var running sync.WaitGroup
	for range 200 {
		running.Go(func() {
			if text, err := once(); err != nil || !strings.Contains(text, h.Location.ID.String()) {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	running.Wait()
	var after int
	for range 600 { // a minute
		if after = runtime.NumGoroutine(); after <= before+5 { // the pool of the database opens connections
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", after, before)
}

// answered returns the text of an answer.
func answered(client *http.Client, r *http.Request) (string, error) {
	res, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

// Prompts and resources are offered, and no notice of changes, which a server without sessions cannot send.
func TestCapabilities(t *testing.T) {
	h := open(t)
	got, err := json.Marshal(h.connect(t, h.owner, "").InitializeResult().Capabilities)
	if err != nil || string(got) != `{"prompts":{},"resources":{},"tools":{}}` {
		t.Errorf("%s, %v", got, err)
	}
}

// 2,000 clients that have said hello and do nothing, their connections open, cost 40 MB at most.
func TestIdleClients(t *testing.T) {
	h := open(t)
	key, _ := h.Key(t, policy.LocationView)
	message := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	request := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n" +
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " +
		strconv.Itoa(len(message)) + "\r\n\r\n" + message
	in := make([]byte, 4096)
	hello := func() {
		c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(in); err != nil || !strings.HasPrefix(string(in[:n]), "HTTP/1.1 200") {
			t.Fatalf("%s, %v", in[:n], err)
		}
	}
	used := func() int64 {
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse + m.StackInuse)
	}
	hello()
	before := used()
	for range 2000 {
		hello()
	}
	mb := float64(used()-before) / 1e6
	t.Logf("%.1f MB", mb)
	if mb > 40 {
		t.Errorf("%.1f MB", mb)
	}
}
