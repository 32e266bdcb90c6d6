package mcp_test

import (
	"net/http"
	"strings"
	"testing"
)

// A credential that was good a second ago, and is not now, is refused at the next call as if it had never been: with
// 401 and the challenge, also for a tool that visitors may call. A good one is verified once for a call.
func TestACredentialEndsAtTheNextCall(t *testing.T) {
	h := open(t)
	in, who := h.People(t).SignIn(t, h.Studio.Owner.Email)
	token := in.Token
	header := http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-06-18"},
	}
	ask := func(tool, arguments string) (*http.Response, string) {
		t.Helper()
		return h.post(t,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, header)
	}
	open := `{"locationId": "` + h.Location.ID.String() + `"}`
	for range 2 {
		if r, body := ask("listBusinesses", "{}"); r.StatusCode != http.StatusOK || !strings.Contains(body, "Harbour Yoga") {
			t.Fatalf("%s %s", r.Status, body)
		}
	}
	first := h.Statements(func() { ask("createCart", open) })
	if second := h.Statements(func() { ask("createCart", open) }); second > first {
		t.Errorf("%d statements, then %d", first, second)
	}
	if err := h.People(t).Logout(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	for _, call := range [][2]string{{"createCart", open}, {"listBusinesses", "{}"}, {"createCart", open}} {
		r, body := ask(call[0], call[1])
		if r.StatusCode != http.StatusUnauthorized || !strings.Contains(r.Header.Get("WWW-Authenticate"),
			`error="invalid_token"`) ||
			!strings.Contains(body, `"code":"unauthorized"`) || strings.Contains(body, "credential_lost") {
			t.Errorf("%s: %s %v %s", call[0], r.Status, r.Header, body)
		}
	}
}
